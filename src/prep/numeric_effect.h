/* numeric_effect.h: a derived feature that captures the nonlinear effect of one numeric input on the target, as a
 * lookup table.
 *
 * A value is looked up by its bin, unless it is listed with an effect of its own. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

enum { SG_EFFECT_MAX_BINS = 256, SG_EFFECT_MAX_VALUES = 65536 }; /* per table */
enum { SG_EFFECT_FOLDS = 5 };                                    /* folds of the training rows */

typedef struct sg_effect {
    size_t input;         /* index of the input in the encoder */
    size_t bins, values;  /* 1 to SG_EFFECT_MAX_BINS, 0 to SG_EFFECT_MAX_VALUES */
    double *edge;         /* (bins - 1) increasing; edge[i] is the largest value in bin i */
    double *bin_effect;   /* (bins) all four arrays are in one allocation */
    double *value;        /* (values) listed values, increasing */
    double *value_effect; /* (values) */
} sg_effect;

/* Allocates a table of zeros. Returns false if out of memory. */
bool sg_effect_init(sg_effect *e, size_t input, size_t bins, size_t values);
bool sg_effect_copy(const sg_effect *e, sg_effect *out);
void sg_effect_release(sg_effect *e);
/* Returns why the table is invalid, or NULL if it is valid. */
const char *sg_effect_validate(const sg_effect *e);

/* Returns how many of n increasing values are less than x. */
size_t sg_lower_bound(const double *number, size_t n, double x);
/* Returns the index of x in the listed values, or e->values if it is not listed. */
size_t sg_effect_find_value(const sg_effect *e, double x);
/* Returns the effect of x, or NaN if x is missing. */
double sg_effect_eval(const sg_effect *e, double x);

/* Returns whether x is not listed although its bin contains listed values, which means that x occurred at most once in
 * training. */
bool sg_effect_is_unlisted(const sg_effect *e, double x);

/* Cross-fitted tables for training rows: the effect of a row is estimated from the rows of the other folds, so that it
 * does not leak the row's own target. */
typedef struct sg_effect_folds {
    uint64_t seed;
    size_t effects;
    sg_effect *effect; /* (SG_EFFECT_FOLDS, effects) */
} sg_effect_folds;

void sg_effect_folds_free(sg_effect_folds *f);
/* Returns the fold of a row. */
size_t sg_effect_fold_of_row(uint64_t seed, size_t row);
