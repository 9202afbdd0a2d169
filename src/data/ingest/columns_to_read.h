/* columns_to_read.h: the columns of a file: their names, and which are read as what type. */
#pragma once

#include "base/text.h"
#include "data/format/csv/csv.h"
#include "data/format/csv/csv_scanner.h"

/* The type that a column is read as. */
typedef enum sg_column_spec {
    SG_SPEC_INFER,        /* numeric or categorical, as most of its cells are */
    SG_SPEC_INFER_KEEP,   /* the same, and kept even if it holds dates or identifiers */
    SG_SPEC_NUMERIC,      /* text is an error */
    SG_SPEC_CATEGORICAL,  /* categorical, whatever its cells look like */
    SG_SPEC_FIXED_LEVELS, /* categorical with declared levels; others are an error */
    SG_SPEC_DATE,         /* dropped with a notice, unless it is wanted */
    SG_SPEC_UNUSED        /* dropped, unless it is wanted */
} sg_column_spec;

typedef struct sg_column_selection {
    const sg_read_options *options;
    const char *file; /* the current file */
    bool header;
    size_t count;         /* number of columns in the file */
    const char **names;   /* (count + 1) NULL-terminated */
    sg_text name_text;    /* storage of the names */
    bool *used;           /* (count) selected by wanted, or not excluded by ignore */
    sg_column_spec *spec; /* (count) as requested by the caller or the options */
    size_t *read_index;   /* (read_count) indices of the columns that are read */
    size_t read_count;
    bool locate_by_row;          /* report cells by row number instead of line and column */
    const size_t *file_position; /* (count) position of each column in the file, for messages; NULL: the index */
} sg_column_selection;

/* header NULL: columns are named c1, c2, ... file, options and what they point to must outlive c. Release c also on
 * failure. */
sg_status sg_column_selection_init(sg_column_selection *c, const char *file, const sg_read_options *options,
                                   const sg_field *header, size_t count);
void sg_column_selection_release(sg_column_selection *c);

/* Fails unless a later file has the same header as the first one, whose name is first_file. */
sg_status sg_column_selection_check_header(const sg_column_selection *c, const sg_field *header,
                                           const char *first_file);
