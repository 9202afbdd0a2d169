/* batch_gradient.h: computes the gradient of a batch, which is bitwise identical for any number of threads and ranks.
 *
 * The slices of a batch are summed in a fixed binary tree. Threads compute whole subtrees, and the tree fixes the order
 * of every addition. A leaf consists of two consecutive slices, or of more if the model is so large that the partial
 * sums of many leaves would exceed the budget of training_memory.h.
 *
 * In distributed training, a rank computes the leaves whose first row it holds, and receives the few rows of its last
 * leaf that the next rank holds. If the model is so large that there is only one leaf, the sum of that leaf goes from
 * rank to rank, and each rank adds the slices whose first row it holds: ranks take turns, but few rows move. A batch of
 * one slice is computed by every rank. */
#pragma once

#include "base/thread/thread_pool.h"
#include "comm/tree_reduce.h"
#include "kernel/model_engine.h"
#include "prep/moments.h"
#include "rows/chunk_loader.h"
#include "train/batch/batch_sampler.h"
#include "train/batch/dropout.h"
#include "train/batch/row_cache.h"

#include <stdint.h>

/* Random noise that is added to the inputs of training rows (--noise). */
typedef struct sg_input_noise {
    uint64_t seed;
    double sigma;              /* in standard deviations; 0: no noise */
    const sg_moments *moments; /* moments of the output of pipeline a */
} sg_input_noise;

/* Adds noise to the n loaded rows, whose row numbers are in `row`. Conditions still ignore missing inputs. */
void sg_input_noise_add(const sg_input_noise *noise, uint32_t iteration, const size_t *row, size_t n,
                        sg_chunk_loader *l);

/* The state of one thread. */
typedef struct sg_gradient_worker {
    sg_engine engine;
    sg_chunk_loader loader; /* the current chunk                 */
    bool has_theta;         /* the engine has the theta of this run */
    size_t *row;            /* (SG_CHUNK): row numbers, if the batch is all rows */
    uint32_t *bits;         /* (blocks, engine.rows, words): dropout masks */
    sg_dropout_bits *keep;  /* (blocks)                          */
    double *out_grad;       /* (outputs, SG_PITCH)               */
    double *level;          /* (levels, length): partial sums of the recursion */
} sg_gradient_worker;

typedef struct sg_gradient {
    const sg_model *model;
    sg_row_cache cache;
    const sg_dropout *drop;
    sg_input_noise noise;
    double huber;     /* larger residuals contribute linearly to the loss; 0: no limit */
    bool sum_outputs; /* the loss is the weighted sum of the first output, for the balance penalty */
    sg_thread_pool *pool;
    size_t length;   /* values in a sum: the gradient, the squared error of each output, and the sum of weights */
    size_t leaves;   /* number of leaves of the tree, a power of two                                            */
    size_t tasks;    /* number of subtrees, which are distributed to threads                                    */
    size_t *task;    /* (tasks + 1): the first leaf of each task, and the end of the last one                   */
    unsigned levels; /* levels of the largest subtree                                                           */
    size_t workers;  /* min(threads, tasks)                                                                     */
    sg_gradient_worker *worker;
    sg_tree_reduce tree; /* sums of the leaves */
    size_t *rank_slice; /* (ranks + 1): the first slice of each rank, and the number of slices; NULL if not distributed,
                           or if all ranks compute the whole batch */
    size_t *rank_leaf, *rank_pos; /* (ranks + 1): the first leaf of each rank, and its first position in the batch */
    const sg_batch *batch;
    uint32_t iteration;
} sg_gradient;

/* If ranks share the batch, restricts it to the rows that this rank needs. All arguments must outlive g. */
sg_status sg_gradient_init(sg_gradient *g, const sg_model *m, const sg_source *source, const sg_column_roles *columns,
                           double weight_scale, const sg_dropout *drop, sg_batch *batch, const char *precision,
                           sg_thread_pool *pool);
void sg_gradient_release(sg_gradient *g);
/* Computes the sums over the batch. g->noise and g->huber may be set before. Allocates nothing. */
sg_status sg_gradient_run(sg_gradient *g, uint32_t iteration);

/* Return parts of the result: the gradient; the sums of w e^2, one for each output; the sum of w. */
double *sg_gradient_theta(sg_gradient *g);
const double *sg_gradient_squares(const sg_gradient *g);
double sg_gradient_weight(const sg_gradient *g);
