/* feed.c: see feed.h. */
#include "kernel/feed.h"

#include "base/memory.h"

#include <stdlib.h>

sg_status sg_feed_init(sg_feed *f, const sg_model *m, const sg_tools *tools)
{
    size_t sa = sg_view_scratch(&m->a), sz = sg_view_scratch(&m->z);
    *f = (sg_feed){.model = m, .tools = tools};
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
    f->chunk.n = n;
    f->tools->rows(f->model, rows, stride, column, n, f->x, f->a, f->z, f->scratch);
}
