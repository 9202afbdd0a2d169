/* trial.h: one training run of a search, evaluated on validation rows at regular intervals. */
#ifndef SG_AUTO_SEARCH_TRIAL_H
#define SG_AUTO_SEARCH_TRIAL_H

#include "auto/search/search_data.h"
#include "auto/search/search_progress.h"
#include "model/model.h"

typedef struct sg_trial {
    const sg_options *options;
    const sg_source *train, *valid; /* valid may be NULL: no evaluation          */
    size_t max_steps;               /* length of the learning-rate schedule      */
    size_t steps;                   /* steps to run                              */
    size_t eval_points;             /* evaluations within max_steps, besides the one before the first step */
    size_t outputs, features;
    double *predictions; /* (eval_points + 1, valid rows, outputs); NaN after divergence     */
    double **eval_theta; /* (eval_points + 1) copies of θ, freed by the caller; or NULL      */
    sg_model *model;     /* result: the model after the last step with finite parameters     */
    bool diverged;       /* result: training ended early                                     */
} sg_trial;

/* Runs a trial. If there are validation rows, divergence and unusable rows or options are no failure: predictions are
 * NaN. The same holds for what is left to do when the search is cancelled. */
sg_status sg_trial_run(sg_trial *t, sg_search_progress *progress);
/* Returns the untrained model of these options: with initial rules, and consequents by ridge regression. */
sg_status sg_train_initial(const sg_options *o, const sg_source *rows, sg_model **out);
/* Returns the cost of a training step in nominal nanoseconds, by a machine-independent model. */
size_t sg_train_step_cost(size_t batch, size_t rules, size_t inputs, size_t outputs);

#endif
