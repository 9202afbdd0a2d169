/* quantile_fit.h: knots of quantiles (prep/quantile_transform.h) from a sample of the training rows. */
#ifndef SG_TRAIN_FIT_QUANTILE_FIT_H
#define SG_TRAIN_FIT_QUANTILE_FIT_H

#include "train/fit/preprocess.h"

/* Appends the step to what conditions see. raw: of all rows. Collective for rows of a team. */
sg_status sg_fit_quantile_knots(const sg_source *s, const sg_moments *raw, sg_preprocessed *p);

#endif
