/* arrow_beside.h: columns of a source that stand beside those of an Arrow stream, a block of rows at a time. */
#ifndef SG_DATA_ARROW_BESIDE_H
#define SG_DATA_ARROW_BESIDE_H

#include "data/arrow_column.h"

typedef struct sg_arrow_beside {
    const sg_source *of; /* NULL: there is none                          */
    double *rows;        /* (room, of->columns)                          */
    size_t room;
    sg_arrow_entry **entry; /* (of->columns) its levels, NULL: numbers      */
    size_t *levels;         /* (of->columns)                                */
} sg_arrow_beside;

/* of may be NULL. b is to be released, also on failure. */
sg_status sg_arrow_beside_init(sg_arrow_beside *b, const sg_source *of);
void sg_arrow_beside_release(sg_arrow_beside *b);
/* Reads a block; then any column of it to the k-th cells of rows, which the store is given next. */
sg_status sg_arrow_beside_read(sg_arrow_beside *b, size_t first, size_t n);
sg_status sg_arrow_beside_fill(sg_arrow_beside *b, size_t column, sg_store *s, size_t k, size_t n, double *rows);

#endif
