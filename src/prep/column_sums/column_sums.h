/* column_sums.h: sums, ranges and hashes of all columns of a block of rows.
 *
 * The kernel (column_sums_simd.h) is compiled once per instruction set. All variants give bitwise identical results,
 * because every column is summed row by row. */
#pragma once

#include "prep/moments.h"

#include <stdint.h>

/* x holds rows with as many columns as the moments. w holds one weight per row, `stride` doubles apart, or is NULL for
 * weights of 1. Rows whose weight is not positive are ignored. */
typedef struct sg_column_block {
    const double *x, *w;
    size_t stride, rows;
} sg_column_block;

typedef struct sg_column_sums {
    size_t min_columns; /* minimum number of columns for this variant */
    /* Set mean to the sum, and low and high to the range. The second function also sets column_count and
     * column_weight. */
    void (*sum_min_max)(const sg_column_block *b, sg_moments *s);
    void (*sum_min_max_missing)(const sg_column_block *b, sg_moments *s);
    /* Set m2 to the sum of squared deviations from the mean, and deviation_sum to the sum of the deviations. */
    void (*squared_deviations)(const sg_column_block *b, sg_moments *s);
    void (*squared_deviations_missing)(const sg_column_block *b, sg_moments *s);
    /* Hashes each column with its key and the row numbers into `sum`. The first row has number `first`. */
    void (*hash_columns)(const double *x, size_t rows, size_t columns, uint64_t first, const uint64_t *key,
                         uint64_t *sum);
} sg_column_sums;

/* Returns the fastest variant for this CPU and number of columns. */
const sg_column_sums *sg_column_sums_select(size_t columns);

extern const sg_column_sums sg_column_sums_scalar, sg_column_sums_portable, sg_column_sums_avx2;
