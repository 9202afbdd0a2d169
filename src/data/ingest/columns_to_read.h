/* columns_to_read.h: the columns of a file: their names, which of them are read, and as what type. */
#pragma once

#include "base/text.h"
#include "data/format/csv/csv.h"
#include "data/format/csv/csv_scanner.h"

/* What a column is to be read as. */
typedef enum sg_column_spec {
    SG_SPEC_INFER,        /* inferred from the cells */
    SG_SPEC_INFER_KEEP,   /* inferred, but kept even if it holds dates or identifiers */
    SG_SPEC_NUMERIC,      /* numeric; text is an error */
    SG_SPEC_CATEGORICAL,  /* categorical, whatever its cells look like */
    SG_SPEC_FIXED_LEVELS, /* categorical with declared levels; other values are an error */
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
    bool locate_by_row;          /* messages give the row number instead of line and column */
    const size_t *file_position; /* (count) positions in the file, for messages; NULL if they are the indices */
} sg_column_selection;

/* Names the columns, selects those to read, and sets their types. If header is NULL, the names are c1, c2, ... `file`,
 * `options` and what they point to must outlive c. Release c even on failure. */
sg_status sg_column_selection_init(sg_column_selection *c, const char *file, const sg_read_options *options,
                                   const sg_field *header, size_t count);
void sg_column_selection_release(sg_column_selection *c);

/* Fails unless the header of a later file equals that of the first file, whose name is first_file. */
sg_status sg_column_selection_check_header(const sg_column_selection *c, const sg_field *header,
                                           const char *first_file);
