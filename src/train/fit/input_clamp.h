/* input_clamp.h: inputs beyond the training rows, or in their tails, count as the last that is not. */
#ifndef SG_TRAIN_FIT_INPUT_CLAMP_H
#define SG_TRAIN_FIT_INPUT_CLAMP_H

#include "base/options.h"
#include "train/fit/preprocess.h"

/* By the option limit: the first step of the view a of p's model, which has none yet. Where that changes training rows,
 * `limited` becomes raw with the inputs' moments after it, and the model's means, too; it is to be released. Collective
 * for rows of a team. */
sg_status sg_input_clamp_fit(const sg_options *o, const sg_source *s, const sg_moments *raw, sg_thread_pool *pool,
                             sg_preprocessed *p, sg_moments *limited);

#endif
