/* shard_align.h: rows of a team, so that every block of them is whole somewhere.
 *
 * Members hold ranges of rows that end anywhere. Here a block of `block` rows belongs to the member that holds its
 * first row, which gets copies of the others from those that follow, once: in memory, or, where they are more than
 * 16 MB, in a temporary file. Rows that lie with one process are what they were. */
#ifndef SG_DATA_SHARD_SHARD_ALIGN_H
#define SG_DATA_SHARD_SHARD_ALIGN_H

#include "data/source/source.h"

typedef struct sg_aligned_shard sg_aligned_shard;

/* Collective. `of` must outlive it. */
sg_status sg_aligned_shard_new(const sg_source *of, size_t block, sg_aligned_shard **out);
/* Its `first` and `here` are multiples of the block, but for the end of all rows. */
sg_source sg_aligned_shard_source(const sg_aligned_shard *a);
/* (ranks + 1): the first row of each member, and the number of all rows; {0, rows} without a team. */
const size_t *sg_aligned_shard_bounds(const sg_aligned_shard *a);
void sg_aligned_shard_free(sg_aligned_shard *a);

#endif
