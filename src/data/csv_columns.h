/* csv_columns.h: the columns of a file: names, which are read, and as what. */
#ifndef SG_DATA_CSV_COLUMNS_H
#define SG_DATA_CSV_COLUMNS_H

#include "base/text.h"
#include "data/csv.h"
#include "data/csv_scan.h"

/* What a column is read as. */
typedef enum sg_kind {
    SG_KIND_JUDGED,   /* numbers or words, whatever most of its cells are      */
    SG_KIND_KEPT,     /* the same, also where that is dates or identifiers     */
    SG_KIND_NUMBERS,  /* a word in it is a mistake                             */
    SG_KIND_WORDS,    /* categories, also where they look like something else  */
    SG_KIND_DECLARED, /* categories whose levels are known: another one is a mistake */
    SG_KIND_DATES,    /* left out, with a notice, unless it is wanted          */
    SG_KIND_SPARE     /* left out, unless it is wanted                         */
} sg_kind;

typedef struct sg_columns {
    const sg_csv_how *how;
    const char *file; /* the one that is read now                          */
    bool header;
    size_t count;       /* in the file                                       */
    const char **names; /* (count), and a NULL                               */
    sg_text text;       /* of the names                                      */
    bool *used;         /* (count) not left out by wanted or ignore          */
    sg_kind *kind;      /* (count) as the options, or who asks, will have it */
    size_t *reads;      /* (read_count) the columns that are read, by place  */
    size_t read_count;
    bool by_row;         /* there are no lines: cells are found by the numbers of their rows */
    const size_t *place; /* (count) where a column stands in its file, for messages; NULL: in this order */
} sg_columns;

/* header NULL: columns are named by position. file, how and what it points at must outlive c,
 * which is to be released, also on failure. */
sg_status sg_columns_choose(sg_columns *c, const char *file, const sg_csv_how *how, const sg_field *header,
                            size_t count);
void sg_columns_release(sg_columns *c);

/* Whether a later file has the same header as the first one, `started`. */
sg_status sg_columns_same(const sg_columns *c, const sg_field *header, const char *started);

#endif
