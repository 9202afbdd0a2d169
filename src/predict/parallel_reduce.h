/* parallel_reduce.h: one pass over all rows of a source that sums something up: moments, a Gram matrix, errors.
 *
 * Rows are cut into blocks; each block's sum is made by itself, by any thread, with the member of a team that holds
 * the rows, and sums are put together in a fixed tree (tree_reduce.h). So the bits depend on the data and on the size
 * of a block alone. */
#ifndef SG_PREDICT_PARALLEL_REDUCE_H
#define SG_PREDICT_PARALLEL_REDUCE_H

#include "base/thread/thread_pool.h"
#include "comm/tree_reduce.h"
#include "data/shard/shard_align.h"

/* Sets sum to that of the rows [first, first + n) of sg_parallel_reduce_source, one block. Each worker has room of its
 * own. */
typedef sg_status sg_block_sum_fn(void *arg, size_t worker, size_t first, size_t n, void *sum);

typedef struct sg_parallel_reduce {
    size_t block_rows; /* of a block */
    sg_block_sum_fn *block_sum;
    void *arg; /* of add and merge */
    sg_thread_pool *pool;
    sg_aligned_shard *aligned;
    sg_source source;
    size_t *bound;                  /* (ranks + 1): first blocks of members, and the number of all */
    size_t round;                   /* blocks at a time */
    size_t round_first, round_slot; /* the round at hand: its first block, and the slot of its sum */
    sg_tree_reduce tree;
} sg_parallel_reduce;

/* Rows of a block that is read as a whole: so many that it stays in a cache. */
size_t sg_parallel_reduce_cache_rows(size_t columns);
/* Rows of a block, if it need not be held: few enough for threads to share the work, but larger sums want fewer
 * blocks. An eighth of all rows, but no more than 16 MB, since a block is with one member of a team, which is sent
 * what others hold of it; where the sums that wait in the tree would then take more than 512 MB, blocks are twice,
 * four times, ... as large, up to that eighth: then four sums are held. */
size_t sg_parallel_reduce_block_rows(const sg_source *s, size_t size);
/* How many sums wait in the tree, at most, where a block has so many rows. */
size_t sg_parallel_reduce_max_sums(const sg_source *s, size_t rows);

/* `rows` is the size of a block, `size` of a sum in bytes. Collective, like the run. The source must outlive it. */
sg_status sg_parallel_reduce_init(sg_parallel_reduce *w, const sg_source *of, size_t rows, size_t size,
                                  sg_block_sum_fn *add, sg_merge_fn *merge, void *arg, sg_thread_pool *pool);
void sg_parallel_reduce_release(sg_parallel_reduce *w);
/* Where add finds its rows. */
const sg_source *sg_parallel_reduce_source(const sg_parallel_reduce *w);
/* *sum is valid until the next run; with a team all members get it, and all fail where one does. There must be a
 * row. Allocates nothing. */
sg_status sg_parallel_reduce_run(sg_parallel_reduce *w, void **sum);

#endif
