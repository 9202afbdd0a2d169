/* fetch.c: see fetch.h. */
#include "train/fetch.h"

#include "base/memory.h"

#include <stdlib.h>

enum { DEEPEST = 8 };

static size_t bytes_of(const sg_source *s, size_t rows)
{
    size_t one, all;
    if (!sg_mul(s->columns + 2, sizeof(double), &one) || !sg_mul(one, rows, &all)) return SIZE_MAX;
    return all;
}

/* How many lists of so many rows fit, besides the current one. */
static size_t depth_for(const sg_source *s, size_t rows, size_t memory)
{
    size_t one = bytes_of(s, rows), lists = one ? memory / one : 0;
    return lists < 2 ? 0 : lists - 1 < DEEPEST ? lists - 1 : DEEPEST;
}

sg_status sg_fetch_init(sg_fetch *f, const sg_source *source, sg_batch *batch, uint64_t seed, size_t iterations,
                        size_t memory)
{
    *f = (sg_fetch){.source = *source, .batch = batch, .seed = seed, .iterations = iterations, .asked = SIZE_MAX};
    if (!source->slow || !batch->row) return SG_OK;
    size_t window = batch->windows ? batch->windows->most : 0;
    f->by_window = window && depth_for(source, window, memory) > 0;
    size_t n = f->by_window ? window : batch->n;
    f->depth = f->by_window ? 1 : depth_for(source, n, memory);
    if (f->depth == 0) return SG_OK;
    if (f->by_window && !(f->row = sg_alloc(n, sizeof *f->row))) return sg_fail(SG_ENOMEM, "out of memory for rows");
    sg_status st = sg_ahead_new(source, n, f->depth, &f->ahead);
    if (st != SG_OK) sg_fetch_release(f);
    else f->source = sg_ahead_source(f->ahead);
    return st;
}

void sg_fetch_release(sg_fetch *f)
{
    sg_ahead_free(f->ahead);
    free(f->row);
    *f = (sg_fetch){0};
}

void sg_fetch_idle(sg_fetch *f) { f->idle = true; }

static size_t list_of(const sg_fetch *f, size_t k) { return f->by_window ? sg_windows_number(f->batch->windows, k) : k; }

static void ask(sg_fetch *f, size_t number)
{
    if (f->by_window) {
        sg_ahead_ask(f->ahead, number, f->row, sg_windows_rows(f->batch->windows, f->seed, number, f->row));
        return;
    }
    sg_batch_draw(f->batch, f->seed, (uint32_t)number);
    sg_ahead_ask(f->ahead, number, f->batch->row, f->batch->count);
}

/* From the list after the last that was asked for; from the current one, at first and where a training goes on
 * from elsewhere. */
static void ask_ahead(sg_fetch *f, size_t k)
{
    size_t now = list_of(f, k), last = list_of(f, f->iterations), end = now + f->depth < last ? now + f->depth : last;
    bool known = f->asked != SIZE_MAX && f->asked >= now && f->asked <= now + f->depth;
    for (size_t number = known ? f->asked + 1 : now; number <= end; number++) {
        ask(f, number);
        f->asked = number;
    }
    sg_ahead_turn(f->ahead, now);
}

void sg_fetch_draw(sg_fetch *f, size_t k)
{
    if (f->ahead && !f->idle && k <= f->iterations) ask_ahead(f, k);
    sg_batch_draw(f->batch, f->seed, (uint32_t)k);
}
