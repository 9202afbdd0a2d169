/* moments.h: mean, spread and range of columns. A missing cell (NaN) does not count.
 *
 * A block of rows at a time, in two passes over it: means, then squares of what lies beside them. Moments of
 * several blocks are merged as Chan, Golub and LeVeque do ("Updating formulae and a pairwise algorithm for
 * computing sample variances", 1979), so that blocks may be seen by any thread or machine. */
#ifndef SG_PREP_MOMENTS_H
#define SG_PREP_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>

/* Views of one array of sg_moments_size(columns) numbers. */
typedef struct sg_moments {
    size_t columns;
    double *rows, *weight_sum;            /* one number each: how many, and the sum of their weights */
    double *mean, *m2, *low, *high;       /* (columns)                                                */
    double *column_count, *column_weight; /* (columns): rows that have a cell there, and their weights */
    double *deviation_sum;                /* (columns): room for work                                 */
} sg_moments;

size_t sg_moments_size(size_t columns);
/* The views, of numbers that are there. */
sg_moments sg_moments_wrap(double *numbers, size_t columns);
/* Of no rows. */
void sg_moments_clear(sg_moments *s);
/* Those of a block: x is (rows, columns); w (rows), `stride` numbers apart, or NULL. Rows whose weight is not above
 * 0 are left out. What s held is gone. */
void sg_moments_compute(sg_moments *s, const double *x, const double *w, size_t stride, size_t rows);
/* Rows of `more` follow those of s. */
void sg_moments_merge(sg_moments *s, const sg_moments *more);

/* With numbers of its own. */
bool sg_moments_init(sg_moments *s, size_t columns);
void sg_moments_release(sg_moments *s);

/* The standard deviation with divisor n - 1, where n is the number of cells: weights have a scale
 * of their own, so their sum is brought to n first. */
double sg_moments_stddev(const sg_moments *s, size_t column);
/* No spread, or one too small to divide by. */
bool sg_moments_is_constant(const sg_moments *s, size_t column);

#endif
