/* arrow_extra_columns.h: columns of another source (a target, weights) that are read along with an Arrow stream. */
#pragma once

#include "data/format/arrow/arrow_column.h"

typedef struct sg_arrow_extra {
    const sg_source *source; /* NULL: no extra columns               */
    double *rows;            /* (rows, columns) the current block    */
    size_t capacity;
    sg_arrow_dict_entry **entry; /* (columns) levels; NULL: numeric  */
    size_t *level_count;         /* (columns)                        */
} sg_arrow_extra;

/* source may be NULL. Release b even on failure. */
sg_status sg_arrow_extra_init(sg_arrow_extra *b, const sg_source *source);
void sg_arrow_extra_release(sg_arrow_extra *b);
/* Reads a block of n rows. */
sg_status sg_arrow_extra_read(sg_arrow_extra *b, size_t first, size_t n);
/* Copies a column of the block to cell k of `rows`, the next rows of the builder. */
sg_status sg_arrow_extra_fill(sg_arrow_extra *b, size_t column, sg_table_builder *s, size_t k, size_t n, double *rows);
