/* view.c: chains of steps. */
#include "prep/view.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const sg_step_kind *const kinds[] = {&sg_step_zscore, &sg_step_clamp, &sg_step_quantile, &sg_step_pca};

const sg_step_kind *sg_step_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
    return NULL;
}

sg_step *sg_view_append(sg_view *v, const sg_step_kind *kind, size_t out)
{
    sg_step *grown = realloc(v->step, (v->steps + 1) * sizeof *grown);
    if (!grown) return NULL;
    v->step = grown;
    sg_step *s = &v->step[v->steps];
    *s = (sg_step){.kind = kind, .in = v->out, .out = out};
    s->number[0] = sg_alloc(kind->count(s, 0), sizeof(double));
    s->number[1] = sg_alloc(kind->count(s, 1), sizeof(double));
    if (!s->number[0] || !s->number[1]) {
        free(s->number[0]);
        free(s->number[1]);
        return NULL;
    }
    v->steps++;
    v->out = out;
    return s;
}

bool sg_view_copy(const sg_view *v, sg_view *out)
{
    *out = (sg_view){.in = v->in, .out = v->in};
    for (size_t i = 0; i < v->steps; i++) {
        const sg_step *from = &v->step[i];
        sg_step *to = sg_view_append(out, from->kind, from->out);
        if (!to) {
            sg_view_release(out);
            return false;
        }
        for (int k = 0; k < 2; k++) memcpy(to->number[k], from->number[k], from->kind->count(from, k) * sizeof(double));
    }
    return true;
}

void sg_view_release(sg_view *v)
{
    for (size_t i = 0; i < v->steps; i++) {
        free(v->step[i].number[0]);
        free(v->step[i].number[1]);
    }
    free(v->step);
    *v = (sg_view){0};
}

static size_t widest(const sg_view *v)
{
    size_t w = v->in;
    for (size_t i = 0; i < v->steps; i++)
        if (v->step[i].out > w) w = v->step[i].out;
    return w;
}

size_t sg_view_scratch(const sg_view *v) { return 2 * widest(v); }

/* Further on, infinities could meet and make a NaN. */
static double bounded(double x)
{
    double v = x < -SG_FARTHEST ? -SG_FARTHEST : x;
    return v > SG_FARTHEST ? SG_FARTHEST : v;
}

void sg_view_finish(const sg_view *v, size_t n, size_t pitch, const double *x, double *z)
{
    bool clamped = v->steps && v->step[v->steps - 1].kind == &sg_step_clamp;
    if (clamped) return; /* it is in z, within bounds */
    for (size_t k = 0; k < v->out; k++)
        for (size_t i = k * pitch; i < k * pitch + n; i++) z[i] = bounded(x[i]);
}

void sg_view_rows(const sg_view *v, size_t n, size_t pitch, const double *x, double *z, double *scratch)
{
    double *spare = scratch + widest(v) * pitch;
    const double *at = x;
    for (size_t i = 0; i < v->steps; i++) {
        double *to = i + 1 == v->steps ? z : at == scratch ? spare : scratch;
        v->step[i].kind->apply(&v->step[i], n, pitch, at, to);
        at = to;
    }
    sg_view_finish(v, n, pitch, at, z);
}

void sg_view_apply(const sg_view *v, const double *x, double *z, double *scratch)
{
    sg_view_rows(v, 1, 1, x, z, scratch);
}

bool sg_view_is_affine(const sg_view *v)
{
    for (size_t i = 0; i < v->steps; i++)
        if (!v->step[i].kind->compose) return false;
    return true;
}

double sg_view_inverse(const sg_view *v, size_t i, double z)
{
    for (size_t k = v->steps; k-- > 0;) z = bounded(v->step[k].kind->inverse(&v->step[k], i, z));
    return z;
}

sg_status sg_view_affine(const sg_view *v, double *matrix, double *shift)
{
    size_t wide = widest(v);
    double *m[2] = {sg_alloc(wide * v->in, sizeof(double)), sg_alloc(wide * v->in, sizeof(double))};
    double *s[2] = {sg_alloc(wide, sizeof(double)), sg_alloc(wide, sizeof(double))};
    bool ok = m[0] && m[1] && s[0] && s[1];
    if (ok) {
        for (size_t i = 0; i < v->in; i++) m[0][i * v->in + i] = 1;
        size_t at = 0;
        for (size_t i = 0; i < v->steps; i++) {
            const sg_step *step = &v->step[i];
            if (!step->kind->compose) continue;
            step->kind->compose(step, v->in, m[at], s[at], m[at ^ 1], s[at ^ 1]);
            at ^= 1;
        }
        memcpy(matrix, m[at], v->out * v->in * sizeof(double));
        memcpy(shift, s[at], v->out * sizeof(double));
    }
    for (int k = 0; k < 2; k++) {
        free(m[k]);
        free(s[k]);
    }
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a transform");
}
