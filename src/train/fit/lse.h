/* lse.h: all consequents at once, by regularised least squares over all training rows. */
#ifndef SG_TRAIN_FIT_LSE_H
#define SG_TRAIN_FIT_LSE_H

#include "model/inference.h"
#include "predict/parallel_reduce.h"
#include "predict/transformed_rows.h"
#include "train/fit/preprocess.h"

/* What a thread needs. */
typedef struct sg_lse_worker {
    const struct sg_lse *lse;
    sg_transformed_rows chunk;
    sg_block_workspace work;
    double *phi;  /* (chunk, n)               */
    double *gram; /* the block's sum, at hand */
} sg_lse_worker;

typedef struct sg_lse {
    sg_model *model;
    const sg_preprocessed *prepared;
    size_t n;       /* consequents of one output */
    bool mean_loss; /* the loss is a mean        */
    double l2;
    sg_parallel_reduce reduce; /* sums: the Gram matrix (n, n), then phi times targets (n, outputs) */
    size_t workers;
    sg_lse_worker *worker;
    double *factor;   /* (n, n)       */
    double *solution; /* (n, outputs) */
} sg_lse;

/* For models of one block. pool may be NULL. Collective for rows of a team, like solve. */
sg_status sg_lse_init(sg_lse *l, sg_model *m, const sg_preprocessed *p, const sg_source *source, double l2, bool mean,
                      sg_thread_pool *pool);
void sg_lse_release(sg_lse *l);
/* Sets the block's consequents. Allocates nothing. */
sg_status sg_lse_solve(sg_lse *l);
/* What the penalty adds to the loss at the block's consequents. */
double sg_lse_penalty(const sg_lse *l);

#endif
