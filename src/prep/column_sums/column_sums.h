/* column_sums.h: sums over the rows of a block, for all columns side by side.
 *
 * Written once (column_sums_kernel.h), compiled for each instruction set; all give the same bits, since every
 * column is added up row by row. */
#ifndef SG_PREP_COLUMN_SUMS_COLUMN_SUMS_H
#define SG_PREP_COLUMN_SUMS_COLUMN_SUMS_H

#include "prep/moments.h"

#include <stdint.h>

/* Rows of as many columns as the moments have; w (rows), `stride` numbers apart, or NULL for ones: rows whose weight is
 * not above 0 do not count. */
typedef struct sg_column_block {
    const double *x, *w;
    size_t stride, rows;
} sg_column_block;

typedef struct sg_column_sums {
    size_t min_columns; /* columns */
    /* mean becomes the sum; low, high; where there are gaps, cells and weights, too. */
    void (*sum_min_max)(const sg_column_block *b, sg_moments *s);
    void (*sum_min_max_missing)(const sg_column_block *b, sg_moments *s);
    /* m2 and beside: of what lies beside the mean, squares and itself. */
    void (*squared_deviations)(const sg_column_block *b, sg_moments *s);
    void (*squared_deviations_missing)(const sg_column_block *b, sg_moments *s);
    /* Of bits, mixed with the column's key and the number of the row, which is `first` for the first. */
    void (*hash_columns)(const double *x, size_t rows, size_t columns, uint64_t first, const uint64_t *key,
                         uint64_t *sum);
} sg_column_sums;

/* The fastest one here for so many columns. */
const sg_column_sums *sg_column_sums_select(size_t columns);

extern const sg_column_sums sg_column_sums_scalar, sg_column_sums_portable, sg_column_sums_avx2;

#endif
