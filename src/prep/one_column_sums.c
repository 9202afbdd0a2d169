/* one_column_sums.c: sums of columns one by one, where they are too few for a vector. */
#define SG_ONE_LANE
#include "prep/column_sums_lanes.h"

const sg_column_sums sg_column_sums_one = {SG_LANES, range, range_with_gaps, spread, spread_with_gaps, hash};
