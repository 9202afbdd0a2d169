/* batch_prefetch.c: see batch_prefetch.h. */
#include "train/batch/batch_prefetch.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static sg_status make_next_batch(sg_batch_prefetch *f)
{
    f->next = sg_calloc(1, sizeof *f->next);
    if (!f->next) return sg_fail(SG_ENOMEM, "out of memory for a batch of %zu rows", f->batch->n);
    sg_status st = sg_batch_init(f->next, f->batch->total, f->batch->n);
    return st == SG_OK && f->batch->block_shuffle ? sg_batch_use_block_shuffle(f->next) : st;
}

static void draw_next_batch(void *arg, size_t number, size_t *rows)
{
    sg_batch_prefetch *f = arg;
    sg_batch_draw(f->next, f->seed, (uint32_t)number);
    memcpy(rows, f->next->row, f->next->n * sizeof *rows);
}

sg_status sg_batch_prefetch_init(sg_batch_prefetch *f, const sg_source *source, sg_batch *batch, uint64_t seed,
                                 size_t iterations, size_t memory)
{
    *f = (sg_batch_prefetch){.source = *source, .batch = batch, .seed = seed, .iterations = iterations};
    if (!source->slow_gather || !batch->row) return SG_OK;
    sg_status st = sg_prefetch_new(source, batch->n, batch->slices > 1, draw_next_batch, f, memory, &f->prefetch);
    if (st == SG_OK && f->prefetch) {
        f->source = sg_prefetch_source(f->prefetch);
        st = make_next_batch(f);
    }
    if (st != SG_OK) sg_batch_prefetch_release(f);
    return st;
}

void sg_batch_prefetch_release(sg_batch_prefetch *f)
{
    sg_prefetch_free(f->prefetch); /* its thread draws from the batch */
    if (f->next) sg_batch_release(f->next);
    free(f->next);
    *f = (sg_batch_prefetch){0};
}

void sg_batch_prefetch_disable(sg_batch_prefetch *f) { f->disabled = true; }

void sg_batch_prefetch_draw(sg_batch_prefetch *f, size_t k)
{
    const size_t *rows = f->prefetch && !f->disabled ? sg_prefetch_advance(f->prefetch, k, f->iterations) : NULL;
    if (!rows) {
        sg_batch_draw(f->batch, f->seed, (uint32_t)k);
        return;
    }
    memcpy(f->batch->row, rows, f->batch->n * sizeof *rows);
    f->batch->count = f->batch->n;
}
