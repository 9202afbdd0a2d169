/* transform_pipeline.c: sequences of transforms that are applied to the features of a row. */
#include "prep/transform_pipeline.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static const sg_transform_kind *const kinds[] = {&sg_transform_zscore, &sg_transform_clamp, &sg_transform_quantile,
                                                 &sg_transform_pca};

const sg_transform_kind *sg_transform_find(const char *name)
{
    for (size_t i = 0; i < sizeof kinds / sizeof *kinds; i++)
        if (strcmp(kinds[i]->name, name) == 0) return kinds[i];
    return NULL;
}

sg_transform *sg_pipeline_append(sg_pipeline *v, const sg_transform_kind *kind, size_t out)
{
    sg_transform *grown = realloc(v->step, (v->steps + 1) * sizeof *grown);
    if (!grown) return NULL;
    v->step = grown;
    sg_transform *s = &v->step[v->steps];
    *s = (sg_transform){.kind = kind, .in = v->out, .out = out};
    s->parameter[0] = sg_calloc(kind->count(s, 0), sizeof(double));
    s->parameter[1] = sg_calloc(kind->count(s, 1), sizeof(double));
    if (!s->parameter[0] || !s->parameter[1]) {
        free(s->parameter[0]);
        free(s->parameter[1]);
        return NULL;
    }
    v->steps++;
    v->out = out;
    return s;
}

bool sg_pipeline_copy(const sg_pipeline *v, sg_pipeline *out)
{
    *out = (sg_pipeline){.in = v->in, .out = v->in};
    for (size_t i = 0; i < v->steps; i++) {
        const sg_transform *from = &v->step[i];
        sg_transform *to = sg_pipeline_append(out, from->kind, from->out);
        if (!to) {
            sg_pipeline_release(out);
            return false;
        }
        for (int k = 0; k < 2; k++)
            memcpy(to->parameter[k], from->parameter[k], from->kind->count(from, k) * sizeof(double));
    }
    return true;
}

void sg_pipeline_release(sg_pipeline *v)
{
    for (size_t i = 0; i < v->steps; i++) {
        free(v->step[i].parameter[0]);
        free(v->step[i].parameter[1]);
    }
    free(v->step);
    *v = (sg_pipeline){0};
}

static size_t max_width(const sg_pipeline *v)
{
    size_t w = v->in;
    for (size_t i = 0; i < v->steps; i++)
        if (v->step[i].out > w) w = v->step[i].out;
    return w;
}

size_t sg_pipeline_scratch_size(const sg_pipeline *v) { return 2 * max_width(v); }

void sg_pipeline_clamp_output(const sg_pipeline *v, size_t n, size_t pitch, const double *x, double *z)
{
    bool clamped = v->steps && v->step[v->steps - 1].kind == &sg_transform_clamp;
    if (clamped) return; /* z already holds the clamped values */
    for (size_t k = 0; k < v->out; k++)
        for (size_t i = k * pitch; i < k * pitch + n; i++) z[i] = sg_transform_clamp_finite(x[i]);
}

void sg_pipeline_apply_batch(const sg_pipeline *v, size_t n, size_t pitch, const double *x, double *z, double *scratch)
{
    double *spare = scratch + max_width(v) * pitch;
    const double *at = x;
    for (size_t i = 0; i < v->steps; i++) {
        double *to = i + 1 == v->steps ? z : at == scratch ? spare : scratch;
        v->step[i].kind->apply(&v->step[i], n, pitch, at, to);
        at = to;
    }
    sg_pipeline_clamp_output(v, n, pitch, at, z);
}

void sg_pipeline_apply(const sg_pipeline *v, const double *x, double *z, double *scratch)
{
    sg_pipeline_apply_batch(v, 1, 1, x, z, scratch);
}

bool sg_pipeline_is_elementwise(const sg_pipeline *v)
{
    for (size_t i = 0; i < v->steps; i++)
        if (!v->step[i].kind->values_per_feature) return false;
    return true;
}

bool sg_pipeline_is_affine(const sg_pipeline *v)
{
    for (size_t i = 0; i < v->steps; i++)
        if (!v->step[i].kind->compose) return false;
    return true;
}

double sg_pipeline_inverse(const sg_pipeline *v, size_t i, double z)
{
    for (size_t k = v->steps; k-- > 0;) z = sg_transform_clamp_finite(v->step[k].kind->inverse(&v->step[k], i, z));
    return z;
}

sg_status sg_pipeline_affine(const sg_pipeline *v, double *matrix, double *shift)
{
    size_t wide = max_width(v);
    double *m[2] = {sg_calloc(wide * v->in, sizeof(double)), sg_calloc(wide * v->in, sizeof(double))};
    double *s[2] = {sg_calloc(wide, sizeof(double)), sg_calloc(wide, sizeof(double))};
    bool ok = m[0] && m[1] && s[0] && s[1];
    if (ok) {
        for (size_t i = 0; i < v->in; i++) m[0][i * v->in + i] = 1;
        size_t at = 0;
        for (size_t i = 0; i < v->steps; i++) {
            const sg_transform *step = &v->step[i];
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
    return ok ? SG_OK : sg_fail_out_of_memory("a transform");
}

/* --- missing inputs --- */

bool sg_missing_impute(size_t columns, size_t n, size_t pitch, const double *mean, double *x, double *missing)
{
    bool any = false;
    for (size_t k = 0; k < columns; k++)
        for (size_t i = k * pitch; i < k * pitch + n; i++) {
            bool is_missing = isnan(x[i]);
            missing[i] = is_missing;
            if (is_missing) x[i] = mean[k];
            any = any || is_missing;
        }
    return any;
}

void sg_missing_restore(size_t columns, const double *missing, double *x)
{
    for (size_t k = 0; k < columns; k++)
        if (missing[k] > 0) x[k] = NAN;
}
