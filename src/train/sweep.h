/* sweep.h: one pass over all rows of a source that sums something up: moments, a Gram matrix, errors.
 *
 * Rows are cut into blocks; each block's sum is made by itself, by any thread, with the member of a team that holds
 * the rows, and sums are put together in a fixed tree (forest.h). So the bits depend on the data and on the size of
 * a block alone. */
#ifndef SG_TRAIN_SWEEP_H
#define SG_TRAIN_SWEEP_H

#include "base/pool.h"
#include "data/aligned.h"
#include "train/forest.h"

/* Sets sum to that of the rows [first, first + n) of sg_sweep_source, one block. Each worker has room of its own. */
typedef sg_status sg_block_sum_fn(void *arg, size_t worker, size_t first, size_t n, void *sum);

typedef struct sg_sweep {
    size_t rows; /* of a block */
    sg_block_sum_fn *add;
    void *arg; /* of add and merge */
    sg_pool *pool;
    sg_aligned *aligned;
    sg_source source;
    size_t *bound;   /* (ranks + 1): first blocks of members, and the number of all */
    size_t round;    /* blocks at a time */
    size_t at, base; /* the round at hand: its first block, and the slot of its sum */
    sg_forest forest;
} sg_sweep;

/* Rows of a block that is read as a whole: so many that it stays in a cache. */
size_t sg_sweep_cached(size_t columns);
/* Rows of a block, if it need not be held: few enough for threads to share the work, but larger sums want fewer
 * blocks. An eighth of all rows, but no more than 16 MB, since a block is with one member of a team, which is sent
 * what others hold of it; where the sums that wait in the tree would then take more than 512 MB, blocks are twice,
 * four times, ... as large, up to that eighth: then four sums are held. */
size_t sg_sweep_rows(const sg_source *s, size_t size);
/* How many sums wait in the tree, at most, where a block has so many rows. */
size_t sg_sweep_sums(const sg_source *s, size_t rows);

/* `rows` is the size of a block, `size` of a sum in bytes. Collective, like the run. The source must outlive it. */
sg_status sg_sweep_init(sg_sweep *w, const sg_source *of, size_t rows, size_t size, sg_block_sum_fn *add,
                        sg_merge_fn *merge, void *arg, sg_pool *pool);
void sg_sweep_release(sg_sweep *w);
/* Where add finds its rows. */
const sg_source *sg_sweep_source(const sg_sweep *w);
/* *sum is valid until the next run; with a team all members get it, and all fail where one does. There must be a
 * row. Allocates nothing. */
sg_status sg_sweep_run(sg_sweep *w, void **sum);

#endif
