/* parallel_reduce.c: parallel reduction over rows, whose result is bitwise identical for any number of threads and
 * ranks. */
#include "rows/parallel_reduce.h"

#include "base/memory.h"
#include "comm/collectives.h"

#include <stdlib.h>

enum { CACHE_DOUBLES = 1 << 15, MAX_ROWS = 4096, MIN_ROWS = 64 };
enum { LARGE_SUM = 1 << 20, BLOCK_BYTES = 16 << 20, ROUND_BYTES = 64 << 20, SUM_BYTES = 512 << 20 };

size_t sg_parallel_reduce_cache_rows(size_t columns)
{
    size_t rows = MAX_ROWS;
    while (rows > MIN_ROWS && rows > CACHE_DOUBLES / columns) rows /= 2;
    return rows;
}

size_t sg_parallel_reduce_max_sums(const sg_source *s, size_t rows)
{
    return sg_tree_reduce_max_nodes(NULL, s->rows / rows + 1);
}

size_t sg_parallel_reduce_block_rows(const sg_source *s, size_t size)
{
    size_t eighth = (s->rows / 8 / MAX_ROWS + 1) * MAX_ROWS,
           rows = BLOCK_BYTES / sizeof(double) / s->columns / MAX_ROWS * MAX_ROWS;
    if (size <= LARGE_SUM || s->rows <= MAX_ROWS) return MAX_ROWS;
    if (rows == 0) rows = MAX_ROWS;
    while (rows < eighth && sg_parallel_reduce_max_sums(s, rows) > SUM_BYTES / size) rows *= 2;
    return rows < eighth ? rows : eighth;
}

/* Returns the number of blocks per round: several per thread, or at most one per thread if sums are large. */
static size_t blocks_per_round(const sg_parallel_reduce *w, size_t size)
{
    size_t threads = sg_thread_pool_threads(w->pool), most = size > LARGE_SUM ? ROUND_BYTES / size : threads;
    if (threads == 1 || most == 0) return 1;
    return size <= LARGE_SUM ? 8 * threads : most < threads ? most : threads;
}

static sg_status make_bounds(sg_parallel_reduce *w)
{
    size_t ranks = sg_comm_ranks(w->source.comm);
    w->bound = sg_calloc(ranks + 1, sizeof *w->bound);
    if (!w->bound) return sg_fail_out_of_memory("the sums of blocks");
    for (size_t i = 0; i <= ranks; i++) {
        size_t row = sg_aligned_shard_bounds(w->aligned)[i];
        w->bound[i] = row / w->block_rows + (row % w->block_rows != 0);
    }
    return SG_OK;
}

sg_status sg_parallel_reduce_init(sg_parallel_reduce *w, const sg_source *source, size_t rows, size_t size,
                                  sg_block_sum_fn *block_sum, sg_merge_fn *merge, void *arg, sg_thread_pool *pool)
{
    *w = (sg_parallel_reduce){.block_rows = rows, .block_sum = block_sum, .arg = arg, .pool = pool};
    sg_status st = sg_aligned_shard_new(source, rows, &w->aligned);
    if (st != SG_OK) return st;
    w->source = sg_aligned_shard_source(w->aligned);
    w->round = blocks_per_round(w, size);
    st = make_bounds(w);
    if (st == SG_OK)
        st = sg_tree_reduce_init(&w->tree, source->comm, source->rows / rows + 1, w->round, size, merge, arg);
    if (st != SG_OK) sg_parallel_reduce_release(w);
    return st;
}

void sg_parallel_reduce_release(sg_parallel_reduce *w)
{
    sg_tree_reduce_release(&w->tree);
    sg_aligned_shard_free(w->aligned);
    free(w->bound);
    *w = (sg_parallel_reduce){0};
}

const sg_source *sg_parallel_reduce_source(const sg_parallel_reduce *w) { return &w->source; }

static sg_status sum_block(void *arg, size_t i, size_t worker)
{
    const sg_parallel_reduce *w = arg;
    size_t first = (w->round_first + i) * w->block_rows, left = w->source.rows - first;
    return w->block_sum(w->arg, worker, first, left < w->block_rows ? left : w->block_rows,
                        sg_tree_reduce_slot(&w->tree, w->round_slot + i));
}

static sg_status add_blocks(sg_parallel_reduce *w, size_t first, size_t last)
{
    sg_status st = SG_OK;
    sg_tree_reduce_reset(&w->tree, first);
    for (w->round_first = first; st == SG_OK && w->round_first < last; w->round_first += w->round) {
        size_t n = last - w->round_first < w->round ? last - w->round_first : w->round;
        w->round_slot = w->tree.count;
        st = sg_thread_pool_run(w->pool, n, sum_block, w);
        for (size_t i = 0; st == SG_OK && i < n; i++) sg_tree_reduce_push(&w->tree, 0, w->round_slot + i);
    }
    return st;
}

sg_status sg_parallel_reduce_run(sg_parallel_reduce *w, void **sum)
{
    const sg_comm *comm = w->source.comm;
    size_t rank = sg_comm_rank(comm);
    sg_status st = sg_comm_agree_status(comm, add_blocks(w, w->bound[rank], w->bound[rank + 1]));
    if (st == SG_OK && comm) st = sg_tree_reduce_allreduce(&w->tree, comm, w->bound);
    if (st == SG_OK) *sum = sg_tree_reduce_finish(&w->tree);
    return st;
}
