/* row_cache.h: training rows as the gradient needs them: inputs of antecedents and consequents, targets and weights,
 * all transformed.
 *
 * Rows are transformed once and cached row by row, since batches pick them in any order; for the usual widths a row is
 * a whole number of cache lines. If the rows need too much memory, they are read and transformed again for every batch.
 * Both ways give bitwise identical results. */
#pragma once

#include "data/distributed/batch_row_exchange.h"
#include "rows/chunk_loader.h"

typedef struct sg_row_cache {
    const sg_model *model;
    const sg_source *source;
    const sg_column_roles *columns;
    double weight_scale;      /* factor by which row weights are multiplied */
    size_t width;             /* values per row: a, z unless shared, targets, and the weight if rows are weighted */
    double *row;              /* (local rows, width rounded up to a multiple of 4); NULL: not cached */
    size_t first;             /* the first local row */
    sg_row_exchange exchange; /* used only if the source is distributed */
    double *missing_fill;     /* (width of a): transformed means, if cached rows contain NaN; else NULL */
} sg_row_cache;

/* Caches the rows if they take at most max_bytes. The model, source and columns must outlive the cache. */
sg_status sg_row_cache_init(sg_row_cache *k, const sg_model *m, const sg_source *source, const sg_column_roles *columns,
                            double weight_scale, const sg_vector_ops *ops, size_t max_bytes);
void sg_row_cache_release(sg_row_cache *k);

/* Opens a loader for sg_row_cache_load; each thread needs its own. */
sg_status sg_row_cache_open_loader(const sg_row_cache *k, const sg_vector_ops *ops, sg_chunk_loader *l);
/* Loads n <= SG_CHUNK rows of the batch, with targets and weights, starting at position `first`. rows: the row numbers
 * of the batch, or NULL if the batch is all rows. Allocates nothing. */
sg_status sg_row_cache_load(const sg_row_cache *k, const size_t *rows, size_t first, size_t n, sg_chunk_loader *l);
