/* candidate.h: the systems that a search tries (rules with certain hyperparameters, tree ensembles, curves and pairs),
 * with their out-of-fold predictions. */
#pragma once

#include "auto/search/search_options.h"
#include "auto/trees/tree_ensemble.h"
#include "base/thread/thread_pool.h"

typedef enum sg_candidate_kind { SG_CANDIDATE_RULES, SG_CANDIDATE_TREES, SG_CANDIDATE_ADDITIVE } sg_candidate_kind;

typedef struct sg_candidate sg_candidate;
struct sg_candidate {
    sg_candidate_kind kind;
    sg_hyperparams hyperparams; /* rules only */
    sg_options *options;
    const sg_tree_config *tree_config; /* trees only                                                            */
    const sg_candidate *structure;     /* additive only: candidate whose curves and pairs are refitted, or NULL */
    const sg_candidate *base;     /* additive candidate whose predictions are added to those of the rules, or NULL */
    const char *extra_options[2]; /* names of options set in addition to the hyperparameters, or NULL */
    size_t max_steps, eval_points, folds;
    double *oof_predictions;       /* (eval_points + 1, rows of the search data, outputs)                        */
    double *valid_curve;           /* (eval_points + 1): error over all folds, relative to the target's variance */
    size_t best_eval;              /* the evaluation point with the smallest error                               */
    double error;                  /* the error at best_eval, or INFINITY if the candidate is unusable           */
    double **eval_theta;           /* (folds, eval_points + 1): copies of θ, or NULL                             */
    sg_model **fold_model;         /* (folds): models with rules or curves, without those of the base            */
    sg_tree_ensemble **fold_trees; /* (folds): tree ensembles                                                    */
    sg_model *all_rows_model;      /* curves and pairs of all rows of the search; NULL for other kinds           */
};

sg_status sg_candidate_init(sg_candidate *c, const sg_search_space *space, const sg_hyperparams *h);
void sg_candidate_release(sg_candidate *c);

/* A batch of candidates, each of which is trained and evaluated on the first `folds` folds. */
typedef struct sg_trial_batch {
    const sg_search_data *data;
    sg_candidate *candidate;
    size_t count, folds, max_steps, eval_points;
    bool keep_theta;                  /* keep θ of all evaluation points */
    const sg_memory_table *fold_rows; /* (folds): training rows, or NULL for those of the folds. If a candidate has a
                                         base, their targets are the residuals of the base. */
    sg_search_progress *progress;
} sg_trial_batch;
sg_status sg_trial_batch_run(sg_trial_batch *batch, sg_thread_pool *pool);

/* Returns the out-of-fold predictions (outputs) for a row at an evaluation point. */
static inline const double *sg_candidate_prediction(const sg_candidate *c, const sg_search_data *data, size_t eval,
                                                    size_t row)
{
    return c->oof_predictions + (eval * data->rows + row) * data->outputs;
}

/* Returns the sum of the weighted squared errors over folds [first, last), relative to the variances of the targets.
 * Adds the weights of the rows to *weight. */
double sg_candidate_squared_error(const sg_candidate *c, const sg_search_data *data, size_t first, size_t last,
                                  size_t eval, double *weight);
/* Returns the weighted mean of these squared errors over rows and outputs. */
double sg_candidate_fold_error(const sg_candidate *c, const sg_search_data *data, size_t first, size_t last,
                               size_t eval);
/* Writes the squared errors to error (folds, eval_points + 1), and the row weights of each fold to weight (folds). */
void sg_candidate_error_table(const sg_candidate *c, const sg_search_data *data, double *error, double *weight);
/* Returns the best evaluation point on all folds except `fold`, according to that table of errors, or c->best_eval if
 * there is only one fold. */
size_t sg_candidate_best_eval_excluding(const sg_candidate *c, size_t fold, const double *error);
/* Returns the error on the first `folds` folds at the best evaluation point. */
double sg_candidate_error(const sg_candidate *c, const sg_search_data *data, size_t folds);

/* Returns the number of steps, or trees, at the best evaluation point. */
size_t sg_candidate_best_steps(const sg_candidate *c);
/* Returns the names of the inputs with effects, or "". */
const char *sg_candidate_effects(const sg_candidate *c);
/* Copies the model of a fold at the best evaluation point. The candidate must be additive, or it must have rules and θ
 * must have been kept. */
sg_status sg_candidate_fold_model(const sg_candidate *c, size_t fold, sg_model **out);
/* Trains a candidate on other rows: its rules for the best number of steps, or its curves and pairs. */
sg_status sg_candidate_refit(const sg_candidate *c, const sg_search_data *data, const sg_source *rows, uint64_t seed,
                             sg_search_progress *progress, sg_model **out);

/* Creates an untrained model with these options: it has the initial rules, with consequents from ridge regression. */
sg_status sg_train_initial(const sg_options *o, const sg_source *rows, sg_model **out);
/* Returns the cost of a training step in nominal nanoseconds, estimated by a machine-independent formula. */
size_t sg_train_step_cost(size_t batch, size_t rules, size_t inputs, size_t outputs);
