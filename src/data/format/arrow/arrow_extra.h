/* arrow_extra.h: columns of a source that stand beside those of an Arrow stream, a block of rows at a time. */
#ifndef SG_DATA_FORMAT_ARROW_ARROW_EXTRA_H
#define SG_DATA_FORMAT_ARROW_ARROW_EXTRA_H

#include "data/format/arrow/arrow_column.h"

typedef struct sg_arrow_extra {
    const sg_source *source; /* NULL: there is none                          */
    double *rows;            /* (room, of->columns)                          */
    size_t capacity;
    sg_arrow_dict_entry **entry; /* (of->columns) its levels, NULL: numbers      */
    size_t *level_count;         /* (of->columns)                                */
} sg_arrow_extra;

/* of may be NULL. b is to be released, also on failure. */
sg_status sg_arrow_extra_init(sg_arrow_extra *b, const sg_source *of);
void sg_arrow_extra_release(sg_arrow_extra *b);
/* Reads a block; then any column of it to the k-th cells of rows, which the store is given next. */
sg_status sg_arrow_extra_read(sg_arrow_extra *b, size_t first, size_t n);
sg_status sg_arrow_extra_fill(sg_arrow_extra *b, size_t column, sg_table_builder *s, size_t k, size_t n, double *rows);

#endif
