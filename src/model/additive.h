/* additive.h: the additive part of a model: curves of single inputs and tables of pairs of inputs, in the units of the
 * target.
 *
 *     f(x) = sum over curves of f_j(x_j) + sum over pairs of f_jk(x_j, x_k)
 *
 * A curve is a zero-order rule base on one input with one rule per cell: IF age is low THEN -18.3. The terms of a
 * numeric input are triangular membership functions at its knots, with shoulders at both ends. They are a strong
 * partition (they sum to 1), so a curve is linear between knots and constant beyond the outermost ones. A category has
 * one term per level. A pair is a grid of rules over some of the terms of two inputs, and is bilinear between these
 * terms.
 *
 * For a missing value, the curve has a consequent of its own and pairs add 0. A level that is not listed adds 0. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_curve {
    size_t input;   /* index of the input in the model */
    size_t feature; /* the first feature of the input */
    size_t cells;   /* knots of a numeric input (at least 2), or levels of a category */
    bool is_category;
    int monotone;      /* 1: the values ascend, -1: they descend, and so do the values of pairs along this input; 0: no
                          constraint */
    size_t terms;      /* number of cells that are terms of pairs; 0 or at least 2 */
    uint32_t *term;    /* (terms): indices of these cells, ascending */
    double *knot;      /* (cells): ascending; unused for a category. Part of theta. */
    double *value;     /* (cells + 1, outputs): consequents; the last is for missing values. Part of theta. */
    double *band;      /* (cells + 1, outputs): standard errors of the values; NULL: unknown */
    double *share;     /* (cells + 1): mean membership of the training rows; NULL: unknown */
    double *deviation; /* (outputs): standard deviation of the curve on the training rows; NULL: unknown */
} sg_curve;

typedef struct sg_pair {
    size_t curve[2];
    double *value;     /* (terms of the first, terms of the second, outputs). Part of theta. */
    double *deviation; /* (outputs), as in sg_curve */
} sg_pair;

typedef struct sg_additive {
    size_t outputs;
    size_t curves, pairs;
    sg_curve *curve;
    sg_pair *pair;
} sg_additive;

/* Returns an empty additive part with room for this many curves and pairs, or NULL if memory is exhausted. */
sg_additive *sg_additive_new(size_t outputs, size_t curves, size_t pairs);
void sg_additive_free(sg_additive *s);
/* Returns a copy whose pointers into theta are not set, or NULL if memory is exhausted. */
sg_additive *sg_additive_copy(const sg_additive *s);
/* Append a curve that has no terms of pairs yet, or a pair of two curves that have them. There must be room for it. */
void sg_additive_add_curve(sg_additive *s, size_t input, size_t feature, size_t cells, bool is_category);
void sg_additive_add_pair(sg_additive *s, size_t first, size_t second);
/* Sets the terms that pairs of this curve use. Returns false if memory is exhausted. */
bool sg_curve_set_terms(sg_curve *c, const uint32_t *term, size_t terms);
/* Allocate zeroed statistics of the training rows. Their values must be finite, because model files contain them.
 * Return false if memory is exhausted. */
bool sg_curve_alloc_stats(sg_curve *c, size_t outputs);
bool sg_pair_alloc_stats(sg_pair *p, size_t outputs);

/* Returns the number of cells in a pair's table. Each cell has one value per output. */
static inline size_t sg_pair_cells(const sg_additive *s, const sg_pair *p)
{
    return s->curve[p->curve[0]].terms * s->curve[p->curve[1]].terms;
}
/* Returns the number of parameters. Sizes must have been checked. */
size_t sg_additive_parameters(const sg_additive *s);
/* Sets the pointers of all curves and pairs to consecutive parts of theta. */
void sg_additive_bind(sg_additive *s, double *theta);
/* Returns the number of rules: one per consequent, not counting those of missing values. */
size_t sg_additive_rules(const sg_additive *s);
/* Returns the position of term k of a curve in the units of the input. */
static inline double sg_curve_term_knot(const sg_curve *c, size_t k) { return c->knot[c->term[k]]; }
/* Returns a description of what is invalid in the curve, or NULL if it is valid. Knots must be strictly ascending. */
const char *sg_curve_validate(const sg_curve *c);
/* Return whether the values are ordered as `monotone` of the curve, or of both curves of the pair, requires. */
bool sg_curve_is_ordered(const sg_additive *s, const sg_curve *c);
bool sg_pair_is_ordered(const sg_additive *s, const sg_pair *p);

/* --- evaluation ---
 *
 * Rows are stored by column: feature k of row i is x[k * pitch + i]. `missing` has the same shape and is 1 for missing
 * values, whose x is ignored; it is NULL if there are none. The results are added to y (outputs, pitch). For each row,
 * they are bit-identical in every chunk. */
typedef struct sg_feature_columns {
    size_t n, pitch;
    const double *x, *missing;
} sg_feature_columns;

/* An entry of the design matrix, which is multiplied by the consequents of one output: a column and its value in a row.
 * Column 0 is the constant 1. It is followed by cells + 1 columns for each curve, and by one column per cell of each
 * pair. */
typedef struct sg_regressor {
    uint32_t column;
    double value;
} sg_regressor;
/* Return the number of columns, and the maximum number of non-zero entries in a row. */
size_t sg_additive_columns(const sg_additive *s);
size_t sg_additive_max_regressors(const sg_additive *s);
/* Writes the non-zero regressors of row i in ascending order of their columns. Returns how many there are. */
size_t sg_additive_regressors(const sg_additive *s, const sg_feature_columns *rows, size_t i, sg_regressor *out);

void sg_curve_add(const sg_additive *s, const sg_curve *c, const sg_feature_columns *rows, double *y);
void sg_pair_add(const sg_additive *s, const sg_pair *p, const sg_feature_columns *rows, double *y);
/* Adds all curves, then all pairs, in order. */
void sg_additive_add(const sg_additive *s, const sg_feature_columns *rows, double *y);
