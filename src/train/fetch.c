/* fetch.c: see fetch.h. */
#include "train/fetch.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static sg_status make_coming(sg_fetch *f)
{
    f->coming = sg_alloc(1, sizeof *f->coming);
    if (!f->coming) return sg_fail(SG_ENOMEM, "out of memory for a batch of %zu rows", f->batch->n);
    sg_status st = sg_batch_init(f->coming, f->batch->total, f->batch->n);
    return st == SG_OK && f->batch->windows ? sg_batch_by_blocks(f->coming) : st;
}

static void draw_coming(void *arg, size_t number, size_t *rows)
{
    sg_fetch *f = arg;
    sg_batch_draw(f->coming, f->seed, (uint32_t)number);
    memcpy(rows, f->coming->row, f->coming->n * sizeof *rows);
}

sg_status sg_fetch_init(sg_fetch *f, const sg_source *source, sg_batch *batch, uint64_t seed, size_t iterations,
                        size_t memory)
{
    *f = (sg_fetch){.source = *source, .batch = batch, .seed = seed, .iterations = iterations};
    if (!source->slow || !batch->row) return SG_OK;
    sg_status st = sg_ahead_new(source, batch->n, batch->slices > 1, draw_coming, f, memory, &f->ahead);
    if (st == SG_OK && f->ahead) {
        f->source = sg_ahead_source(f->ahead);
        st = make_coming(f);
    }
    if (st != SG_OK) sg_fetch_release(f);
    return st;
}

void sg_fetch_release(sg_fetch *f)
{
    sg_ahead_free(f->ahead); /* its thread draws from the batch */
    if (f->coming) sg_batch_release(f->coming);
    free(f->coming);
    *f = (sg_fetch){0};
}

void sg_fetch_idle(sg_fetch *f) { f->idle = true; }

void sg_fetch_draw(sg_fetch *f, size_t k)
{
    const size_t *rows = f->ahead && !f->idle ? sg_ahead_turn(f->ahead, k, f->iterations) : NULL;
    if (!rows) {
        sg_batch_draw(f->batch, f->seed, (uint32_t)k);
        return;
    }
    memcpy(f->batch->row, rows, f->batch->n * sizeof *rows);
    f->batch->count = f->batch->n;
}
