/* ridge.h: ridge regression on what consequents see, its strength chosen by the rows themselves. */
#ifndef SG_TRAIN_FIT_RIDGE_H
#define SG_TRAIN_FIT_RIDGE_H

#include "train/fit/preprocess.h"

/* Intercept and slopes, (terms + 1, outputs), in transformed units, as a block has them. The strength is the one of
 * 1e-4, 1e-3.5, ..., 1e4 with the least generalised cross-validation: *strength, on the sum of squares. p->model needs
 * no block. pool may be NULL. Collective for rows of a team. */
sg_status sg_ridge_fit(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, double *coefficients,
                       double *strength);

#endif
