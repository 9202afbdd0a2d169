/* gradient.h: the gradient of a batch, the same bits for any number of threads.
 *
 * Slices of a batch are summed up in a fixed binary tree; a thread takes whole subtrees, and the order of
 * every addition is the tree's. A leaf is two slices in a row, added up one after the other; more where
 * the model is so large that sums of many leaves would not fit into what memory_plan.h grants them.
 *
 * Of rows that are a team's a member computes the leaves whose range of rows begins with its own, and gets the few
 * rows of the last one that the next member holds. Where a large model leaves but one leaf, its sum goes from member to
 * member, and each adds the slices that begin with its own rows: they take turns, but rows stay where they are. A
 * batch of one slice is computed by every member. */
#ifndef SG_TRAIN_GRADIENT_H
#define SG_TRAIN_GRADIENT_H

#include "base/thread/thread_pool.h"
#include "comm/tree_reduce.h"
#include "kernel/engine.h"
#include "train/batch/batch.h"
#include "train/batch/dropout.h"
#include "train/batch/input_noise.h"
#include "train/batch/row_cache.h"

/* What a thread needs. */
typedef struct sg_gradient_worker {
    sg_engine engine;
    sg_chunk_loader loader; /* the current chunk                 */
    bool loaded;            /* the engine has the parameters of this run */
    size_t *row;            /* (SG_CHUNK): their numbers, where the batch is all rows */
    uint32_t *bits;         /* (blocks, engine.rows, words): of the drop technique */
    sg_drop_mask *keep;     /* (blocks)                          */
    double *out_grad;       /* (outputs, SG_PITCH)               */
    double *level;          /* (levels, length): partial sums on the way down the tree */
} sg_gradient_worker;

typedef struct sg_gradient {
    const sg_model *model;
    sg_row_cache cache;
    const sg_dropout *drop;
    sg_input_noise noise;
    double huber;     /* larger errors count linearly; 0: none does */
    bool sum_outputs; /* the loss is the weighted sum of the first output: no errors are looked at */
    sg_thread_pool *pool;
    size_t length;   /* parameters, then squared errors of each output, then the sum of weights */
    size_t leaves;   /* of the tree, a power of two */
    size_t tasks;    /* subtrees that threads take, one after the other */
    size_t *task;    /* (tasks + 1): their first leaves, and where the last one ends */
    unsigned levels; /* of the largest of them */
    size_t workers;  /* as many as threads, or tasks where there are fewer */
    sg_gradient_worker *worker;
    sg_tree_reduce tree; /* sums of `length` numbers */
    size_t *rank_slice;  /* (ranks + 1): first slices of a team's members, and the number of all; NULL: no team, or all
                       members compute everything */
    size_t *rank_leaf, *rank_pos; /* (ranks + 1): the same in leaves, and in positions of the batch */
    const sg_batch *batch;
    uint32_t iteration;
} sg_gradient;

/* Where members share the batch, no rows are drawn from now on but those that this one needs. */
sg_status sg_gradient_init(sg_gradient *g, const sg_model *m, const sg_source *source, const sg_column_roles *columns,
                           double weight_scale, const sg_dropout *drop, sg_batch *batch, const char *precision,
                           sg_thread_pool *pool);
void sg_gradient_release(sg_gradient *g);
/* The sum over the batch. Nothing is allocated. noise and huber, which are 0, may be set before. */
sg_status sg_gradient_run(sg_gradient *g, uint32_t iteration);

/* Views of the result. */
double *sg_gradient_theta(sg_gradient *g);
const double *sg_gradient_squares(const sg_gradient *g); /* (outputs): sum of w e^2 */
double sg_gradient_weight(const sg_gradient *g);

#endif
