/* effects_fit.h: fits univariate effects (--effects): derived inputs that map the values of a numeric input to the
 * mean residual of ridge regression. */
#ifndef SG_TRAIN_FIT_EFFECTS_FIT_H
#define SG_TRAIN_FIT_EFFECTS_FIT_H

#include "base/thread/thread_pool.h"
#include "prep/encoder.h"
#include "train/fit/preprocess.h"

/* Replaces *encoder, which may be NULL, by one with the effects fitted on all rows, and stores cross-fitted effects for
 * training in *folds. Does nothing if config names no effects. */
sg_status sg_effects_fit(const sg_preprocess_config *config, const sg_source *rows, const sg_column_roles *roles,
                         sg_thread_pool *pool, sg_encoder **encoder, sg_effect_folds **folds);

#endif
