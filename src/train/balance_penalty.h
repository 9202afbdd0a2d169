/* balance_penalty.h: a penalty on rules that fire more or less often than others (uniform regularisation: Cui, Wu and
 * Huang, 2020):
 *
 *     lambda * sum over rules of (mean normalised firing level over the batch - 1 / rules)^2
 *
 * The model must have one block. */
#pragma once

#include "train/batch_gradient.h"

typedef struct sg_balance_penalty {
    double lambda;        /* 0: no penalty */
    double loss;          /* the penalty in the last run */
    size_t n;             /* number of parameters before the consequents; only these affect the penalty */
    double *grad;         /* (n): gradient of the penalty in the last run */
    double *saved_conseq; /* the block's consequents during a run */
} sg_balance_penalty;

sg_status sg_balance_penalty_init(sg_balance_penalty *b, const sg_model *m, double lambda);
void sg_balance_penalty_release(sg_balance_penalty *b);
/* Computes the penalty for the batch of g. m must be the model of g; it is changed temporarily. Overwrites the result
 * of g, so sg_gradient_run must be called afterwards. Collective if the source is distributed. Allocates nothing. */
sg_status sg_balance_penalty_run(sg_balance_penalty *b, sg_gradient *g, sg_model *m, uint32_t iteration);
/* Adds the gradient of the penalty to grad. Returns the penalty's part of the loss. */
double sg_balance_penalty_add(const sg_balance_penalty *b, double *grad);
