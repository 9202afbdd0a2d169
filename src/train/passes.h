/* passes.h: sums over all training rows as an unfinished model sees them by now: by its view a. Collective for rows of
 * a team. pool may be NULL. */
#ifndef SG_TRAIN_PASSES_H
#define SG_TRAIN_PASSES_H

#include "train/prepare.h"

/* The Gram matrix, its lower triangle; a missing input counts as its mean. There is room for it. */
sg_status sg_pass_gram(const sg_source *s, const sg_prepared *p, sg_pool *pool, double *gram);
/* Moments of so many columns. */
sg_status sg_pass_moments(const sg_source *s, const sg_prepared *p, sg_pool *pool, sg_moments *to);

#endif
