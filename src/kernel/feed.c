/* feed.c: see feed.h. */
#include "kernel/feed.h"

#include "base/memory.h"

#include <stdlib.h>

sg_status sg_feed_init(sg_feed *f, const sg_model *m)
{
    size_t sa = sg_view_scratch(&m->a), sz = sg_view_scratch(&m->z);
    *f = (sg_feed){.model = m};
    f->x = sg_alloc(m->inputs, SG_PITCH * sizeof *f->x);
    f->a = sg_alloc(m->a.out, SG_PITCH * sizeof *f->a);
    f->z = m->one_view ? f->a : sg_alloc(m->z.out, SG_PITCH * sizeof *f->z);
    f->scratch = sg_alloc(sa > sz ? sa : sz, SG_PITCH * sizeof *f->scratch);
    f->chunk = (sg_chunk){.a = f->a, .z = f->z};
    if (f->x && f->a && f->z && f->scratch) return SG_OK;
    sg_feed_release(f);
    return sg_fail(SG_ENOMEM, "out of memory for rows");
}

void sg_feed_release(sg_feed *f)
{
    free(f->x);
    if (f->z != f->a) free(f->z);
    free(f->a);
    free(f->scratch);
    *f = (sg_feed){0};
}

void sg_feed_rows(sg_feed *f, const double *rows, size_t stride, const size_t *column, size_t n)
{
    const sg_model *m = f->model;
    size_t padded = sg_feed_padded(n);
    f->chunk.n = n;
    for (size_t k = 0; k < m->inputs; k++) {
        const double *from = rows + (column ? column[k] : k);
        double *to = f->x + k * SG_PITCH;
        for (size_t i = 0; i < n; i++) to[i] = from[i * stride];
        for (size_t i = n; i < padded; i++) to[i] = to[n - 1];
    }
    sg_view_rows(&m->a, padded, SG_PITCH, f->x, f->a, f->scratch);
    if (!m->one_view) sg_view_rows(&m->z, padded, SG_PITCH, f->x, f->z, f->scratch);
}
