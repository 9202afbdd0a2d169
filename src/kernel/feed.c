/* feed.c: see feed.h. */
#include "kernel/feed.h"

#include "base/memory.h"
#include "prep/gaps.h"

#include <stdlib.h>

sg_status sg_feed_init(sg_feed *f, const sg_model *m, const sg_tools *tools, size_t more)
{
    size_t sa = sg_view_scratch(&m->a), sz = sg_view_scratch(&m->z), scratch = sa > sz ? sa : sz;
    size_t seen = m->a.out + (m->one_view ? 0 : m->z.out), width = (seen + more + 3) / 4 * 4;
    size_t columns = 2 * m->inputs + width + scratch, bytes;
    /* Not zeroed, which would take longer than to predict a row. */
    double *memory = sg_mul(columns, SG_PITCH * sizeof *memory, &bytes) ? malloc(bytes) : NULL;
    if (!memory) return sg_fail(SG_ENOMEM, "out of memory for rows");
    *f = (sg_feed){.model = m, .tools = tools, .width = width, .x = memory, .leaves_out = sg_gaps_pass(&m->a)};
    f->a = f->x + m->inputs * SG_PITCH;
    f->z = m->one_view ? f->a : f->a + m->a.out * SG_PITCH;
    f->more = f->a + seen * SG_PITCH;
    f->missing = f->a + width * SG_PITCH;
    f->scratch = f->missing + m->inputs * SG_PITCH;
    f->chunk = (sg_chunk){.a = f->a, .z = f->z};
    return SG_OK;
}

void sg_feed_release(sg_feed *f)
{
    free(f->x);
    *f = (sg_feed){0};
}

/* Copies of the last row, too. */
static bool fill_in(const sg_feed *f, size_t columns, size_t n, const double *mean, double *x)
{
    return sg_gaps_fill(columns, (n + 7) / 8 * 8, SG_PITCH, mean, x, f->missing);
}

void sg_feed_rows(sg_feed *f, const double *rows, size_t stride, const size_t *column, size_t n)
{
    const sg_model *m = f->model;
    bool gaps = f->tools->columns(m, rows, stride, column, n, f->x) && fill_in(f, m->inputs, n, m->input_mean, f->x);
    f->tools->views(m, n, f->x, f->a, f->z, f->scratch);
    f->chunk.n = n;
    f->chunk.missing = gaps && f->leaves_out ? f->missing : NULL;
}

void sg_feed_turned(sg_feed *f, const double *rows, const size_t *index, size_t n, const double *fill)
{
    f->tools->turn(rows, f->width, index, n, f->a);
    f->chunk.n = n;
    f->chunk.missing = fill && fill_in(f, f->model->a.out, n, fill, f->a) ? f->missing : NULL;
}
