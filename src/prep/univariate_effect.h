/* univariate_effect.h: what an input of numbers adds beyond a straight line: a table from its values to a derived
 * input.
 *
 * A value falls into a bin; values that stand out may be listed with a number of their own. */
#ifndef SG_PREP_UNIVARIATE_EFFECT_H
#define SG_PREP_UNIVARIATE_EFFECT_H

#include "base/status.h"

#include <stdbool.h>

enum { SG_EFFECT_MAX_BINS = 256, SG_EFFECT_MAX_VALUES = 65536 }; /* at most, of one table  */
enum { SG_EFFECT_FOLDS = 5 };                                    /* of the training rows   */

typedef struct sg_effect {
    size_t input;         /* of the coding it is part of                              */
    size_t bins, values;  /* 1 to SG_EFFECT_MAX_BINS, 0 to SG_EFFECT_MAX_VALUES               */
    double *edge;         /* (bins - 1), rising: bin i ends with edge[i]              */
    double *bin_effect;   /* (bins): effects; the four arrays are one allocation      */
    double *value;        /* (values), rising: those that are listed                  */
    double *value_effect; /* (values): effects                                        */
} sg_effect;

/* With zeroed numbers; false without memory. */
bool sg_effect_init(sg_effect *e, size_t input, size_t bins, size_t values);
bool sg_effect_copy(const sg_effect *e, sg_effect *out);
void sg_effect_release(sg_effect *e);
/* What is invalid about its numbers, or NULL. */
const char *sg_effect_validate(const sg_effect *e);

/* How many of n rising numbers are below x. */
size_t sg_lower_bound(const double *number, size_t n, double x);
/* The place of x among the listed values; e->values where it is none of them. */
size_t sg_effect_find_value(const sg_effect *e, double x);
/* The effect of x; NaN where that is missing. */
double sg_effect_eval(const sg_effect *e, double x);

/* Whether others near x are listed and x is not: it was never seen, or once. Of a bin without listed values nobody
 * knows. */
bool sg_effect_is_unlisted(const sg_effect *e, double x);

/* Tables for training rows: each row's effect comes from the rows of the other folds, so that training does not trust
 * what it was made of. */
typedef struct sg_effect_folds {
    uint64_t seed;
    size_t effects;
    sg_effect *effect; /* (SG_EFFECT_FOLDS, effects) */
} sg_effect_folds;

void sg_effect_folds_free(sg_effect_folds *f);
/* The fold of a row. */
size_t sg_effect_fold_of_row(uint64_t seed, size_t row);

#endif
