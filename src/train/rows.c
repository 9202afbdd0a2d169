/* rows.c: see rows.h. */
#include "train/rows.h"

#include "base/memory.h"
#include "train/sweep.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

_Static_assert((int)SG_ROWS <= (int)SG_CHUNK, "a chunk is fed at once");

sg_status sg_rows_init(sg_rows *r, const sg_source *source, const sg_roles *columns, const sg_model *model,
                       double weight_scale)
{
    const sg_kernel *kernel;
    *r = (sg_rows){.source = source,
                   .columns = columns,
                   .model = model,
                   .weight_scale = weight_scale,
                   .most = sg_sweep_cached(source->columns)};
    sg_status st = sg_kernel_choose("f64", &kernel);
    if (st == SG_OK) st = sg_feed_init(&r->feed, model, kernel->tools, 0);
    if (st != SG_OK) return st;
    r->raw = sg_alloc(source->columns, r->most * sizeof(double));
    r->filled = sg_alloc(model->a.out, SG_ROWS * sizeof(double));
    r->opened = sg_alloc(model->a.out, SG_ROWS * sizeof(double));
    r->z = model->one_view ? r->filled : sg_alloc(model->z.out, SG_ROWS * sizeof(double));
    r->t = sg_alloc(columns->targets, SG_ROWS * sizeof(double));
    r->w = sg_alloc(SG_ROWS, sizeof(double));
    if (r->raw && r->filled && r->opened && r->z && r->t && r->w) return SG_OK;
    sg_rows_release(r);
    return sg_fail(SG_ENOMEM, "out of memory for rows");
}

void sg_rows_release(sg_rows *r)
{
    sg_feed_release(&r->feed);
    free(r->raw);
    if (r->z != r->filled) free(r->z);
    free(r->filled);
    free(r->opened);
    free(r->t);
    free(r->w);
    *r = (sg_rows){0};
}

/* Columns of a chunk become rows. */
static void turn(const double *column, size_t width, size_t n, double *row)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++) *row++ = column[k * SG_PITCH + i];
}

static void open_gaps(const double *missing, size_t width, size_t n, double *row)
{
    for (size_t i = 0; i < n; i++)
        for (size_t k = 0; k < width; k++, row++)
            if (missing[k * SG_PITCH + i] > 0) *row = NAN;
}

static void take(sg_rows *r, const double *raw, size_t n)
{
    const sg_roles *c = r->columns;
    const sg_model *m = r->model;
    const size_t stride = r->source->columns;
    sg_feed_rows(&r->feed, raw, stride, c->input, n);
    turn(r->feed.a, m->a.out, n, r->filled);
    if (!m->one_view) turn(r->feed.z, m->z.out, n, r->z);
    if (r->feed.chunk.missing) {
        memcpy(r->opened, r->filled, n * m->a.out * sizeof *r->opened);
        open_gaps(r->feed.chunk.missing, m->a.out, n, r->opened);
    }
    r->a = r->feed.chunk.missing ? r->opened : r->filled;
    for (size_t i = 0; i < n; i++, raw += stride) {
        for (size_t o = 0; o < c->targets; o++)
            r->t[i * c->targets + o] = (raw[c->target[o]] - m->mean[o]) / m->scale[o];
        r->w[i] = c->weight == SG_NO_COLUMN ? 1 : raw[c->weight] * r->weight_scale;
    }
    r->n = n;
}

sg_status sg_rows_load(sg_rows *r, size_t first, size_t n)
{
    sg_status st = r->source->read(r->source->self, first, n, r->raw);
    if (st == SG_OK) take(r, r->raw, n);
    return st;
}

static size_t least(size_t a, size_t b) { return a < b ? a : b; }

sg_status sg_rows_each(sg_rows *r, size_t first, size_t n, sg_chunk_fn *see, void *arg)
{
    for (size_t done = 0, some; done < n; done += some) {
        some = least(n - done, r->most);
        sg_status st = r->source->read(r->source->self, first + done, some, r->raw);
        if (st != SG_OK) return st;
        for (size_t i = 0; i < some; i += SG_ROWS) {
            take(r, r->raw + i * r->source->columns, least(some - i, SG_ROWS));
            see(arg, r);
        }
    }
    return SG_OK;
}
