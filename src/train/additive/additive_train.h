/* additive_train.h: trains additive models (presets additive and additive-pairs). */
#pragma once

#include "train/train_config.h"

/* Chooses curves and pairs by cross-validation within the rows, and fits them by penalised least squares. `valid` is
 * used only to evaluate the model. After a cancellation, the model has the curves and pairs found so far, fitted to the
 * rows on which they were chosen. The result has no support and no intervals. */
sg_status sg_additive_train(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *stop,
                            void *arg, sg_model **out);

/* Fits the consequents of the curves and pairs of `like` to rows with the same columns. Knots and terms are kept. */
sg_status sg_additive_refit(const sg_options *o, const sg_model *like, const sg_source *rows, sg_model **out);
/* Returns the approximate cost of sg_additive_train in nominal nanoseconds (sg_train_step_cost). */
size_t sg_additive_train_cost(size_t rows, size_t inputs);
