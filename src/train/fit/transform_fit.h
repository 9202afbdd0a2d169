/* transform_fit.h: fits the transforms of the inputs: clamp, z-score, quantile transform, PCA. */
#ifndef SG_TRAIN_FIT_TRANSFORM_FIT_H
#define SG_TRAIN_FIT_TRANSFORM_FIT_H

#include "train/fit/preprocess.h"

/* Fits the pipelines of p->model, which are empty, and the moments p->moments of its view a. raw: moments of all
 * columns of s. pool may be NULL. Collective if the source is distributed. */
sg_status sg_transform_fit(const sg_preprocess_config *config, const sg_source *s, const sg_moments *raw,
                           sg_thread_pool *pool, sg_preprocessed *p);

#endif
