/* candidate.h: a set of hyperparameters, or a tree ensemble, its trials and its out-of-fold predictions. */
#pragma once

#include "auto/search/search_config.h"
#include "auto/trees/tree_ensemble.h"
#include "base/thread/thread_pool.h"

typedef struct sg_candidate {
    sg_hyperparams hyperparams;
    sg_options *options;
    const sg_tree_config *tree_config; /* NULL: rules                                                   */
    const char *extra_options[2];      /* names of options set besides the hyperparameters, or NULL     */
    size_t max_steps, eval_points, folds;
    double *oof_predictions;       /* (eval_points + 1, rows of the search data, outputs): out-of-fold      */
    double *valid_curve;           /* (eval_points + 1): error over all folds, in variances of the target   */
    size_t best_eval;              /* the evaluation point with the smallest error                          */
    double error;                  /* its error; INFINITY: the candidate is unusable                        */
    double **eval_theta;           /* (folds, eval_points + 1), or NULL                                     */
    sg_model **fold_model;         /* (folds): of rules                                                     */
    sg_tree_ensemble **fold_trees; /* (folds): of trees                                                     */
} sg_candidate;

sg_status sg_candidate_init(sg_candidate *c, const sg_search_space *space, const sg_hyperparams *h);
void sg_candidate_release(sg_candidate *c);

/* Trains and evaluates each candidate on the first `folds` folds. */
typedef struct sg_trial_batch {
    const sg_search_data *data;
    sg_candidate *candidate;
    size_t count, folds, max_steps, eval_points;
    bool keep_theta;                  /* at all evaluation points */
    const sg_memory_table *fold_rows; /* (folds): training rows; NULL: those of the folds */
    sg_search_progress *progress;
} sg_trial_batch;
sg_status sg_trial_batch_run(sg_trial_batch *batch, sg_thread_pool *pool);

/* The out-of-fold prediction (outputs) of a row at an evaluation point. */
static inline const double *sg_candidate_prediction(const sg_candidate *c, const sg_search_data *data, size_t eval,
                                                    size_t row)
{
    return c->oof_predictions + (eval * data->rows + row) * data->outputs;
}

/* Sums the weighted squared errors, in variances, of the folds [first, last), and adds their row weights to *weight. */
double sg_candidate_squared_error(const sg_candidate *c, const sg_search_data *data, size_t first, size_t last,
                                  size_t eval, double *weight);
/* The mean of that. */
double sg_candidate_fold_error(const sg_candidate *c, const sg_search_data *data, size_t first, size_t last,
                               size_t eval);
/* Fills error (folds, eval_points + 1) with the squared errors, and weight (folds) with the row weights of each fold.
 */
void sg_candidate_error_table(const sg_candidate *c, const sg_search_data *data, double *error, double *weight);
/* Returns the best evaluation point on all folds but one, by that table; c->best_eval if there is only one fold. */
size_t sg_candidate_best_eval_excluding(const sg_candidate *c, size_t fold, const double *error);
/* Returns the error at the best evaluation point on the first `folds` folds. */
double sg_candidate_error(const sg_candidate *c, const sg_search_data *data, size_t folds);

/* Returns the number of steps, or trees, at the best evaluation point. */
size_t sg_candidate_best_steps(const sg_candidate *c);
/* The names of the inputs with effects, or "". */
const char *sg_candidate_effects(const sg_candidate *c);
/* Copies the model of a fold at the best evaluation point. Rules only; θ must have been kept. */
sg_status sg_candidate_fold_model(const sg_candidate *c, size_t fold, sg_model **out);
/* Trains rules on other rows for the best number of steps. */
sg_status sg_candidate_refit(const sg_candidate *c, const sg_search_data *data, const sg_source *rows, uint64_t seed,
                             sg_search_progress *progress, sg_model **out);

/* Returns the untrained model of these options: with initial rules, and consequents by ridge regression. */
sg_status sg_train_initial(const sg_options *o, const sg_source *rows, sg_model **out);
/* Returns the cost of a training step in nominal nanoseconds, by a machine-independent model. */
size_t sg_train_step_cost(size_t batch, size_t rules, size_t inputs, size_t outputs);
