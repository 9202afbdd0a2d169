/* look.c: see look.h. */
#include "model/look.h"

#include "base/memory.h"
#include "prep/gaps.h"

#include <stdlib.h>
#include <string.h>

static size_t larger(size_t a, size_t b) { return a > b ? a : b; }

sg_status sg_look_init(sg_look *l, const sg_model *m)
{
    *l = (sg_look){.model = m};
    l->filled = sg_alloc(m->inputs, sizeof *l->filled);
    l->missing = sg_alloc(m->inputs, sizeof *l->missing);
    l->a = sg_alloc(m->a.out, sizeof *l->a);
    l->seen = sg_alloc(m->a.out, sizeof *l->seen);
    l->z_seen = sg_alloc(sg_model_terms(m), sizeof *l->z_seen);
    l->z = m->one_view ? l->a : sg_alloc(m->z.out, sizeof *l->z);
    l->scratch = sg_alloc(larger(sg_view_scratch(&m->a), sg_view_scratch(&m->z)), sizeof *l->scratch);
    l->work = sg_alloc(m->blocks, sizeof *l->work);
    bool ok = l->filled && l->missing && l->a && l->seen && l->z_seen && l->z && l->scratch && l->work;
    for (size_t b = 0; ok && b < m->blocks; b++) ok = sg_work_of_block(&l->work[b], &m->block[b]);
    if (ok) return SG_OK;
    sg_look_release(l);
    return sg_fail(SG_ENOMEM, "out of memory for a look at a model");
}

void sg_look_release(sg_look *l)
{
    for (size_t b = 0; l->work && b < l->model->blocks; b++) sg_work_release(&l->work[b]);
    free(l->work);
    if (l->z != l->a) free(l->z);
    free(l->filled);
    free(l->missing);
    free(l->a);
    free(l->seen);
    free(l->z_seen);
    free(l->scratch);
    *l = (sg_look){0};
}

void sg_look_at(sg_look *l, const double *x)
{
    const sg_model *m = l->model;
    memcpy(l->filled, x, m->inputs * sizeof *x);
    sg_gaps_fill(m->inputs, 1, 1, m->input_mean, l->filled, l->missing);
    sg_view_apply(&m->a, l->filled, l->a, l->scratch);
    if (!m->one_view) sg_view_apply(&m->z, l->filled, l->z, l->scratch);
    memcpy(l->seen, l->a, m->a.out * sizeof *l->a);
    if (sg_gaps_pass(&m->a)) sg_gaps_open(m->a.out, l->missing, l->seen);
    memcpy(l->z_seen, l->z, sg_model_terms(m) * sizeof *l->z);
    if (!m->one_view && sg_gaps_pass(&m->z)) sg_gaps_open(m->z.out, l->missing, l->z_seen);
}

const double *sg_look_seen(const sg_look *l, size_t block)
{
    return l->model->block[block].sees_z ? l->z_seen : l->seen;
}

const double *sg_look_firing(sg_look *l, size_t block)
{
    sg_firing(&l->model->block[block], sg_look_seen(l, block), NULL, &l->work[block]);
    return l->work[block].firing;
}

void sg_look_predict(sg_look *l, double *y)
{
    const sg_model *m = l->model;
    memcpy(y, m->y0, m->outputs * sizeof *y);
    for (size_t b = 0; b < m->blocks; b++) {
        sg_forward(&m->block[b], sg_look_seen(l, b), l->z, NULL, &l->work[b]);
        for (size_t o = 0; o < m->outputs; o++) y[o] += m->block[b].weight * l->work[b].y[o];
    }
    for (size_t o = 0; o < m->outputs; o++) {
        y[o] = m->mean[o] + m->scale[o] * y[o];
        if (y[o] < m->least[o]) y[o] = m->least[o];
        if (y[o] > m->most[o]) y[o] = m->most[o];
    }
}
