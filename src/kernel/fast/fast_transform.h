/* fast_transform.h: transposes rows to columns and applies the transform pipelines, in double for all kernels. The
 * results are bit-identical to those of src/prep, which handles the other transforms. */
#pragma once

#include "kernel/fast/fast_precision.h"

/* Copies one input of n rows that are `stride` apart, and pads it with the last row. A NaN makes `sum` NaN. */
static void transpose_column(const double *from, size_t stride, size_t n, size_t padded, double *to, vec *sum)
{
    size_t i = 0;
    double rest = 0;
    for (; i + LANES <= n; i += LANES) {
        vec x = v_load_strided(from + i * stride, stride);
        *sum = v_add(*sum, x);
        v_store(to + i, x);
    }
    for (; i < n; i++) rest += to[i] = from[i * stride];
    for (; i < padded; i++) to[i] = to[n - 1];
    *sum = v_add(*sum, v_set1(rest));
}

/* Transposes LANES adjacent inputs of n rows; n must be a multiple of LANES. */
static void transpose_columns(const double *from, size_t stride, size_t n, double *to, vec *sum)
{
    for (size_t i = 0; i < n; i += LANES, from += LANES * stride) {
        const double *row[LANES];
        vec column[LANES];
        EACH(k, LANES) row[k] = from + (size_t)k * stride;
        v_load_transposed(row, column);
        EACH(k, LANES) v_store(to + k * SG_PITCH + i, column[k]);
        EACH(k, LANES) sum[k] = v_add(sum[k], column[k]);
    }
}

/* Returns whether the LANES inputs k, k + 1, ... are adjacent in a row. */
static inline bool is_contiguous(const size_t *column, size_t k)
{
    for (size_t i = 1; column && i < LANES; i++)
        if (column[k + i] != column[k] + i) return false;
    return true;
}

/* Copies value column[k] (or k if column is NULL) of row i to x[k * SG_PITCH + i] and pads with the last row. Returns
 * false if there is no NaN; sums detect NaN with one addition per LANES numbers. */
static bool fast_load_columns(const sg_model *m, const double *rows, size_t stride, const size_t *column, size_t n,
                              double *x)
{
    const size_t inputs = m->features, padded = (n + 7) / 8 * 8;
    vec sum[LANES];
    size_t k = 0;
    EACH(i, LANES) sum[i] = v_set1(0);
    for (; n == padded && k + LANES <= inputs && is_contiguous(column, k); k += LANES)
        transpose_columns(rows + (column ? column[k] : k), stride, n, x + k * SG_PITCH, sum);
    for (; k < inputs; k++)
        transpose_column(rows + (column ? column[k] : k), stride, n, padded, x + k * SG_PITCH, &sum[0]);
    EACH(i, LANES - 1) sum[0] = v_add(sum[0], sum[i + 1]);
    double all = v_reduce_add(sum[0]);
    return all != all; /* also true for opposite infinities */
}

static inline vec clamp_vec(vec x, vec low, vec high) { return v_min(high, v_max(low, x)); }

static void zscore_rows(const sg_transform *s, size_t n, const double *x, double *z)
{
    for (size_t k = 0; k < s->in; k++) {
        vec mean = v_set1(s->parameter[0][k]), inverse = v_set1(1 / s->parameter[1][k]);
        for (size_t i = k * SG_PITCH; i < k * SG_PITCH + n; i += LANES)
            v_store(z + i, v_mul(v_sub(v_load(x + i), mean), inverse));
    }
}

static void clamp_rows(const sg_transform *s, size_t n, const double *x, double *z)
{
    for (size_t k = 0; k < s->in; k++) {
        vec low = v_set1(s->parameter[0][k]), high = v_set1(s->parameter[1][k]);
        for (size_t i = k * SG_PITCH; i < k * SG_PITCH + n; i += LANES)
            v_store(z + i, clamp_vec(v_load(x + i), low, high));
    }
}

/* Performs the usual first two steps of a pipeline in one pass. */
static void zscore_and_clamp_rows(const sg_transform *s, size_t n, const double *x, double *z)
{
    for (size_t k = 0; k < s->in; k++) {
        vec mean = v_set1(s->parameter[0][k]), inverse = v_set1(1 / s->parameter[1][k]);
        vec low = v_set1(s[1].parameter[0][k]), high = v_set1(s[1].parameter[1][k]);
        for (size_t i = k * SG_PITCH; i < k * SG_PITCH + n; i += LANES)
            v_store(z + i, clamp_vec(v_mul(v_sub(v_load(x + i), mean), inverse), low, high));
    }
}

static void pca_rows(const sg_transform *s, size_t n, const double *x, double *z)
{
    const vec far = v_set1(SG_TRANSFORM_MAX_ABS), near = v_set1(-SG_TRANSFORM_MAX_ABS);
    for (size_t o = 0; o < s->out; o++)
        for (size_t i = 0; i < n; i += LANES) {
            vec sum = v_set1(0);
            for (size_t k = 0; k < s->in; k++)
                sum = v_add(sum, v_mul(v_set1(s->parameter[0][o * s->in + k]),
                                       clamp_vec(v_load(x + k * SG_PITCH + i), near, far)));
            v_store(z + o * SG_PITCH + i, sum);
        }
}

/* Does the same as sg_pipeline_apply_batch for n rows stored by column; n must be a multiple of 8. */
static void transform_rows(const sg_pipeline *v, size_t n, const double *x, double *z, double *scratch)
{
    double *spare = scratch + sg_pipeline_scratch_size(v) / 2 * SG_PITCH;
    const double *at = x;
    for (size_t i = 0; i < v->steps; i++) {
        const sg_transform *s = &v->step[i];
        bool two = s->kind == &sg_transform_zscore && i + 1 < v->steps && s[1].kind == &sg_transform_clamp;
        i += two;
        double *to = i + 1 == v->steps ? z : at == scratch ? spare : scratch;
        if (two) zscore_and_clamp_rows(s, n, at, to);
        else if (s->kind == &sg_transform_zscore) zscore_rows(s, n, at, to);
        else if (s->kind == &sg_transform_clamp) clamp_rows(s, n, at, to);
        else if (s->kind == &sg_transform_pca) pca_rows(s, n, at, to);
        else s->kind->apply(s, n, SG_PITCH, at, to);
        at = to;
    }
    sg_pipeline_clamp_output(v, n, SG_PITCH, at, z);
}

static void fast_transform(const sg_model *m, size_t n, const double *x, double *a, double *z, double *scratch)
{
    size_t padded = (n + 7) / 8 * 8;
    transform_rows(&m->a, padded, x, a, scratch);
    if (!m->shared_pipeline) transform_rows(&m->z, padded, x, z, scratch);
}
