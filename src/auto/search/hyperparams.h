/* hyperparams.h: what a search chooses among: factors, each a few levels, each level some options. What the user said
 * stays as it is. */
#ifndef SG_AUTO_SEARCH_HYPERPARAMS_H
#define SG_AUTO_SEARCH_HYPERPARAMS_H

#include "base/options.h"

enum { SG_SEARCH_FACTORS = 6, SG_FACTOR_MAX_LEVELS = 5, SG_SEARCH_MAX_RULES = 64 };

typedef struct sg_hyperparams {
    unsigned char level[SG_SEARCH_FACTORS];
} sg_hyperparams;

typedef struct sg_search_space {
    const sg_options *user;
    bool is_large;                         /* rows: larger batches, more rules as a rule */
    size_t rules[4];                       /* the levels of the first factor */
    size_t level_count[SG_SEARCH_FACTORS]; /* 1: nothing to choose           */
} sg_search_space;

/* For so many rows. `user` must outlive it. */
sg_search_space sg_search_space_init(const sg_options *user, size_t rows);
/* One that does well as a rule. */
sg_hyperparams sg_hyperparams_default(const sg_search_space *c);
/* `count` settings in which the levels of each factor occur equally often, each next to each by chance. */
void sg_hyperparams_design(const sg_search_space *c, uint64_t seed, size_t count, sg_hyperparams *out);
bool sg_hyperparams_equal(const sg_hyperparams *a, const sg_hyperparams *b);

/* The user's options with those of the setting. */
sg_status sg_hyperparams_to_options(const sg_search_space *c, const sg_hyperparams *s, sg_options **out);
/* "16 rules, scale=quantile ..." */
void sg_hyperparams_format(const sg_search_space *c, const sg_hyperparams *s, char *out, size_t size);
/* Whether rules may ask for combinations of inputs. */
bool sg_search_space_allows_low_rank(const sg_search_space *c);
size_t sg_hyperparams_rules(const sg_search_space *c, const sg_hyperparams *s);

#endif
