/* ridge.h: ridge regression on the inputs of consequents, with the penalty chosen by generalised cross-validation. */
#ifndef SG_TRAIN_FIT_RIDGE_H
#define SG_TRAIN_FIT_RIDGE_H

#include "train/fit/preprocess.h"

/* Stores intercepts and slopes, (terms + 1, outputs), in transformed units, and the penalty on the sum of squares: one
 * of 1e-4, 1e-3.5, ..., 1e4. p->model needs no block. pool may be NULL. Collective if the source is distributed. */
sg_status sg_ridge_fit(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, double *coefficients,
                       double *penalty);

#endif
