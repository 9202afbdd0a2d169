/* ridge_regression.h: ridge regression on the inputs of the consequents, with the penalty that minimises generalised
 * cross-validation. */
#pragma once

#include "train/fit/preprocess.h"

/* Stores intercepts and slopes, (terms + 1, outputs), in transformed units, and the penalty on squared slopes: one of
 * 1e-4, 1e-3.5, ..., 1e4. p->model needs no block. pool may be NULL. Collective if the source is distributed. */
sg_status sg_ridge_fit(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, double *coefficients,
                       double *penalty);
