/* search_options.h: the options that src/auto reads, the hyperparameters that a search tries, and the options of every
 * training that it starts. Only search_options.c reads and sets options by name. */
#pragma once

#include "base/options.h"
#include "model/model.h"

/* --aim: what matters in the choice of the final model. */
typedef enum sg_search_aim { SG_AIM_BALANCED, SG_AIM_ACCURATE, SG_AIM_READABLE } sg_search_aim;

/* The parsed options of a search, a trial or a cross-validation. Strings belong to the options. */
typedef struct sg_search_config {
    bool is_ensemble;           /* preset auto-ensemble                                      */
    bool is_cluster, is_grid;   /* --structure                                               */
    bool is_unscaled, uses_pca; /* --scale none, --pca > 0                                   */
    bool allows_student;        /* --student yes                                             */
    bool allows_curves;         /* the user set no option of rule bases                     */
    bool allows_low_rank;       /* clusters of Gaussian MFs, and the user did not set --low-rank */
    bool sets_batch, sets_iters, sets_rules, sets_effects, sets_limit, sets_group; /* options given by the user */
    size_t rules; /* number of rules, or its maximum; 0: default */
    size_t mfs, batch, iters, threads, intervals;
    sg_search_aim aim;
    double budget; /* CPU seconds; 0: default                                                    */
    double clip;   /* margin around the range of a target, relative to the range; INFINITY: none */
    uint64_t seed;
    const char *effects, *group, *weights;
} sg_search_config;

sg_search_config sg_search_config_parse(const sg_options *o);
/* Returns SG_EINVAL if a search does not support one of the options, or if there is a validation set. */
sg_status sg_search_check_options(const sg_options *o, bool has_valid);

enum { SG_SEARCH_FACTORS = 6, SG_FACTOR_MAX_LEVELS = 5, SG_SEARCH_MAX_RULES = 64 };

/* One level for each factor. */
typedef struct sg_hyperparams {
    unsigned char level[SG_SEARCH_FACTORS];
} sg_hyperparams;

typedef struct sg_search_space {
    const sg_options *user;
    sg_search_config config;               /* the user's options, parsed                       */
    bool is_large;                         /* many rows: use larger batches and more rules  */
    size_t rules[4];                       /* rule counts: the levels of the first factor */
    size_t level_count[SG_SEARCH_FACTORS]; /* 1: the factor is fixed                           */
    size_t pairs;                          /* the maximum number of pairs of numeric inputs                 */
} sg_search_space;

/* Returns the search space, in which options given by the user are fixed. `user` must outlive it. */
sg_search_space sg_search_space_init(const sg_options *user, size_t rows, size_t numeric_inputs);
/* Returns hyperparameters that do well on most data. */
sg_hyperparams sg_hyperparams_default(const sg_search_space *space);
/* Writes a random design of `count` points, in which the levels of each factor occur equally often, to out. */
void sg_hyperparams_design(const sg_search_space *space, uint64_t seed, size_t count, sg_hyperparams *out);
/* Writes the hyperparameters as text, such as "rules=16 scale=quantile ...". */
void sg_hyperparams_format(const sg_search_space *space, const sg_hyperparams *h, char *out, size_t size);

/* The following functions clone options and change some of them. *out must be NULL. The caller frees it, even on
 * failure. */

/* Combines the user's options with these hyperparameters. */
sg_status sg_hyperparams_to_options(const sg_search_space *space, const sg_hyperparams *h, sg_options **out);
/* Makes the options of a student with this many rules: little regularisation, because the teacher's labels have no
 * noise. If is_added, its predictions are added to those of its base, and are therefore not clipped. */
sg_status sg_student_options(const sg_search_space *space, size_t rules, bool is_added, sg_options **out);
/* Returns the largest number of rules of a student. */
size_t sg_student_rules(const sg_search_space *space);
/* Makes the options of curves, or of curves and pairs. Predictions of students are not clipped. */
sg_status sg_curve_options(const sg_search_space *space, bool has_pairs, bool is_student, sg_options **out);
/* Makes the options of ridge regression, which is one rule without conditions. */
sg_status sg_ridge_options(const sg_options *o, sg_options **out);
/* Makes the options of the ridge regression whose residuals trees fit: no clipping, and no effects, because effects are
 * fitted to the same rows. */
sg_status sg_tree_base_options(const sg_options *o, sg_options **out);
/* Makes the options of ridge regression as a preset that trains once, with intervals from five folds. */
sg_status sg_ridge_interval_options(const sg_options *o, sg_options **out);
/* Makes the options of a trial of at most `steps` steps. */
sg_status sg_trial_options(const sg_options *o, size_t steps, sg_options **out);
/* Copies the options and adds `seed` to their seed. */
sg_status sg_options_add_seed(const sg_options *o, uint64_t seed, sg_options **out);
/* Makes the options of one of `folds` trainings on `threads` threads: one thread and a share of the memory. */
sg_status sg_fold_options(const sg_options *o, size_t folds, size_t threads, sg_options **out);

/* The names of options that a search tries in addition to the hyperparameters. */
extern const char sg_option_effects[], sg_option_low_rank[];
/* Sets --limit range. */
sg_status sg_options_set_clamp(sg_options *o);
/* Replaces the options in a training record with the user's. Returns false if out of memory. */
bool sg_record_set_options(const sg_options *user, sg_record *r);
