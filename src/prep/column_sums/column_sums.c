/* column_sums.c: column sums for the baseline instruction set, and run-time dispatch. */
#include "prep/column_sums/column_sums_simd.h"

const sg_column_sums sg_column_sums_portable = {
    SG_LANES, sum_min_max, sum_min_max_missing, squared_deviations, squared_deviations_missing, hash_columns};

#if defined(__x86_64__)
static const sg_column_sums *select_widest(void)
{
    return __builtin_cpu_supports("avx2") ? &sg_column_sums_avx2 : &sg_column_sums_portable;
}
#else
static const sg_column_sums *select_widest(void) { return &sg_column_sums_portable; }
#endif

const sg_column_sums *sg_column_sums_select(size_t columns)
{
    if (columns >= select_widest()->min_columns) return select_widest();
    return columns >= SG_LANES ? &sg_column_sums_portable : &sg_column_sums_scalar;
}
