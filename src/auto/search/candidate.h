/* candidate.h: a setting, and how it does on rows that it was not trained on. */
#ifndef SG_AUTO_SEARCH_CANDIDATE_H
#define SG_AUTO_SEARCH_CANDIDATE_H

#include "auto/boost/tree_ensemble.h"
#include "auto/search/hyperparams.h"
#include "auto/search/trial.h"
#include "base/thread/thread_pool.h"

typedef struct sg_candidate {
    sg_hyperparams hyperparams;
    sg_options *options;
    const sg_tree_config *tree_config; /* grown in place of rules, or NULL */
    const char *extra_options[2];      /* names of options that it has besides the setting's, or NULL */
    size_t max_steps, eval_points, folds;
    double *oof_predictions;       /* (looks + 1, rows of the ground, outputs): predictions for rows left out */
    double *valid_curve;           /* (looks + 1): mean squared error in units of the variance, all parts together */
    size_t best_eval;              /* the look with the smallest                 */
    double error;                  /* INFINITY: it can't be used                 */
    double **eval_theta;           /* (parts, looks + 1), and                    */
    sg_model **fold_model;         /* (parts): models that the parts trained     */
    sg_tree_ensemble **fold_trees; /* (parts): or these                          */
} sg_candidate;

/* Trees, on inputs as the user's options have them. */
sg_status sg_candidate_init_trees(sg_candidate *c, const sg_options *user, const sg_tree_config *trees);
/* The same as another, of which nothing is known yet. */
sg_status sg_candidate_clone(const sg_candidate *of, sg_candidate *c);
sg_status sg_candidate_init(sg_candidate *c, const sg_search_space *choices, const sg_hyperparams *s);
void sg_candidate_release(sg_candidate *c);
/* What was found out about it is forgotten. */
void sg_candidate_reset(sg_candidate *c);

/* Where a part's training rows come from, if not from the part itself. */
typedef sg_status sg_fold_rows_fn(void *arg, size_t part, const sg_source **train);

/* Trains each on the first `parts` parts of the ground. */
typedef struct sg_trial_batch {
    const sg_search_data *data;
    sg_candidate *candidate;
    size_t count, folds, max_steps, eval_points;
    bool keep_models;           /* models of the parts */
    sg_fold_rows_fn *fold_rows; /* or NULL */
    void *arg;
    sg_search_progress *progress;
} sg_trial_batch;
sg_status sg_trial_batch_run(sg_trial_batch *r, sg_thread_pool *pool);
/* Error of the candidate's best look on the first `parts` parts. */
double sg_candidate_error(const sg_candidate *c, const sg_search_data *g, size_t parts);
/* Error of a look on the parts [first, last). */
double sg_candidate_fold_error(const sg_candidate *c, const sg_search_data *g, size_t first, size_t last, size_t look);

/* Steps, or trees, until the best look. */
size_t sg_candidate_best_steps(const sg_candidate *c);
/* The model of a part at the best look; a copy. Of rules. */
sg_status sg_candidate_fold_model(const sg_candidate *c, size_t part, sg_model **out);
/* Trained on other rows, as long as is best. */
sg_status sg_candidate_refit(const sg_candidate *c, const sg_search_data *g, const sg_source *rows, uint64_t seed,
                             sg_search_progress *w, sg_model **out);

#endif
