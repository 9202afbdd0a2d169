/* scalar_column_sums.c: column sums for rows that are narrower than a vector. */
#define SG_SCALAR_LANES
#include "prep/column_sums/column_sums_simd.h"

const sg_column_sums sg_column_sums_scalar = {
    SG_LANES, sum_min_max, sum_min_max_missing, squared_deviations, squared_deviations_missing, hash_columns};
