/* search.h: the state of a hyperparameter search and its stages, in the order in which they run. Each section names the
 * file that defines it. */
#pragma once

#include "auto/ensemble/ensemble.h"
#include "auto/search/search_data.h"
#include "base/thread/thread_pool.h"
#include "train/fit/preprocess.h"

enum {
    SG_MAX_FINALISTS = 8,
    SG_GBDT_CONFIGS = 3,
    SG_TREE_ENSEMBLE_CONFIGS = 3,
    SG_MAX_CANDIDATES = SG_MAX_FINALISTS + SG_GBDT_CONFIGS + SG_TREE_ENSEMBLE_CONFIGS + 6,
    SG_MAX_STUDENTS = 9,
    SG_STUDENT_EVAL_POINTS = 4,
    SG_MAX_SYSTEMS = SG_MAX_STUDENTS + 4,
    SG_LOW_RANK_MIN_ROWS = 5000 /* low-rank rules are tried if there are more rows */
};

/* The amount of work that a search does. */
typedef struct sg_search_plan {
    size_t screen_candidates, screen_folds, screen_steps; /* first round  */
    size_t finalists, folds, final_steps;                 /* second round */
    size_t eval_points;           /* evaluations of a finalist; half as many in the first round               */
    size_t gbdt_configs;          /* number of boosted tree ensembles                                         */
    size_t tree_ensemble_configs; /* number of other tree ensembles, for the preset auto-ensemble             */
    size_t teacher_seeds;         /* number of trainings of each member of a teacher                          */
    size_t distill_steps;         /* training steps of students; 0: no distillation                           */
    size_t ensemble_seeds;        /* number of trainings of each member of the final ensemble; 0: no ensemble */
} sg_search_plan;

/* The decision whether to clamp inputs to the range of the training rows (--limit range). */
typedef struct sg_clamp_choice {
    double unclamped_error, clamped_error; /* out-of-fold errors of the best rules; 0: not tried */
    bool chosen;
} sg_clamp_choice;

typedef struct sg_search {
    const sg_options *user;
    sg_search_plan plan;
    sg_search_space space;
    sg_search_data data;
    sg_search_progress progress;
    sg_thread_pool *pool;
    sg_candidate *screened; /* (screen_candidates): candidates of the first round */
    sg_candidate finalist[SG_MAX_CANDIDATES];
    size_t finalists;                          /* number of finalists: rules, curves and trees     */
    size_t best_rules;                         /* index of the best finalist with rules            */
    size_t curves, pairs;                      /* indices of curves without and with pairs, or SIZE_MAX */
    double ensemble_weight[SG_MAX_CANDIDATES]; /* weight of each finalist, or 0                    */
    double ensemble_error;                     /* out-of-fold error of the ensemble                */
    sg_clamp_choice clamp;
    double duplicate_rules_error; /* error with rules for duplicate rows, or INFINITY */
    sg_candidate student[SG_MAX_STUDENTS];
    size_t students;
} sg_search;

/* Prepares a search. `user` and `rows` must outlive it, and all rows must be usable. The caller must then make
 * plan.folds folds with sg_search_data_split. */
sg_status sg_search_init(sg_search *s, const sg_options *user, const sg_source *rows, sg_cancel_fn *stop, void *arg);
void sg_search_release(sg_search *s);

/* --- search_plan.c --- */

/* Sets s->plan to the default for the number of rows, or to the first smaller plan that fits into the budget. */
void sg_search_choose_plan(sg_search *s);
/* Returns the estimated cost of the plan in nominal nanoseconds. */
double sg_search_cost(const sg_search *s);
/* Returns the configuration of tree ensemble i. i must be less than plan.gbdt_configs + plan.tree_ensemble_configs. */
const sg_tree_config *sg_search_tree_config(const sg_search *s, size_t i);
/* Returns whether one model can hold rules and trees. This requires that the rules own their MFs, that the number of
 * rules is not limited, and that all members are trained on the same rows and see the same scaled components. */
bool sg_search_can_combine_trees(const sg_search *s);

/* --- search.c --- */

/* Screens many candidates briefly, then cross-validates the best ones, and selects an ensemble. If the search is
 * cancelled, best_rules is the best finalist so far; its error may be INFINITY. */
sg_status sg_search_run(sg_search *s);

/* --- choose_input_clamp.c --- */

/* Compares the best rules with and without clamping, which takes no further training, and sets s->clamp. If clamping is
 * chosen, sets it in the options of all finalists and in `user`, the options of the search, so that a student or ridge
 * regression uses it too. */
sg_status sg_search_choose_clamp(sg_search *s, sg_options *user);

/* Returns the out-of-fold error of the best rules, with clamping if it was chosen. */
double sg_search_best_rules_error(const sg_search *s);

/* --- distill.c: trains students, which are easier to read, on the predictions of the ensemble, the teacher --- */

/* Cross-validates students of the selected ensemble on all folds, if the plan has any: curves, curves and pairs, both
 * of these with rules for their residuals, and rules alone. Neither they nor their teachers have seen the held-out
 * rows. */
sg_status sg_distill_try(sg_search *s);
/* Trains a teacher on all rows, and then the final student for the best number of steps. */
sg_status sg_distill_train(sg_search *s, const sg_candidate *student, sg_model **out);

/* --- search_frontier.c: the systems that a search can choose from, and its choice --- */

