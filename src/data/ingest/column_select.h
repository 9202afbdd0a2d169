/* column_select.h: the columns of a file: names, which are read, and as what. */
#ifndef SG_DATA_INGEST_COLUMN_SELECT_H
#define SG_DATA_INGEST_COLUMN_SELECT_H

#include "base/text.h"
#include "data/format/csv/csv.h"
#include "data/format/csv/csv_scanner.h"

/* What a column is read as. */
typedef enum sg_column_spec {
    SG_SPEC_INFER,        /* numbers or words, whatever most of its cells are      */
    SG_SPEC_INFER_KEEP,   /* the same, also where that is dates or identifiers     */
    SG_SPEC_NUMERIC,      /* a word in it is a mistake                             */
    SG_SPEC_CATEGORICAL,  /* categories, also where they look like something else  */
    SG_SPEC_FIXED_LEVELS, /* categories whose levels are known: another one is a mistake */
    SG_SPEC_DATE,         /* left out, with a notice, unless it is wanted          */
    SG_SPEC_UNUSED        /* left out, unless it is wanted                         */
} sg_column_spec;

typedef struct sg_column_selection {
    const sg_read_options *options;
    const char *file; /* the one that is read now                          */
    bool header;
    size_t count;         /* in the file                                       */
    const char **names;   /* (count), and a NULL                               */
    sg_text name_text;    /* of the names                                      */
    bool *used;           /* (count) not left out by wanted or ignore          */
    sg_column_spec *spec; /* (count) as the options, or who asks, will have it */
    size_t *read_index;   /* (read_count) the columns that are read, by place  */
    size_t read_count;
    bool locate_by_row;          /* there are no lines: cells are found by the numbers of their rows */
    const size_t *file_position; /* (count) where a column stands in its file, for messages; NULL: in this order */
} sg_column_selection;

/* header NULL: columns are named by position. file, how and what it points at must outlive c,
 * which is to be released, also on failure. */
sg_status sg_column_selection_init(sg_column_selection *c, const char *file, const sg_read_options *options,
                                   const sg_field *header, size_t count);
void sg_column_selection_release(sg_column_selection *c);

/* Whether a later file has the same header as the first one, `started`. */
sg_status sg_column_selection_check_header(const sg_column_selection *c, const sg_field *header, const char *started);

#endif
