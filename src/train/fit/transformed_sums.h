/* transformed_sums.h: sums over all training rows as an unfinished model sees them by now: by its view a. Collective
 * for rows of a team. pool may be NULL. */
#ifndef SG_TRAIN_FIT_TRANSFORMED_SUMS_H
#define SG_TRAIN_FIT_TRANSFORMED_SUMS_H

#include "train/fit/preprocess.h"

/* The Gram matrix, its lower triangle; a missing input counts as its mean. There is room for it. */
sg_status sg_transformed_gram(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, double *gram);
/* Moments of so many columns. */
sg_status sg_transformed_moments(const sg_source *s, const sg_preprocessed *p, sg_thread_pool *pool, sg_moments *to);

#endif
