/* search.h: the state of a hyperparameter search, and its stages in the order of their use. Each is defined in the file
 * of its name. */
#ifndef SG_AUTO_SEARCH_SEARCH_H
#define SG_AUTO_SEARCH_SEARCH_H

#include "auto/ensemble/ensemble.h"

enum {
    SG_MAX_FINALISTS = 8,
    SG_GBDT_CONFIGS = 3,
    SG_TREE_ENSEMBLE_CONFIGS = 3,
    SG_MAX_CANDIDATES = SG_MAX_FINALISTS + SG_GBDT_CONFIGS + SG_TREE_ENSEMBLE_CONFIGS + 4,
    SG_LOW_RANK_MIN_ROWS = 5000 /* more rows than that: low-rank rules are tried */
};

/* How much work a search does. */
typedef struct sg_search_plan {
    size_t screen_candidates, screen_folds, screen_steps; /* first round                                     */
    size_t finalists, folds, final_steps;                 /* second round                                    */
    size_t eval_points;           /* of a finalist; half as many in the first round                          */
    size_t gbdt_configs;          /* boosted trees                                                           */
    size_t tree_ensemble_configs; /* more trees, for an ensemble                                             */
    size_t teacher_seeds;         /* trainings of each member of a teacher                                   */
    size_t distill_steps;         /* of a student; 0: no distillation                                        */
    size_t ensemble_seeds;        /* trainings of each member of the final ensemble; 0: the model is none    */
} sg_search_plan;

typedef struct sg_search {
    const sg_options *user;
    sg_search_plan plan;
    sg_search_space space;
    sg_search_data data;
    sg_search_progress progress;
    sg_thread_pool *pool;
    sg_candidate *screened; /* (screen_candidates): of the first round            */
    sg_candidate finalist[SG_MAX_CANDIDATES];
    size_t finalists;                          /* number of these; trees come last           */
    size_t best_rules;                         /* the best finalist with rules               */
    double ensemble_weight[SG_MAX_CANDIDATES]; /* of each finalist                           */
    double ensemble_error;                     /* out-of-fold                                */
    double duplicate_rules_error;              /* with rules for duplicate rows; INFINITY: there are none */
} sg_search;

/* `user` and `rows`, all of them usable, must outlive the search. The caller then makes plan.folds folds with
 * sg_search_data_split. */
sg_status sg_search_init(sg_search *s, const sg_options *user, const sg_source *rows, sg_cancel_fn *stop, void *arg);
void sg_search_release(sg_search *s);

/* --- search_plan.c --- */

/* Sets s->plan: the default for the number of rows, or the first smaller plan that fits the budget. */
void sg_search_choose_plan(sg_search *s);
/* Returns the cost of the plan in nominal nanoseconds. */
double sg_search_cost(const sg_search *s);
/* Returns the i-th of the plan's gbdt_configs + tree_ensemble_configs tree ensembles. */
const sg_tree_config *sg_search_tree_config(const sg_search *s, size_t i);
/* Returns whether one model can hold rules and trees: the rules own their MFs, their number is not limited, and all
 * members see the same scaled components. */
bool sg_search_can_combine_trees(const sg_search *s);

/* --- search.c --- */

/* Screens many candidates briefly, then cross-validates the best ones, and selects an ensemble. If the search is
 * cancelled, best_rules is the best finalist so far; its error may be INFINITY. */
sg_status sg_search_run(sg_search *s);
/* Returns whether distillation may improve on the best rules. */
bool sg_search_should_distill(sg_search *s);

/* --- choose_clamp.c --- */

/* Whether inputs outside the range of the training rows are clamped to it (--limit range). */
typedef struct sg_clamp_choice {
    double unclamped_error, clamped_error; /* out-of-fold errors of the best rules; 0: not tried */
    bool chosen;
} sg_clamp_choice;

/* If clamping is chosen, sets it in the options of all finalists and in `user`, the options of the search, so that a
 * student or ridge regression has it too. Trains nothing. */
sg_status sg_search_choose_clamp(sg_search *s, sg_options *user, sg_clamp_choice *out);

/* --- distill.c: trains one rule base, the student, on the predictions of an ensemble, the teacher --- */

/* Cross-validates students of the selected ensemble on some folds. Neither they nor their teachers have seen the
 * held-out rows. The caller releases *out, also on failure. */
sg_status sg_distill_try(sg_search *s, sg_candidate *out);
/* Trains the teacher on all rows, and a student for the best number of steps. */
sg_status sg_distill_train(sg_search *s, const sg_candidate *student, sg_model **out);

/* --- the decision, also in search.c --- */

/* What the final model is made of. */
typedef enum sg_decision {
    SG_DECISION_RIDGE,
    SG_DECISION_BEST_RULES,
    SG_DECISION_DISTILLED,
    SG_DECISION_ENSEMBLE,
    SG_DECISION_STOPPED /* the best model known when the search was cancelled */
} sg_decision;

/* Decides by out-of-fold errors. The student's error is INFINITY if there is no student. */
sg_decision sg_search_decide(sg_search *s, const sg_candidate *student);

/* --- ensemble_train.c --- */

/* Trains the members of the selected ensemble: rules with `seeds` seeds each; trees, and rules with effects, once.
 * `rows`: those of the search data or, if these are a sample, all rows. */
sg_status sg_ensemble_train(sg_search *s, const sg_source *rows, size_t seeds, sg_ensemble *out);

/* --- duplicate_rules.c --- */

/* If rows with exactly equal inputs have similar residuals, a rule for each distinct row predicts them better than
 * rules for regions. Adds a block of such rules to *m, the ensemble trained on the search data, if that improves the
 * leave-one-out error of the duplicates, and then sets s->duplicate_rules_error to the error over all rows. */
sg_status sg_duplicate_rules_add(sg_search *s, sg_model **m);

#endif
