/* additive_train.h: trains additive models (presets additive and additive-pairs). */
#pragma once

#include "train/train_config.h"

/* Chooses curves and pairs by cross-validation within the rows, and fits them by penalised least squares. valid is only
 * evaluated. After a cancellation, the model has the curves and pairs found so far, fitted to the rows that they were
 * chosen on. The result has no support and no intervals. */
sg_status sg_additive_train(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *stop,
                            void *arg, sg_model **out);
