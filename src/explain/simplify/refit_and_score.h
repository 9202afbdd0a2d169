/* refit_and_score.h: a sample of rows in memory, split into rows that refit the consequents by ridge regression and
 * held-out rows that score the result. */
#pragma once

#include "model/reference_eval.h"

typedef struct sg_refit_data {
    const sg_model *model;     /* a model of one block                                                 */
    size_t rows, holdout_rows; /* number of all rows, and of the held-out rows among them              */
    double *buffer;            /* holds a, z, targets, original and variance                           */
    double *a, *z, *targets;   /* (rows, ...): inputs of conditions and of consequents, scaled targets */
    double *original;          /* (rows, outputs): predictions of the model, scaled like the targets   */
    bool *is_probe;            /* (rows): half of the held-out rows, which fine-tuning does not use    */
    bool *is_holdout;          /* (rows)                                                               */
    double *variance;          /* (columns of z)                                                       */
} sg_refit_data;

/* Reads the rows of s, or max_rows evenly spaced rows if there are more, and drops rows in which a target is missing.
 * The seed selects the third of the rows that is held out. The model must outlive *f. */
sg_status sg_refit_data_init(sg_refit_data *f, const sg_model *m, const sg_source *s, uint64_t seed, size_t max_rows);
void sg_refit_data_release(sg_refit_data *f);

/* Computes the RMSE on the held-out rows over all outputs, in target units. m must have the pipelines of f->model. */
sg_status sg_refit_data_holdout_rmse(const sg_refit_data *f, const sg_model *m, double *rmse);
/* Computes the root mean square of the difference between the predictions of m and of f->model on the probe rows, in
 * target units. */
sg_status sg_refit_data_probe_distance(const sg_refit_data *f, const sg_model *m, double *distance);
/* Computes out[rules]: the squared change of the scaled predictions if a rule is removed, summed over the rows that are
 * not held out and divided by the number of all rows. */
sg_status sg_refit_data_rule_importance(const sg_refit_data *f, const sg_model *m, double *out);
/* Refits the consequents of m, shrunk towards their present values. If *penalty is 0, fits them to the rows that are
 * not held out and sets *penalty to the penalty with the smallest held-out RMSE, and *rmse to this RMSE. Otherwise fits
 * them to all rows with the given penalty. */
sg_status sg_refit_data_fit_consequents(const sg_refit_data *f, sg_model *m, double *penalty, double *rmse);
