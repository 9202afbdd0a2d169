/* ranks.h: knots of quantiles (prep/quantile.h) from a sample of the training rows. */
#ifndef SG_TRAIN_RANKS_H
#define SG_TRAIN_RANKS_H

#include "train/prepare.h"

/* Appends the step to what conditions see. raw: of all rows. Collective for rows of a team. */
sg_status sg_ranks_fit(const sg_source *s, const sg_moments *raw, sg_prepared *p);

#endif
