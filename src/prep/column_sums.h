/* column_sums.h: sums over the rows of a block, for all columns side by side.
 *
 * Written once (column_sums_lanes.h), compiled for each instruction set; all give the same bits, since every
 * column is added up row by row. */
#ifndef SG_PREP_COLUMN_SUMS_H
#define SG_PREP_COLUMN_SUMS_H

#include <stddef.h>
#include <stdint.h>

/* x is (rows, columns), with at least one row; what is written has a number for each column. */
typedef struct sg_column_sums {
    size_t least; /* columns */
    void (*range)(const double *x, size_t rows, size_t columns, double *sum, double *low, double *high);
    /* Of what lies beside the mean: squares, and itself. */
    void (*spread)(const double *x, size_t rows, size_t columns, const double *mean, double *squares, double *beside);
    /* Of a value's bits, mixed with the column's key and the number of the row, which is `first` for the first. */
    void (*hash)(const double *x, size_t rows, size_t columns, uint64_t first, const uint64_t *key, uint64_t *sum);
} sg_column_sums;

/* The fastest one here for so many columns, at least two. */
const sg_column_sums *sg_column_sums_choose(size_t columns);

extern const sg_column_sums sg_column_sums_portable, sg_column_sums_avx2;

#endif
