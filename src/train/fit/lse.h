/* lse.h: fits all consequents at once by regularised least squares over all training rows. */
#pragma once

#include "model/reference_forward_backward.h"
#include "train/fit/row_reduce.h"

typedef struct sg_lse {
    sg_model *model;
    const sg_preprocessed *prepared;
    size_t n;       /* number of consequents per output */
    bool mean_loss; /* the loss is a mean over rows */
    double l2;
    sg_row_reduce reduce; /* sums: the Gram matrix (n, n), then phi times targets (n, outputs) */
    size_t workers;
    struct sg_lse_worker {
        sg_block_workspace work;
        double *phi; /* (SG_LOADER_ROWS, n): regressors */
    } * worker;
    double *factor;   /* (n, n)       */
    double *solution; /* (n, outputs) */
} sg_lse;

/* The model must have one block. pool may be NULL. Collective if the source is distributed, as is sg_lse_solve. */
sg_status sg_lse_init(sg_lse *l, sg_model *m, const sg_preprocessed *p, const sg_source *source, double l2,
                      bool mean_loss, sg_thread_pool *pool);
void sg_lse_release(sg_lse *l);
/* Solves for the block's consequents. If that fails, keeps them and returns SG_EDIVERGED. Allocates nothing. */
sg_status sg_lse_solve(sg_lse *l);
/* Returns the penalty's part of the loss for the current consequents. */
double sg_lse_penalty(const sg_lse *l);
