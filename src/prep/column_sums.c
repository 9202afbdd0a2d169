/* column_sums.c: sums of columns for any machine, and the choice. */
#include "prep/column_sums_lanes.h"

const sg_column_sums sg_column_sums_portable = {SG_LANES, range, range_with_gaps, spread, spread_with_gaps, hash};

#if defined(__x86_64__)
static const sg_column_sums *widest(void)
{
    return __builtin_cpu_supports("avx2") ? &sg_column_sums_avx2 : &sg_column_sums_portable;
}
#else
static const sg_column_sums *widest(void) { return &sg_column_sums_portable; }
#endif

const sg_column_sums *sg_column_sums_choose(size_t columns)
{
    if (columns >= widest()->least) return widest();
    return columns >= SG_LANES ? &sg_column_sums_portable : &sg_column_sums_one;
}
