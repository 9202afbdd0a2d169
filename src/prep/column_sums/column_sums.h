/* column_sums.h: sums, ranges and hashes of all columns of a block of rows.
 *
 * The kernel (column_sums_simd.h) is compiled once per instruction set. All variants give the same bits, because
 * every column is summed row by row. */
#pragma once

#include "prep/moments.h"

#include <stdint.h>

/* Rows with as many columns as the moments. w (rows), with a distance of `stride` doubles, or NULL for weight 1; rows
 * with a weight that is not positive are ignored. */
typedef struct sg_column_block {
    const double *x, *w;
    size_t stride, rows;
} sg_column_block;

typedef struct sg_column_sums {
    size_t min_columns; /* minimum number of columns for this variant */
    /* Sets mean to the sum, low and high; with missing values also column_count and column_weight. */
    void (*sum_min_max)(const sg_column_block *b, sg_moments *s);
    void (*sum_min_max_missing)(const sg_column_block *b, sg_moments *s);
    /* Sets m2 to the sum of squared deviations from the mean, and deviation_sum to the sum of the deviations. */
    void (*squared_deviations)(const sg_column_block *b, sg_moments *s);
    void (*squared_deviations_missing)(const sg_column_block *b, sg_moments *s);
    /* Hashes the bits of each column with its key and the row number; the first row has number `first`. */
    void (*hash_columns)(const double *x, size_t rows, size_t columns, uint64_t first, const uint64_t *key,
                         uint64_t *sum);
} sg_column_sums;

/* Returns the fastest variant for this CPU and number of columns. */
const sg_column_sums *sg_column_sums_select(size_t columns);

extern const sg_column_sums sg_column_sums_scalar, sg_column_sums_portable, sg_column_sums_avx2;
