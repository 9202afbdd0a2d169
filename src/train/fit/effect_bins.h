/* effect_bins.h: fits the univariate effect of one input from its values and the residuals of ridge regression.
 *
 * The effect is hierarchical: there are 16 bins by rank, each is split into 4, each of these into 4 again, and values
 * that recur then get effects of their own. The effect of a group is that of its parent plus the mean remaining
 * residual, shrunk by the factor n / (n + 5) for n rows. */
#pragma once

#include "prep/numeric_effect.h"

/* A distinct value, and the number of rows that have it. */
typedef struct sg_value_freq {
    double value;
    size_t rows;
} sg_value_freq;

typedef struct sg_effect_sums {
    sg_effect table;         /* edges and values; its effects are unused */
    unsigned char *rank_bin; /* (bins): index of each bin among SG_EFFECT_MAX_BINS bins by rank */
    size_t *bin_of;          /* (values): the bin of a listed value */
    double *weight, *sum;    /* (SG_EFFECT_FOLDS, bins + values) */
} sg_effect_sums;

/* Makes the table. value: the n distinct values, sorted. If `list` is set, values of at least two rows that share a bin
 * with other values are listed. Returns false if out of memory. */
bool sg_effect_sums_init(sg_effect_sums *s, size_t input, const sg_value_freq *value, size_t n, bool list);
void sg_effect_sums_release(sg_effect_sums *s);
/* Adds one row. NaN values are ignored. */
void sg_effect_sums_add(sg_effect_sums *s, size_t fold, double value, double weight, double residual);
/* Fits the effect to all folds except one, or to all folds if except_fold is SG_EFFECT_FOLDS. Returns false if out of
 * memory. */
bool sg_effect_sums_solve(const sg_effect_sums *s, size_t except_fold, sg_effect *out);
