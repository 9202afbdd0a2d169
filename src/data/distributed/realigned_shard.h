/* realigned_shard.h: distributed rows, realigned so that every block of rows is on one rank.
 *
 * Ranks hold ranges of rows that may end anywhere. After realignment, a block of `block` rows belongs to the rank that
 * holds its first row. sg_aligned_shard_new copies the other rows of the block from the following ranks to that rank,
 * into memory or, if they exceed 16 MB, into a temporary file. Rows that are not distributed are unchanged. */
#pragma once

#include "data/source/source_util.h"

typedef struct sg_aligned_shard sg_aligned_shard;

/* Collective. The source must outlive the result. */
sg_status sg_aligned_shard_new(const sg_source *source, size_t block, sg_aligned_shard **out);
/* Returns the realigned rows. The rows of a rank begin and end at multiples of the block size, or at the end of all
 * rows. */
sg_source sg_aligned_shard_source(const sg_aligned_shard *a);
/* Returns ranks + 1 values: the first row of each rank and the total number of rows, or {0, rows} if the rows are not
 * distributed. */
const size_t *sg_aligned_shard_bounds(const sg_aligned_shard *a);
void sg_aligned_shard_free(sg_aligned_shard *a);
