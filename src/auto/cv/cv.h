/* cv.h: cross-validation beside rows that choose iterates. */
#ifndef SG_AUTO_CV_CV_H
#define SG_AUTO_CV_CV_H

#include "train/eval/calibrate.h"

/* As sg_cross_validate. valid is handed to each training, errors (folds) are those of the rows that a fold left out,
 * also of folds that were stopped: to be freed. Both may be NULL. */
sg_status sg_cross_validate_with_valid(const sg_options *o, const sg_source *rows, const sg_source *valid,
                                       const sg_cv_options *how, sg_residuals *errors, sg_metrics *metrics,
                                       size_t *finished);
/* As sg_train, without what tells how sure the model is, but for what a search knows of that. */
sg_status sg_train_uncalibrated(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *stop,
                                void *arg, sg_model **out);

#endif
