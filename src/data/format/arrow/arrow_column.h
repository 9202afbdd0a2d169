/* arrow_column.h: a column of an Arrow stream that is read, batch by batch, into the store. */
#ifndef SG_DATA_FORMAT_ARROW_ARROW_COLUMN_H
#define SG_DATA_FORMAT_ARROW_ARROW_COLUMN_H

#include "data/format/arrow/arrow_array_view.h"
#include "data/format/arrow/arrow_dict_cache.h"

typedef struct sg_arrow_column {
    const char *name;
    size_t child;                 /* which one of the stream's it is             */
    sg_arrow_format format;       /* of numbers or texts, or of indices ...      */
    sg_arrow_format value_format; /* ... of a dictionary; type NULL: there is none */
    /* Of the batch: */
    sg_arrow_array_view view, dictionary;
    sg_arrow_dict_entry *entry; /* (dictionary.length)                         */
} sg_arrow_column;

/* What the schema says of it: its types. */
void sg_arrow_column_init(sg_arrow_column *c, const struct ArrowSchema *schema, size_t child);
/* Whether it is read as it is, or as what. */
sg_arrow_class sg_arrow_column_class(const sg_arrow_column *c);

/* Its array in a batch whose rows are [first, first + rows) of it. */
sg_status sg_arrow_column_open(sg_arrow_column *c, const struct ArrowArray *a, size_t first, size_t rows);
void sg_arrow_column_close(sg_arrow_column *c);
/* Rows [first, first + n) of it to the k-th cells of rows, which the store is given next. */
sg_status sg_arrow_column_fill(sg_arrow_column *c, sg_table_builder *s, size_t k, size_t first, size_t n, double *rows);

/* The k-th cells of n rows are numbers that were copied as they are: NaN, and whatever v says that is not there, is
 * missing; infinity is an error. v NULL: all are there; else from its first-th value on. */
sg_status sg_arrow_apply_nulls(sg_table_builder *s, size_t k, const sg_arrow_array_view *v, size_t first, size_t n,
                               double *rows);

#endif
