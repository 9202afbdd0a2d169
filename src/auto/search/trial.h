/* trial.h: one training on one part of the ground, looked at now and then. */
#ifndef SG_AUTO_SEARCH_TRIAL_H
#define SG_AUTO_SEARCH_TRIAL_H

#include "auto/search/search_data.h"
#include "auto/search/search_progress.h"
#include "model/model.h"

typedef struct sg_trial {
    const sg_options *options;
    const sg_source *train, *valid; /* valid may be NULL: nobody looks */
    size_t max_steps;               /* steps that its schedule is made for       */
    size_t steps;                   /* steps that are made                       */
    size_t eval_points;             /* while `length` steps are made, besides the one before the first */
    size_t outputs, features;
    double *predictions; /* (looks + 1, valid rows, outputs), NaN after it diverged */
    double **eval_theta; /* (looks + 1) copies of parameters, to be freed; NULL: not wanted */
    sg_model *model;     /* after the last step                       */
    bool diverged;       /* ... that was finite                       */
} sg_trial;

/* Where somebody looks, divergence and rows or options that can't be had are no failure: see y. Stopped: all that is
 * left of y is NaN. */
sg_status sg_trial_run(sg_trial *t, sg_search_progress *w);
/* The user's options for ridge regression: one rule without conditions. *out is the caller's also on failure. */
sg_status sg_ridge_options(const sg_options *o, sg_options **out);
/* What a step costs, in nanoseconds of a machine that is none: for plans and progress. */
size_t sg_train_step_cost(size_t batch, size_t rules, size_t inputs, size_t outputs);

#endif
