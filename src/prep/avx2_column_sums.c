/* avx2_column_sums.c: sums of columns for AVX2. */
#include "prep/column_sums_lanes.h"

const sg_column_sums sg_column_sums_avx2 = {SG_LANES, range, range_with_gaps, spread, spread_with_gaps, hash};
