/* parallel_reduce.h: reduces all rows of a source to one sum in one pass, such as moments, a Gram matrix or errors.
 *
 * Rows are cut into blocks. One thread of the rank that holds a block computes its sum, and the sums are combined in a
 * fixed tree (tree_reduce.h), so the result depends, to the last bit, only on the data and the block size. */
#pragma once

#include "base/thread/thread_pool.h"
#include "comm/tree_reduce.h"
#include "data/distributed/realigned_shard.h"

/* Computes the sum of one block, rows [first, first + n) of sg_parallel_reduce_source. `worker` is the thread index. */
typedef sg_status sg_block_sum_fn(void *arg, size_t worker, size_t first, size_t n, void *sum);

typedef struct sg_parallel_reduce {
    size_t block_rows;
    sg_block_sum_fn *block_sum;
    void *arg; /* passed to block_sum and merge */
    sg_thread_pool *pool;
    sg_aligned_shard *aligned;
    sg_source source;
    size_t *bound;                  /* (ranks + 1): the first block of each rank, then the number of blocks */
    size_t round;                   /* number of blocks per round */
    size_t round_first, round_slot; /* first block of the current round, and the slot of its sum */
    sg_tree_reduce tree;
} sg_parallel_reduce;

/* Returns the size, in rows, of blocks that are read as a whole and should stay in the CPU cache. */
size_t sg_parallel_reduce_cache_rows(size_t columns);
/* Returns the size, in rows, of blocks that are read in parts: 4,096 if sums are small. If sums are large, blocks are
 * larger, so that there are fewer of them: up to 16 MB each, but at most an eighth of all rows, because a block belongs
 * to one rank, which must receive any part of it that other ranks hold. If the partial sums in the tree would still
 * take more than 512 MB, the size is doubled repeatedly, up to that eighth. size: the number of bytes of a sum. */
size_t sg_parallel_reduce_block_rows(const sg_source *s, size_t size);
/* Returns the maximum number of partial sums in the tree for blocks of this many rows. */
size_t sg_parallel_reduce_max_sums(const sg_source *s, size_t rows);

/* rows: the block size; size: the number of bytes of a sum. The source must outlive *w. If the source is distributed,
 * this function and sg_parallel_reduce_run are collective. */
sg_status sg_parallel_reduce_init(sg_parallel_reduce *w, const sg_source *source, size_t rows, size_t size,
                                  sg_block_sum_fn *block_sum, sg_merge_fn *merge, void *arg, sg_thread_pool *pool);
void sg_parallel_reduce_release(sg_parallel_reduce *w);
/* Returns the source that block_sum must read from. */
const sg_source *sg_parallel_reduce_source(const sg_parallel_reduce *w);
/* Stores a pointer to the sum, which is valid until the next run. All ranks get the sum, and all fail if one fails.
 * There must be at least one row. Allocates no memory. */
sg_status sg_parallel_reduce_run(sg_parallel_reduce *w, void **sum);
