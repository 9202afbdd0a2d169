/* aligned_shard.h: distributed rows, realigned so that every block of rows is on one rank.
 *
 * Ranks hold ranges of rows that may end anywhere. Here, a block of `block` rows belongs to the rank that holds its
 * first row. That rank gets copies of the other rows of the block from the following ranks once: in memory, or in a
 * temporary file if they exceed 16 MB. Rows that are not distributed are unchanged. */
#pragma once

#include "data/source/source_util.h"

typedef struct sg_aligned_shard sg_aligned_shard;

/* Collective. source must outlive it. */
sg_status sg_aligned_shard_new(const sg_source *source, size_t block, sg_aligned_shard **out);
/* local_first and the end of the local rows are multiples of the block, except at the end of all rows. */
sg_source sg_aligned_shard_source(const sg_aligned_shard *a);
/* Returns the first row of each rank and the total (ranks + 1); {0, rows} if the rows are not distributed. */
const size_t *sg_aligned_shard_bounds(const sg_aligned_shard *a);
void sg_aligned_shard_free(sg_aligned_shard *a);
