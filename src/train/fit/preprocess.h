/* preprocess.h: prepares training: selects rows, encodes categories, fits the transforms of inputs and targets, and
 * creates a model that has no rules yet. */
#pragma once

#include "base/thread/thread_pool.h"
#include "data/source/encoded_source.h"
#include "model/model.h"
#include "prep/encoder.h"
#include "rows/column_stats.h"

typedef struct sg_preprocess_config sg_preprocess_config;
struct sg_train_config;

typedef struct sg_preprocessed {
    sg_model *model;            /* has pipelines and a target transform, but no blocks yet */
    sg_column_roles columns;    /* roles of the columns, without constant inputs */
    sg_moments moments;         /* moments of the output of pipeline a */
    double weight_scale;        /* scales positive weights to a mean of 1 */
    size_t rows;                /* number of rows with a positive weight */
    double *target_sigma;       /* (outputs): standard deviations of the targets in original units */
    double pooled_target_sigma; /* root mean square of target_sigma */
    double *ridge;              /* (terms + 1, outputs): initial consequents; NULL: all are 0 */
    uint64_t fingerprint;       /* hash of the data */
} sg_preprocessed;

/* The rows of a training run. */
typedef struct sg_training_set {
    sg_source rows;            /* rows to train on, in original units */
    sg_subset *holdout, *rest; /* with --valid-fraction; otherwise NULL */
    sg_subset *usable;         /* if some rows lack a target or have weight 0; otherwise NULL */
    sg_encoder *encoder;       /* encodes categories and effects; NULL if there are none */
    sg_effect_folds *folds;    /* cross-fitted effects, or NULL */
    sg_encoded_source *encoded;
    size_t group; /* the column of --group in the features of an additive model, or SG_NO_COLUMN */
} sg_training_set;

/* Selects the rows of `train` that can be trained on, sets aside a holdout if use_holdout is set, and fits the
 * transforms. *features provides the training rows as features and is valid until the set is released. `train` must
 * outlive the set. Collective if the source is distributed. */
sg_status sg_training_set_init(sg_training_set *c, const struct sg_train_config *config, const sg_source *train,
                               bool use_holdout, sg_source *features, sg_preprocessed *out);
void sg_training_set_release(sg_training_set *c);

/* Fits the transforms on all rows of s, which must be complete and in original units. pool may be NULL. */
sg_status sg_preprocess_fit_raw(const sg_options *o, const sg_source *s, sg_thread_pool *pool, sg_preprocessed *out);
/* Fits the transforms on the rows of s, which are features with these roles and statistics. encoder is the one that
 * made the features, or NULL. pool may be NULL. Collective if the source is distributed. */
sg_status sg_preprocess_fit(const sg_preprocess_config *config, const sg_source *s, const sg_column_roles *roles,
                            const sg_encoder *encoder, const sg_column_stats *stats, sg_thread_pool *pool,
                            sg_preprocessed *out);
void sg_preprocessed_release(sg_preprocessed *p);
/* Sets the standard deviations of the targets. raw: moments of all columns. */
sg_status sg_preprocessed_set_target_stats(sg_preprocessed *p, const sg_moments *raw);

/* transform_fit.c: fits the pipelines of p->model, which must be empty (clamp, z-score, quantile transform, PCA), and
 * computes p->moments, the moments of the output of pipeline a. raw: moments of all columns of s. pool may be NULL.
 * Collective if the source is distributed. */
sg_status sg_transform_fit(const sg_preprocess_config *config, const sg_source *s, const sg_moments *raw,
                           sg_thread_pool *pool, sg_preprocessed *p);

/* numeric_effect_fit.c: univariate effects (--effects) are derived inputs that map the values of a numeric input to the
 * mean residual of ridge regression. Replaces *encoder, which may be NULL, with one that adds the effects fitted on all
 * rows, and stores cross-fitted effects for training in *folds. Does nothing if config names no effects. */
sg_status sg_effects_fit(const sg_preprocess_config *config, const sg_source *rows, const sg_column_roles *roles,
                         sg_thread_pool *pool, sg_encoder **encoder, sg_effect_folds **folds);
