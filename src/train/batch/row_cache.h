/* row_cache.h: training rows as a gradient needs them: what antecedents and consequents see, targets in their
 * transformed units, weights.
 *
 * They are transformed once and kept, row by row and in whole cache lines for the usual widths, since a
 * batch takes them in any order; where they would need much memory they are read and transformed each
 * time. Both ways give the same bits. */
#ifndef SG_TRAIN_BATCH_ROW_CACHE_H
#define SG_TRAIN_BATCH_ROW_CACHE_H

#include "data/shard/shard_exchange.h"
#include "predict/chunk_loader.h"
#include "predict/column_roles.h"

typedef struct sg_row_cache {
    const sg_model *model;
    const sg_source *source;
    const sg_column_roles *columns;
    double weight_scale;      /* weights are multiplied by this */
    size_t width;             /* numbers of a row: a, z where it is not a, targets, the weight if there is one */
    double *row;              /* (rows that are here, width rounded up to a multiple of 4); NULL: not kept */
    size_t first;             /* the first of these */
    sg_row_exchange exchange; /* where the rows are a team's */
    double *missing_fill;     /* (width of a): what it is for the mean, where kept rows have NaN; NULL: nowhere */
} sg_row_cache;

/* What a thread has taken of them. */
typedef struct sg_row_batch {
    sg_chunk_loader loader;
    double *raw;     /* (SG_CHUNK, columns of the source); NULL: not needed */
    double *ones;    /* (SG_PITCH), where rows have no weights              */
    const double *t; /* (outputs, SG_PITCH): targets                        */
    const double *w; /* (SG_PITCH): weights                                 */
} sg_row_batch;

/* Rows are kept where they take at most `most` bytes and there is memory. */
sg_status sg_row_cache_init(sg_row_cache *k, const sg_model *m, const sg_source *source, const sg_column_roles *columns,
                            double weight_scale, const sg_vector_ops *ops, size_t max_bytes);
void sg_row_cache_release(sg_row_cache *k);

sg_status sg_row_batch_init(sg_row_batch *t, const sg_row_cache *k, const sg_vector_ops *ops);
void sg_row_batch_release(sg_row_batch *t);
/* n <= SG_CHUNK rows of the batch, from position `first` on: t->feed.chunk, t->t, t->w. rows are the numbers of
 * the batch's rows, NULL where it is all rows. Allocates nothing. */
sg_status sg_row_batch_load(sg_row_batch *t, const sg_row_cache *k, const size_t *rows, size_t first, size_t n);

#endif
