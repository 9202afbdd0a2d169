/* feed.c: see feed.h. */
#include "kernel/feed.h"

#include "base/memory.h"

#include <stdlib.h>

sg_status sg_feed_init(sg_feed *f, const sg_model *m, const sg_tools *tools, size_t more)
{
    size_t sa = sg_view_scratch(&m->a), sz = sg_view_scratch(&m->z), scratch = sa > sz ? sa : sz;
    size_t seen = m->a.out + (m->one_view ? 0 : m->z.out), width = (seen + more + 3) / 4 * 4;
    size_t columns = m->inputs + width + scratch, bytes;
    /* Not zeroed, which would take longer than to predict a row. */
    double *memory = sg_mul(columns, SG_PITCH * sizeof *memory, &bytes) ? malloc(bytes) : NULL;
    if (!memory) return sg_fail(SG_ENOMEM, "out of memory for rows");
    *f = (sg_feed){.model = m, .tools = tools, .width = width, .x = memory};
    f->a = f->x + m->inputs * SG_PITCH;
    f->z = m->one_view ? f->a : f->a + m->a.out * SG_PITCH;
    f->more = f->a + seen * SG_PITCH;
    f->scratch = f->a + width * SG_PITCH;
    f->chunk = (sg_chunk){.a = f->a, .z = f->z};
    return SG_OK;
}

void sg_feed_release(sg_feed *f)
{
    free(f->x);
    *f = (sg_feed){0};
}

void sg_feed_rows(sg_feed *f, const double *rows, size_t stride, const size_t *column, size_t n)
{
    f->chunk.n = n;
    f->tools->rows(f->model, rows, stride, column, n, f->x, f->a, f->z, f->scratch);
}

void sg_feed_turned(sg_feed *f, const double *rows, const size_t *index, size_t n)
{
    f->chunk.n = n;
    f->tools->turn(rows, f->width, index, n, f->a);
}
