/* search.h: the hyperparameter search: screens many candidates briefly, then cross-validates the best ones. */
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
/* If the search is cancelled, best_rules is the best finalist so far; its error may be INFINITY. */
sg_status sg_search_run(sg_search *s);

/* What the final model is made of. */
typedef enum sg_decision {
    SG_DECISION_RIDGE,
    SG_DECISION_BEST_RULES,
    SG_DECISION_DISTILLED,
    SG_DECISION_ENSEMBLE,
    SG_DECISION_STOPPED /* the best model known when the search was cancelled */
} sg_decision;

/* Returns whether distillation may improve on the best rules. */
bool sg_search_should_distill(sg_search *s);
/* Decides by out-of-fold errors. The student's error is INFINITY if there is no student. */
sg_decision sg_search_decide(sg_search *s, const sg_candidate *student);

/* Sets s->plan: the default for the number of rows, or the first smaller plan that fits the budget. */
void sg_search_choose_plan(sg_search *s);
/* Returns the cost of the plan in nominal nanoseconds. */
double sg_search_cost(const sg_search *s);
/* Returns the i-th of the plan's gbdt_configs + tree_ensemble_configs tree ensembles. */
const sg_tree_config *sg_search_tree_config(const sg_search *s, size_t i);
/* Returns whether one model can hold rules and trees: the rules own their MFs, their number is not limited, and all
 * members see the same scaled components. */
bool sg_search_can_combine_trees(const sg_search *s);

#endif
