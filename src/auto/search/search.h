/* search.h: which settings do well on rows that they were not trained on. */
#ifndef SG_AUTO_SEARCH_SEARCH_H
#define SG_AUTO_SEARCH_SEARCH_H

#include "auto/ensemble/ensemble.h"

enum {
    SG_MAX_FINALISTS = 8,
    SG_GBDT_CONFIGS = 3,
    SG_TREE_ENSEMBLE_CONFIGS = 3,
    SG_MAX_CANDIDATES = SG_MAX_FINALISTS + SG_GBDT_CONFIGS + SG_TREE_ENSEMBLE_CONFIGS + 4
};

/* How much is tried. */
typedef struct sg_search_plan {
    size_t screen_candidates, screen_folds;        /* so many, on so many parts   */
    size_t finalists, folds;                       /* then so many, on all parts  */
    size_t screen_steps, final_steps, eval_points; /* steps of the two, looks of the second */
    size_t gbdt_configs;
    size_t tree_ensemble_configs; /* of averaged trees, for an ensemble */
    bool duplicate_rules;         /* of rows, in an ensemble     */
    size_t teacher_seeds;         /* of each member of a teacher */
    size_t distill_steps;         /* steps; 0: there is none     */
    size_t ensemble_seeds;        /* seeds of each of an ensemble's rule bases; 0: there is none */
} sg_search_plan;

typedef struct sg_search {
    const sg_options *user;
    uint64_t seed;
    sg_search_plan plan;
    sg_search_space space;
    sg_search_data data;
    sg_search_progress progress;
    sg_thread_pool *pool;
    sg_candidate *screened; /* (settings): those that are tried first       */
    sg_candidate finalist[SG_MAX_CANDIDATES];
    size_t finalists;                          /* of these; trees come last                    */
    size_t best_rules;                         /* of those of rules                            */
    double ensemble_weight[SG_MAX_CANDIDATES]; /* in the committee     */
    double ensemble_error;                     /* its error                                    */
    double duplicate_rules_error; /* with what is known of rows that come again; INFINITY: that is not worth it */
} sg_search;

/* `rows` must be usable, and outlive it. Its parts are made by sg_search_data_split, plan.folds of them. */
sg_status sg_search_init(sg_search *s, const sg_options *user, const sg_source *rows, sg_cancel_fn *stop, void *arg);
void sg_search_release(sg_search *s);
/* Rules of a student. */
size_t sg_search_distill_rules(const sg_search *s);
/* Stopped, it knows what it knows: best is a finalist then, whose error may be INFINITY. */
sg_status sg_search_run(sg_search *s);

#endif
