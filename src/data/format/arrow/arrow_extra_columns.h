/* arrow_extra_columns.h: columns of another source (say, a target) that are read along with an Arrow stream. */
#pragma once

#include "data/format/arrow/arrow_column.h"

typedef struct sg_arrow_extra {
    const sg_source *source; /* NULL: there are no extra columns */
    double *rows;            /* (rows, columns) of the current block */
    size_t capacity;
    sg_arrow_dict_entry **entry; /* (columns) cached levels of a column; NULL: it is numeric */
    size_t *level_count;         /* (columns) */
} sg_arrow_extra;

/* source may be NULL. Release b even on failure. */
sg_status sg_arrow_extra_init(sg_arrow_extra *b, const sg_source *source);
void sg_arrow_extra_release(sg_arrow_extra *b);
/* Reads the rows [first, first + n), which become the current block. */
sg_status sg_arrow_extra_read(sg_arrow_extra *b, size_t first, size_t n);
/* Copies a column of the current block to column k of `rows`, the next n rows of the builder. */
sg_status sg_arrow_extra_fill(sg_arrow_extra *b, size_t column, sg_table_builder *s, size_t k, size_t n, double *rows);
