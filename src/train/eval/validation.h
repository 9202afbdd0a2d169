/* validation.h: selects the best iterate and stops training early, by the RMSE on held-out rows. */
#pragma once

#include "predict/metrics_evaluator.h"
#include "rows/feature_source.h"
#include "train/train_config.h"

typedef struct sg_validation {
    bool active;
    sg_feature_source features;
    size_t rows, incomplete; /* complete rows, and rows without a target or weight, which are ignored */
    uint64_t fingerprint;
    sg_evaluator evaluator;
    sg_metrics *metrics;   /* (outputs) */
    size_t every;          /* number of iterations from one evaluation to the next */
    size_t patience;       /* 0: no early stopping */
    size_t last_iteration; /* iteration of the last evaluation */
    size_t best_iteration; /* iteration of the best iterate; 0: none yet */
    double best_rmse;      /* NaN: none yet */
    double *theta;         /* theta of the best iterate */
} sg_validation;

/* The interval between evaluations depends only on the number of validation rows and the batch size. It is chosen so
 * that evaluation costs about as much as training. */
sg_status sg_validation_init(sg_validation *v, const sg_train_config *config, const sg_model *m, const sg_source *rows,
                             size_t batch, sg_thread_pool *pool);
void sg_validation_release(sg_validation *v);
/* Computes the RMSE of the model's current theta on the validation rows. */
sg_status sg_validation_score(sg_validation *v, const sg_model *m, double *rmse);
/* Evaluates the model if the interval has passed or `last` is set, and saves theta if it is the best so far. Without an
 * evaluation, *rmse is unchanged. */
sg_status sg_validation_run(sg_validation *v, size_t iteration, bool last, const sg_model *m, double *rmse);
/* Returns whether patience has run out, which can be true only right after an evaluation. */
bool sg_validation_should_stop(const sg_validation *v, size_t iteration);
/* Returns the iteration of the best iterate, or `iteration` if there is none. */
size_t sg_validation_best_iteration(const sg_validation *v, size_t iteration);
