/* predict.c: predictions in the units of the data, and what the rules see of a row. */
#include "model/predict.h"

#include "base/memory.h"

#include <float.h>
#include <stdlib.h>

sg_status sg_seer_init(sg_seer *s, const sg_model *m)
{
    size_t scratch = sg_view_scratch(&m->a), other = sg_view_scratch(&m->z);
    *s = (sg_seer){.model = m};
    sg_status st = sg_work_init(&s->work, m);
    if (st != SG_OK) return st;
    s->a = sg_alloc(m->a.out, sizeof *s->a);
    s->z = m->one_view ? s->a : sg_alloc(m->z.out, sizeof *s->z);
    s->scratch = sg_alloc(scratch > other ? scratch : other, sizeof *s->scratch);
    if (s->a && s->z && s->scratch) return SG_OK;
    sg_seer_release(s);
    return sg_fail(SG_ENOMEM, "out of memory for a prediction");
}

void sg_seer_release(sg_seer *s)
{
    sg_work_release(&s->work);
    if (s->z != s->a) free(s->z);
    free(s->a);
    free(s->scratch);
    *s = (sg_seer){0};
}

void sg_seer_row(sg_seer *s, const double *x, double *y)
{
    const sg_model *m = s->model;
    sg_view_apply(&m->a, x, s->a, s->scratch);
    if (!m->one_view) sg_view_apply(&m->z, x, s->z, s->scratch);
    sg_model_forward(m, s->a, s->z, &s->work, y);
    for (size_t o = 0; o < m->outputs; o++) { /* only a NaN among the inputs can make one here */
        double value = m->mean[o] + m->scale[o] * y[o];
        y[o] = value > DBL_MAX ? DBL_MAX : value < -DBL_MAX ? -DBL_MAX : value;
    }
}

sg_status sg_model_predict(const sg_model *m, const double *x, size_t rows, double *y)
{
    sg_seer seer;
    sg_status st = sg_seer_init(&seer, m);
    if (st != SG_OK) return st;
    for (size_t r = 0; r < rows; r++) sg_seer_row(&seer, x + r * m->inputs, y + r * m->outputs);
    sg_seer_release(&seer);
    return SG_OK;
}

size_t sg_model_view_width(const sg_model *m) { return m->a.out; }

sg_status sg_model_view(const sg_model *m, const double *x, size_t rows, double *a)
{
    double *scratch = sg_alloc(sg_view_scratch(&m->a), sizeof *scratch);
    if (!scratch) return sg_fail(SG_ENOMEM, "out of memory for a transform");
    for (size_t r = 0; r < rows; r++)
        sg_view_apply(&m->a, x + r * m->inputs, a + r * m->a.out, scratch);
    free(scratch);
    return SG_OK;
}