/* A system that may become the model. */
typedef struct sg_system {
    char name[64];                 /* such as "curves and 8 rules"                          */
    const sg_candidate *candidate; /* NULL: ridge regression                                */
    bool is_distilled;             /* the candidate is a student                            */
    double error, standard_error;  /* out-of-fold error, relative to the target's variance  */
    size_t cost, rules;            /* of curves for all rows, and of rules for the first fold */
} sg_system;

typedef struct sg_system_list {
    sg_system system[SG_MAX_SYSTEMS]; /* in the order of reading cost */
    size_t systems;
    size_t chosen;
} sg_system_list;

/* What the final model is made of. */
typedef enum sg_decision {
    SG_DECISION_RIDGE,
    SG_DECISION_BEST_RULES,
    SG_DECISION_CURVES,
    SG_DECISION_DISTILLED,
    SG_DECISION_ENSEMBLE,
    SG_DECISION_STOPPED /* the best model known when the search was cancelled */
} sg_decision;

/* Writes the name of a system, such as "curves and 8 rules". The candidate must have a model of the first fold. */
void sg_system_format_name(const sg_candidate *c, char *out, size_t size);
/* Lists the systems that no other system beats in both error and reading cost, and chooses one of them by --aim. */
void sg_search_list_systems(const sg_search *s, sg_system_list *out);
/* Chooses the kind of the final model. *out is the list of systems, which may be empty. */
sg_decision sg_search_decide(sg_search *s, sg_system_list *out);

/* --- ensemble.c --- */

/* Trains the members of the selected ensemble: rules with each of `seeds` seeds, but trees and rules with effects only
 * once. `rows` must be the rows of the search data or, if those are a sample, all rows. */
sg_status sg_ensemble_train(sg_search *s, const sg_source *rows, size_t seeds, sg_ensemble *out);

/* --- fit_duplicate_row_rules.c --- */

/* If rows with exactly equal inputs have similar residuals, a rule for each distinct row predicts them better than
 * rules for regions. Adds a block of such rules to *m, the ensemble trained on the search data, if that improves the
 * leave-one-out error of the duplicates, and then sets s->duplicate_rules_error to the error over all rows. */
sg_status sg_duplicate_row_rules_add(sg_search *s, sg_model **m);

/* --- synthetic_rows.c: rows for distillation --- */

/* Returns how many synthetic rows to make from a number of real rows, in a trial or in the final training. */
size_t sg_synthetic_count(size_t rows, bool is_final);
/* Copies the rows of `real` and adds `count` synthetic rows. Each lies between a real row and one of its nearest
 * neighbours, and has some values of another neighbour. Categories and common values are copied, never interpolated.
 * Its targets are those of the real row. Each synthetic row depends only on the real rows, the seed and its index. */
sg_status sg_synthetic_rows(const sg_search_data *data, const sg_source *real, size_t count, uint64_t seed,
                            sg_thread_pool *pool, sg_memory_table *out);
/* Returns the approximate cost of making synthetic rows in nominal nanoseconds. */
size_t sg_synthetic_cost(size_t rows, size_t inputs, size_t count);

/* --- search_record.c, warn_unreliable_error.c, search_calibrate.c: training record and calibration --- */

typedef struct sg_search_report {
    const sg_search *search;
    sg_system_list systems;
    sg_decision decision;
    const sg_subset *usable; /* the rows of the search as a subset of the user's rows, or NULL if it uses them all */
} sg_search_report;

/* Returns the candidate on which the final model is based: the best rules unless another candidate was chosen. */
const sg_candidate *sg_search_report_candidate(const sg_search_report *report);
/* Records valid_rmse, the candidates from best to worst (tried_...), the decision (chosen), warnings (note_...) and the
 * frontier. */
sg_status sg_search_report_write(const sg_search_report *report, sg_model *m);
/* Warns if errors differ much between folds, or if the selection makes the error of the best rules too optimistic. */
sg_status sg_search_report_warn_unstable(const sg_search_report *report, sg_record *r);
/* Warns if a few rows cause most of the squared error. */
sg_status sg_search_report_warn_worst_rows(const sg_search_report *report, sg_record *r);
/* Returns an error as an RMSE in the unit of the target or, for several targets, as a relative error. */
double sg_search_error_to_rmse(const sg_search *s, double error);
const char *sg_search_metric_name(const sg_search *s);

/* Fits intervals to the out-of-fold residuals of the search, without training. A model without out-of-fold predictions
 * gets no intervals. */
sg_status sg_search_calibrate(const sg_search_report *report, sg_model *m);

/* --- ../train_or_search.c: the part of sg_train that cross-validation uses for each fold --- */

/* Does the same as sg_train, but does not compute the support, and computes only those intervals that a search gets
 * without further training. */
sg_status sg_train_uncalibrated(const sg_options *o, const sg_source *rows, const sg_source *valid, sg_cancel_fn *stop,
                                void *arg, sg_model **out);
/* --- search_and_train.c --- */

/* Searches for hyperparameters and trains the final model, without computing its support. */
sg_status sg_search_and_train(const sg_options *o, const sg_source *all, sg_cancel_fn *stop, void *arg, sg_model **out);
/* Checks all rows once, so that errors and notices do not refer to a fold, and replaces *rows with the usable ones:
 * those that are complete and, unless keep_zero_weights is set, have a positive weight. *usable is that subset, or NULL
 * if all rows are usable. The caller releases roles, *usable and *all, even on failure. pool may be NULL. Collective
 * for distributed rows. */
sg_status sg_prepare_usable_rows(const sg_options *o, bool keep_zero_weights, sg_thread_pool *pool, sg_source *rows,
                                 sg_column_roles *roles, sg_subset **usable, sg_preprocessed *all);
