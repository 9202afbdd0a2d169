/* search_config.h: the options that src/auto reads, the hyperparameters that a search tries, and the options of every
 * training that it starts. Options are read and written by name in search_config.c only. */
#pragma once

#include "base/options.h"
#include "model/model.h"

/* The parsed options of a search, a trial or a cross-validation. Strings belong to the options. */
typedef struct sg_search_config {
    bool is_ensemble;           /* preset auto-ensemble             */
    bool is_cluster, is_grid;   /* --structure                      */
    bool is_unscaled, uses_pca; /* --scale none, --pca > 0          */
    bool allows_student;        /* --student yes                    */
    bool allows_low_rank;       /* Gaussian clusters, and the user has not given --low-rank */
    bool sets_batch, sets_iters, sets_rules, sets_effects, sets_limit, sets_group; /* given by the user */
    size_t rules; /* 0: default                       */
    size_t mfs, batch, iters, threads, intervals;
    double budget; /* CPU seconds, 0: default          */
    double clip;   /* margin around the range of a target, in ranges; INFINITY: none */
    uint64_t seed;
    const char *effects, *group, *weights;
} sg_search_config;

sg_search_config sg_search_config_parse(const sg_options *o);
/* Fails with SG_EINVAL if an option, or a validation set, contradicts a search. */
sg_status sg_search_check_options(const sg_options *o, bool has_valid);

enum { SG_SEARCH_FACTORS = 6, SG_FACTOR_MAX_LEVELS = 5, SG_SEARCH_MAX_RULES = 64 };

/* One level of each factor. */
typedef struct sg_hyperparams {
    unsigned char level[SG_SEARCH_FACTORS];
} sg_hyperparams;

typedef struct sg_search_space {
    const sg_options *user;
    sg_search_config config;               /* of the user's options                  */
    bool is_large;                         /* many rows: larger batches, more rules  */
    size_t rules[4];                       /* the levels of the first factor         */
    size_t level_count[SG_SEARCH_FACTORS]; /* 1: the factor is fixed                 */
} sg_search_space;

/* Options given by the user are fixed. `user` must outlive the space. */
sg_search_space sg_search_space_init(const sg_options *user, size_t rows);
/* Hyperparameters that do well on most data. */
sg_hyperparams sg_hyperparams_default(const sg_search_space *space);
/* A random design of `count` points in which the levels of each factor occur equally often. */
void sg_hyperparams_design(const sg_search_space *space, uint64_t seed, size_t count, sg_hyperparams *out);
/* Writes "rules=16 scale=quantile ...". */
void sg_hyperparams_format(const sg_search_space *space, const sg_hyperparams *h, char *out, size_t size);

/* The functions below clone options and change some of them. *out must be NULL; the caller frees it, even on failure.
 */

/* The user's options with these hyperparameters. */
sg_status sg_hyperparams_to_options(const sg_search_space *space, const sg_hyperparams *h, sg_options **out);
/* A student: many rules and little regularization, because the teacher's labels have no noise. */
sg_status sg_student_options(const sg_search_space *space, sg_options **out);
size_t sg_student_rules(const sg_search_space *space);
/* Ridge regression: one rule without conditions. */
sg_status sg_ridge_options(const sg_options *o, sg_options **out);
/* Ridge regression as the base of a tree ensemble: without effects, which have seen their rows, and unclipped. */
sg_status sg_tree_base_options(const sg_options *o, sg_options **out);
/* Ridge regression as a preset that trains once, with intervals from five folds. */
sg_status sg_ridge_interval_options(const sg_options *o, sg_options **out);
/* A trial of at most `steps` steps. */
sg_status sg_trial_options(const sg_options *o, size_t steps, sg_options **out);
/* Another seed: the sum of both. */
sg_status sg_options_add_seed(const sg_options *o, uint64_t seed, sg_options **out);
/* One of `folds` trainings on `threads` threads: one thread and a share of the memory. */
sg_status sg_fold_options(const sg_options *o, size_t folds, size_t threads, sg_options **out);

/* Names of options that a search tries in addition to the hyperparameters. */
extern const char sg_option_effects[], sg_option_low_rank[];
/* Sets --limit range. */
sg_status sg_options_set_clamp(sg_options *o);
/* Replaces the options in a training record by the user's. */
bool sg_record_set_options(const sg_options *user, sg_record *r);
