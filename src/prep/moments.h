/* moments.h: mean, variance and range of columns. Missing cells (NaN) are ignored.
 *
 * Each block of rows is read twice: for the means, then for the squared deviations. Blocks are merged with the formulas
 * of Chan, Golub and LeVeque ("Updating formulae and a pairwise algorithm for computing sample variances", 1979), so
 * that threads and ranks can process different blocks. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Pointers into one array of sg_moments_size(columns) doubles. */
typedef struct sg_moments {
    size_t columns;
    double *rows, *weight_sum;            /* one double each: the number of rows and the sum of their weights */
    double *mean, *m2, *low, *high;       /* (columns); m2 is the sum of squared deviations from the mean */
    double *column_count, *column_weight; /* (columns) number and total weight of the rows with a value in the column */
    double *deviation_sum;                /* (columns) scratch */
} sg_moments;

size_t sg_moments_size(size_t columns);
/* Returns the pointers into an existing array, whose contents stay as they are. */
sg_moments sg_moments_wrap(double *numbers, size_t columns);
/* Resets the moments to those of an empty set of rows. */
void sg_moments_clear(sg_moments *s);
/* Overwrites s with the moments of a block: x is (rows, columns); w holds one weight per row, `stride` doubles apart,
 * or is NULL for weights of 1. Rows whose weight is not positive are ignored. */
void sg_moments_compute(sg_moments *s, const double *x, const double *w, size_t stride, size_t rows);
/* Merges `more`, the moments of the rows that follow those of s, into s. */
void sg_moments_merge(sg_moments *s, const sg_moments *more);

/* Allocates an array and stores the moments of an empty set of rows in it. Returns false if out of memory. */
bool sg_moments_init(sg_moments *s, size_t columns);
void sg_moments_release(sg_moments *s);

/* Returns the standard deviation with divisor n - 1, where n is the number of cells. Weights are rescaled to sum to n,
 * so that their scale does not matter. */
double sg_moments_stddev(const sg_moments *s, size_t column);
/* Returns whether the standard deviation is zero or too small to divide by. */
bool sg_moments_is_constant(const sg_moments *s, size_t column);
