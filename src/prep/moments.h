/* moments.h: mean, spread and range of columns, one row at a time. A missing cell (NaN) does not count.
 *
 * Weighted Welford sums in row order: stable, and the same bits for any block size. */
#ifndef SG_PREP_MOMENTS_H
#define SG_PREP_MOMENTS_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sg_moments {
    size_t columns, rows;
    double weight;                  /* sum of the rows' weights             */
    double *mean, *m2, *low, *high; /* (columns); one allocation, at mean   */
    double *cells, *weights;        /* (columns): rows that have a cell there, and their weights */
} sg_moments;

bool sg_moments_init(sg_moments *s, size_t columns);
void sg_moments_release(sg_moments *s);
/* x is (rows, columns); w (rows) or NULL. Rows of weight 0 are left out. */
void sg_moments_add(sg_moments *s, const double *x, const double *w, size_t rows);
/* The standard deviation with divisor n - 1, where n is the number of cells: weights have a scale
 * of their own, so their sum is brought to n first. */
double sg_moments_deviation(const sg_moments *s, size_t column);
/* No spread, or one too small to divide by. */
bool sg_moments_constant(const sg_moments *s, size_t column);

#endif
