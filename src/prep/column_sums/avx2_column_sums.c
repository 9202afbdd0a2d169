/* avx2_column_sums.c: column sums compiled for AVX2. */
#include "prep/column_sums/column_sums_simd.h"

const sg_column_sums sg_column_sums_avx2 = {
    SG_LANES, sum_min_max, sum_min_max_missing, squared_deviations, squared_deviations_missing, hash_columns};
