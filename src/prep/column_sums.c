/* column_sums.c: sums of columns for any machine, and the choice. */
#include "prep/column_sums_lanes.h"

const sg_column_sums sg_column_sums_portable = {SG_LANES, range, spread, hash};

#if defined(__x86_64__)
static const sg_column_sums *wide(void)
{
    return __builtin_cpu_supports("avx2") ? &sg_column_sums_avx2 : &sg_column_sums_portable;
}
#else
static const sg_column_sums *wide(void) { return &sg_column_sums_portable; }
#endif

const sg_column_sums *sg_column_sums_choose(size_t columns)
{
    return columns >= wide()->least ? wide() : &sg_column_sums_portable;
}
