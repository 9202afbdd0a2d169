/* rows.c: see rows.h. */
#include "train/rows.h"

#include "base/memory.h"
#include "prep/gaps.h"

#include <stdlib.h>
#include <string.h>

sg_status sg_rows_init(sg_rows *r, const sg_source *source, const sg_roles *columns,
                       const sg_model *model, double weight_scale)
{
    size_t sa = sg_view_scratch(&model->a), sz = sg_view_scratch(&model->z);
    *r = (sg_rows){.source = source, .columns = columns, .model = model,
                   .weight_scale = weight_scale};
    r->raw = sg_alloc(source->columns, SG_ROWS * sizeof(double));
    r->x = sg_alloc(columns->inputs, sizeof(double));
    r->missing = sg_alloc(columns->inputs, sizeof(double));
    r->a = sg_alloc(model->a.out, SG_ROWS * sizeof(double));
    r->filled = sg_alloc(model->a.out, SG_ROWS * sizeof(double));
    r->z = model->one_view ? r->filled : sg_alloc(model->z.out, SG_ROWS * sizeof(double));
    r->t = sg_alloc(columns->targets, SG_ROWS * sizeof(double));
    r->w = sg_alloc(SG_ROWS, sizeof(double));
    r->scratch = sg_alloc(sa > sz ? sa : sz, sizeof(double));
    if (r->raw && r->x && r->missing && r->a && r->filled && r->z && r->t && r->w && r->scratch)
        return SG_OK;
    sg_rows_release(r);
    return sg_fail(SG_ENOMEM, "out of memory for rows");
}

void sg_rows_release(sg_rows *r)
{
    free(r->raw);
    free(r->x);
    free(r->missing);
    if (r->z != r->filled) free(r->z);
    free(r->filled);
    free(r->a);
    free(r->t);
    free(r->w);
    free(r->scratch);
    *r = (sg_rows){0};
}

static void transform(sg_rows *r, size_t i)
{
    const sg_roles *c = r->columns;
    const sg_model *m = r->model;
    const double *raw = r->raw + i * r->source->columns;
    double *a = r->a + i * m->a.out, *filled = r->filled + i * m->a.out;
    for (size_t k = 0; k < c->inputs; k++) r->x[k] = raw[c->input[k]];
    bool gaps = sg_gaps_fill(c->inputs, 1, 1, m->input_mean, r->x, r->missing);
    sg_view_apply(&m->a, r->x, filled, r->scratch);
    memcpy(a, filled, m->a.out * sizeof *a);
    if (gaps && sg_gaps_pass(&m->a)) sg_gaps_open(m->a.out, r->missing, a);
    if (!m->one_view) sg_view_apply(&m->z, r->x, r->z + i * m->z.out, r->scratch);
    for (size_t o = 0; o < c->targets; o++)
        r->t[i * c->targets + o] = (raw[c->target[o]] - m->mean[o]) / m->scale[o];
    r->w[i] = c->weight == SG_NO_COLUMN ? 1 : raw[c->weight] * r->weight_scale;
}

sg_status sg_rows_load(sg_rows *r, const size_t *index, size_t first, size_t n)
{
    const sg_source *s = r->source;
    sg_status st = index ? sg_source_gather(s, index, n, r->raw) : s->read(s->self, first, n, r->raw);
    if (st != SG_OK) return st;
    r->n = n;
    for (size_t i = 0; i < n; i++) transform(r, i);
    return SG_OK;
}
