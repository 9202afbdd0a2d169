/* row_reduce.h: sums over all transformed training rows: Gram matrices, moments, normal equations.
 *
 * Rows are transformed by the model as it is at the time of the run. All calls are collective if the source is
 * distributed. pool may be NULL. */
#pragma once

#include "rows/chunk_loader.h"
#include "rows/parallel_reduce.h"
#include "train/fit/preprocess.h"

/* Adds l->rows to the sum of a block. `worker` is the number of the thread, which may need buffers of its own. */
typedef void sg_row_sum_fn(void *arg, size_t worker, sg_chunk_loader *l, double *sum);

typedef struct sg_row_reduce {
    const sg_model *model;
    size_t length; /* number of values in a sum */
    sg_row_sum_fn *add;
    void *arg;
    sg_parallel_reduce reduce;
    size_t workers;
    struct sg_row_reduce_worker {
        const struct sg_row_reduce *owner;
        size_t number;
        sg_chunk_loader loader;
        double *sum; /* sum of the current block */
    } * worker;
} sg_row_reduce;

/* Initialises r. merge combines two sums and gets the sg_row_reduce as its argument; if it is NULL, sums are added. */
sg_status sg_row_reduce_init(sg_row_reduce *r, const sg_source *s, const sg_model *m, const sg_preprocessed *p,
                             size_t length, sg_row_sum_fn *add, sg_merge_fn *merge, void *arg, sg_thread_pool *pool);
/* Initialises r for blocks of this many rows, instead of a number that suits `length`. */
sg_status sg_row_reduce_init_blocks(sg_row_reduce *r, const sg_source *s, const sg_model *m, const sg_preprocessed *p,
                                    size_t length, size_t block_rows, sg_row_sum_fn *add, sg_merge_fn *merge, void *arg,
                                    sg_thread_pool *pool);
void sg_row_reduce_release(sg_row_reduce *r);
/* Computes the sum over all rows. *sum points to it and is valid until the next run. Allocates nothing. */
sg_status sg_row_reduce_run(sg_row_reduce *r, const double **sum);

/* Computes the lower triangle of the Gram matrix of the output of pipeline a. Missing inputs count as means. */
sg_status sg_transformed_gram(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, double *gram);
/* Computes the moments of the output of pipeline a. *out must be initialised with the width of that output. */
sg_status sg_transformed_moments(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, sg_moments *out);
