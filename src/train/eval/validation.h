/* validation.h: rows that are not trained on choose the best iterate, and when to stop. */
#ifndef SG_TRAIN_EVAL_VALIDATION_H
#define SG_TRAIN_EVAL_VALIDATION_H

#include "base/options.h"
#include "predict/evaluator.h"
#include "predict/feature_encode.h"

typedef struct sg_validation {
    bool active;
    sg_column_roles columns;
    sg_source source;            /* of features                */
    sg_encoded_source *expanded; /* where there are categories */
    size_t rows, incomplete;     /* rows that count, and those without a target, which do not */
    uint64_t fingerprint;
    sg_evaluator evaluator;
    sg_metrics *metrics;   /* (outputs)                                  */
    size_t every;          /* iterations between two looks               */
    size_t patience;       /* 0: without end                             */
    size_t last_iteration; /* iteration of the last look                 */
    size_t best_iteration; /* iteration of the best iterate, 0: none yet */
    double best_rmse;      /* NaN: none yet                              */
    double *theta;         /* of the best iterate                        */
} sg_validation;

/* How often it looks depends on the sizes alone, so that looking costs about as much as training. */
sg_status sg_validation_init(sg_validation *v, const sg_options *o, const sg_model *m, const sg_source *rows,
                             size_t batch, sg_thread_pool *pool);
void sg_validation_release(sg_validation *v);
/* The model, as it is now. */
sg_status sg_validation_score(sg_validation *v, const sg_model *m, double *rmse);
/* Looks, if it is time or `last`, and keeps m's theta if it is the best. *rmse stays as it is
 * where it did not look. */
sg_status sg_validation_run(sg_validation *v, size_t iteration, bool last, const sg_model *m, double *rmse);
/* Patience has run out. Judged where it looked: patience shorter than that is rounded up. */
bool sg_validation_should_stop(const sg_validation *v, size_t iteration);
/* The best iterate: its theta (NULL: none), its iteration (the given one where there is none). */
const double *sg_validation_theta(const sg_validation *v);
size_t sg_validation_best_iteration(const sg_validation *v, size_t iteration);

#endif
