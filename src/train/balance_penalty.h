/* balance_penalty.h: a penalty on rules that fire for too many rows, or for too few (uniform regularisation: Cui, Wu
 * and Huang, 2020):
 *
 *     lambda * sum over rules of (mean normalised firing level over the batch - 1 / rules)^2
 *
 * For a model of one block. */
#ifndef SG_TRAIN_BALANCE_PENALTY_H
#define SG_TRAIN_BALANCE_PENALTY_H

#include "train/gradient.h"

typedef struct sg_balance_penalty {
    double lambda;        /* 0: there is none                                             */
    double loss;          /* of the last run                                              */
    size_t n;             /* parameters before the consequents: those that it depends on  */
    double *grad;         /* (n): of the last run                                         */
    double *saved_conseq; /* the block's consequents, while others stand in for them      */
} sg_balance_penalty;

sg_status sg_balance_penalty_init(sg_balance_penalty *b, const sg_model *m, double lambda);
void sg_balance_penalty_release(sg_balance_penalty *b);
/* Of the batch of g, whose model m is; m is as it was after it. To be called before the run of g for the same batch,
 * of which nothing is left by this one. Collective for rows of a team. Allocates nothing. */
sg_status sg_balance_penalty_run(sg_balance_penalty *b, sg_gradient *g, sg_model *m, uint32_t iteration);
/* Adds its gradient, and returns its part of the loss. */
double sg_balance_penalty_add(const sg_balance_penalty *b, double *grad);

#endif
