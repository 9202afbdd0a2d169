/* effect_sums.h: from the values of one input, and what ridge regression leaves of the target, to a table of effects.
 *
 * Bins by rank, 16 of them, each divided into 4 and these again; then values of their own. The effect of a group is
 * that of the group it is part of, and the mean of what that leaves, which counts n / (n + 5) for n rows. */
#ifndef SG_TRAIN_FIT_EFFECT_SUMS_H
#define SG_TRAIN_FIT_EFFECT_SUMS_H

#include "prep/univariate_effect.h"

/* A value that occurs, and how often. */
typedef struct sg_value_freq {
    double value;
    size_t rows;
} sg_value_freq;

typedef struct sg_effect_sums {
    sg_effect table;         /* edges and values; its effects are not used   */
    unsigned char *rank_bin; /* (bins): which of SG_EFFECT_MAX_BINS it is        */
    size_t *bin_of;          /* (values): the bin of a listed value          */
    double *weight, *sum;    /* (SG_EFFECT_FOLDS, bins + values): of the rows there */
} sg_effect_sums;

/* Values are sorted, each there once. Where `list`, those of at least two rows that share a bin with others are listed.
 * false without memory. */
bool sg_effect_sums_init(sg_effect_sums *s, size_t input, const sg_value_freq *value, size_t n, bool list);
void sg_effect_sums_release(sg_effect_sums *s);
/* One row: its value, unless it is NaN, its weight and what is left of its target. */
void sg_effect_sums_add(sg_effect_sums *s, size_t fold, double value, double weight, double residual);
/* The table of all rows but those of a fold; SG_EFFECT_FOLDS: of all. False without memory. */
bool sg_effect_sums_solve(const sg_effect_sums *s, size_t except_fold, sg_effect *out);

#endif
