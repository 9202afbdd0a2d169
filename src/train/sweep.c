/* sweep.c: see sweep.h. */
#include "train/sweep.h"

#include "base/memory.h"
#include "base/team.h"

#include <stdlib.h>

enum { NUMBERS = 1 << 15, MOST = 4096, LEAST = 64 };
enum { LARGE = 1 << 20, BYTES_OF_BLOCK = 16 << 20, BYTES_OF_ROUND = 64 << 20, BYTES_OF_SUMS = 512 << 20 };

size_t sg_sweep_cached(size_t columns)
{
    size_t rows = MOST;
    while (rows > LEAST && rows > NUMBERS / columns) rows /= 2;
    return rows;
}

size_t sg_sweep_sums(const sg_source *s, size_t rows) { return sg_forest_nodes(NULL, s->rows / rows + 1); }

size_t sg_sweep_rows(const sg_source *s, size_t size)
{
    size_t eighth = (s->rows / 8 / MOST + 1) * MOST, rows = BYTES_OF_BLOCK / sizeof(double) / s->columns / MOST * MOST;
    if (size <= LARGE || s->rows <= MOST) return MOST;
    if (rows == 0) rows = MOST;
    while (rows < eighth && sg_sweep_sums(s, rows) > BYTES_OF_SUMS / size) rows *= 2;
    return rows < eighth ? rows : eighth;
}

/* A few blocks a thread; of large sums one, or fewer than there are threads. */
static size_t round_of(const sg_sweep *w, size_t size)
{
    size_t threads = sg_pool_threads(w->pool), most = size > LARGE ? BYTES_OF_ROUND / size : threads;
    if (threads == 1 || most == 0) return 1;
    return size <= LARGE ? 8 * threads : most < threads ? most : threads;
}

static sg_status make_bounds(sg_sweep *w)
{
    size_t ranks = sg_team_ranks(w->source.team);
    w->bound = sg_alloc(ranks + 1, sizeof *w->bound);
    if (!w->bound) return sg_fail(SG_ENOMEM, "out of memory for sums");
    for (size_t i = 0; i <= ranks; i++) {
        size_t row = sg_aligned_bounds(w->aligned)[i];
        w->bound[i] = row / w->rows + (row % w->rows != 0);
    }
    return SG_OK;
}

sg_status sg_sweep_init(sg_sweep *w, const sg_source *of, size_t rows, size_t size, sg_block_sum_fn *add,
                        sg_merge_fn *merge, void *arg, sg_pool *pool)
{
    *w = (sg_sweep){.rows = rows, .add = add, .arg = arg, .pool = pool};
    sg_status st = sg_aligned_new(of, rows, &w->aligned);
    if (st != SG_OK) return st;
    w->source = sg_aligned_source(w->aligned);
    w->round = round_of(w, size);
    st = make_bounds(w);
    if (st == SG_OK) st = sg_forest_init(&w->forest, of->team, of->rows / rows + 1, w->round, size, merge, arg);
    if (st != SG_OK) sg_sweep_release(w);
    return st;
}

void sg_sweep_release(sg_sweep *w)
{
    sg_forest_release(&w->forest);
    sg_aligned_free(w->aligned);
    free(w->bound);
    *w = (sg_sweep){0};
}

const sg_source *sg_sweep_source(const sg_sweep *w) { return &w->source; }

static sg_status one_block(void *arg, size_t i, size_t worker)
{
    const sg_sweep *w = arg;
    size_t first = (w->at + i) * w->rows, left = w->source.rows - first;
    return w->add(w->arg, worker, first, left < w->rows ? left : w->rows, sg_forest_slot(&w->forest, w->base + i));
}

static sg_status add_blocks(sg_sweep *w, size_t first, size_t last)
{
    sg_status st = SG_OK;
    sg_forest_begin(&w->forest, first);
    for (w->at = first; st == SG_OK && w->at < last; w->at += w->round) {
        size_t n = last - w->at < w->round ? last - w->at : w->round;
        w->base = w->forest.count;
        st = sg_pool_run(w->pool, n, one_block, w);
        for (size_t i = 0; st == SG_OK && i < n; i++) sg_forest_add(&w->forest, 0, w->base + i);
    }
    return st;
}

sg_status sg_sweep_run(sg_sweep *w, void **sum)
{
    const sg_team *team = w->source.team;
    size_t rank = sg_team_rank(team);
    sg_status st = sg_team_agree(team, add_blocks(w, w->bound[rank], w->bound[rank + 1]));
    if (st == SG_OK && team) st = sg_forest_reduce(&w->forest, team, w->bound);
    if (st == SG_OK) *sum = sg_forest_root(&w->forest);
    return st;
}
