/* fast_grid_antecedents.h: memberships, firing levels and the antecedent gradient of a full grid.
 *
 * Memberships are relative to the largest membership in any MF of the same input. The largest product over all rules is
 * then 1, as in the reference; and if an input has two MFs, one membership is 1 and needs no exp. */
#pragma once

#include "kernel/fast/fast_consequents.h"
#include "kernel/fast/fast_dropout_mask.h"
#include "kernel/fast/fast_exp2.h"

#include <string.h>

/* --- Memberships --- */

/* Two Gaussians of one input. The difference of their squared distances is (t0 - t1)(t0 + t1). It is computed relative
 * to the midpoint of the centres, which avoids cancellation if both are far from 0. */
typedef struct mf_pair {
    vec middle, minus, plus, at_minus, at_plus;
} mf_pair;

static inline mf_pair load_mf_pair(const workspace *ws, const sg_grid_axis *in)
{
    const real *c = ws->c + in->first, *k = ws->k + in->first, half = (c[1] - c[0]) / 2;
    return (mf_pair){v_set1(c[0] + half), v_set1(k[0] - k[1]), v_set1(k[0] + k[1]), v_set1(half * k[0] + half * k[1]),
                     v_set1(half * k[0] - half * k[1])};
}

static inline vec distance_difference(const mf_pair *p, vec x)
{
    vec t = v_sub(x, p->middle);
    return v_mul(v_fma(t, p->minus, p->at_minus), v_fma(t, p->plus, p->at_plus));
}

static void two_memberships(const workspace *ws, const sg_grid_axis *in, size_t n)
{
    const real *x = ws->a + in->input * SG_PITCH;
    const mf_pair p = load_mf_pair(ws, in);
    real *u = ws->u + in->first * SG_PITCH;
    for (size_t i = 0; i < n; i += LANES) {
        vec d = distance_difference(&p, v_load(x + i)), e = v_exp2(v_neg_abs(d));
        v_store(u + i, v_select_negative(d, v_set1(1), e));
        v_store(u + SG_PITCH + i, v_select_negative(d, e, v_set1(1)));
    }
}

/* Replaces the squared distances in u with 2^(smallest - distance). */
static void relative_to_max(real *u, size_t count, size_t n)
{
    for (size_t i = 0; i < n; i += LANES) {
        vec least = v_load(u + i);
        for (size_t j = 1; j < count; j++) least = v_min(v_load(u + j * SG_PITCH + i), least);
        for (size_t j = 0; j < count; j++) {
            real *at = u + j * SG_PITCH + i;
            v_store(at, v_exp2(v_sub(least, v_load(at))));
        }
    }
}

static void any_memberships(const workspace *ws, const sg_grid_axis *in, size_t n)
{
    const real *x = ws->a + in->input * SG_PITCH;
    real *u = ws->u + in->first * SG_PITCH;
    for (size_t j = 0; j < in->count; j++) {
        vec c = v_set1(ws->c[in->first + j]), k = v_set1(ws->k[in->first + j]);
        for (size_t i = 0; i < n; i += LANES) {
            vec t = v_mul(v_sub(v_load(x + i), c), k);
            v_store(u + j * SG_PITCH + i, v_min(v_mul(t, t), v_set1(MAX_DISTANCE)));
        }
    }
    relative_to_max(u, in->count, n);
}

/* Computes memberships in MFs that are not Gaussian, by calling log_value for each row. */
static void generic_memberships(const workspace *ws, const sg_grid_axis *in, const sg_chunk *c, size_t n)
{
    const double *x = c->a + in->input * SG_PITCH;
    double p[SG_MF_MAX_PARAMETERS], scale = -ws->b->firing_scale * log2_of_e;
    real *u = ws->u + in->first * SG_PITCH;
    for (size_t j = 0; j < in->count; j++) {
        sg_mf_get(ws->b, in->first + j, p);
        for (size_t i = 0; i < n; i++) {
            double far = scale * ws->b->kind->log_value(x[i], p);
            u[j * SG_PITCH + i] = (real)(far < (double)MAX_DISTANCE ? far : (double)MAX_DISTANCE);
        }
    }
    relative_to_max(u, in->count, n);
}

/* Sets of_mfs (mfs, P) to `value` wherever the input of an MF is missing: 1 for memberships, 0 for log gradients. */
static void fill_missing_mfs(const workspace *ws, real value, real *of_mfs, size_t n)
{
    for (const sg_grid_axis *in = ws->grid.axis; in < ws->grid.axis + ws->grid.axes; in++) {
        const real *missing = ws->missing + in->input * SG_PITCH;
        for (size_t j = in->first; j < in->first + in->count; j++)
            for (size_t i = 0; i < n; i += LANES) {
                real *at = of_mfs + j * SG_PITCH + i;
                v_store(at, where_missing(missing + i, v_set1(value), v_load(at)));
            }
    }
}

static void compute_grid_memberships(const workspace *ws, const sg_chunk *c, size_t n)
{
    for (size_t j = 0; j < ws->grid.axes; j++) {
        const sg_grid_axis *in = &ws->grid.axis[j];
        if (!ws->gauss) generic_memberships(ws, in, c, n);
        else if (in->count == 2) two_memberships(ws, in, n);
        else any_memberships(ws, in, n);
    }
    if (ws->missing) fill_missing_mfs(ws, 1, ws->u, n);
}

/* --- Firing levels: products of memberships, from the last input to the first --- */

/* Stores in `to` the first `size` firing levels of `from`, multiplied by the memberships u of one MF. Starts with the
 * last level, so that `to` may overlap the end of `from`. */
TILE void multiply_tile(const real *u, const real *from, size_t size, size_t pitch, const int vecs, real *to)
{
    vec factor[4];
    EACH(v, vecs) factor[v] = v_load(u + v * LANES);
    from += size * pitch;
    to += size * pitch;
    for (size_t p = size; p-- > 0;) {
        from -= pitch;
        to -= pitch;
        EACH(v, vecs) v_store(to + v * LANES, v_mul(factor[v], v_load(from + v * LANES)));
    }
}

/* Multiplies the `size` combinations of the following inputs by the memberships of this input's MFs. Starts with
 * the last MF because `firing` is updated in place. */
static void multiply_axis(const workspace *ws, const sg_grid_axis *in, size_t size, size_t n)
{
    for (size_t k = in->count; k-- > 0;) {
        const real *u = ws->u + (in->first + k) * SG_PITCH;
        real *from = ws->firing, *to = from + k * size * ws->pitch;
        size_t i = 0;
        for (; i + 4 * LANES <= n; i += 4 * LANES) multiply_tile(u + i, from + i, size, ws->pitch, 4, to + i);
        for (; i < n; i += LANES) multiply_tile(u + i, from + i, size, ws->pitch, 1, to + i);
    }
}

/* Computes the firing levels over all inputs but the first, whose MFs change most slowly over the rules. Returns the
 * number of these levels. */
static size_t firing_inner_axes(const workspace *ws, size_t n)
{
    const sg_grid_axis *first = ws->grid.axis, *in = first + ws->grid.axes - 1;
    size_t size = in == first ? 1 : in->count;
    for (size_t k = 0; in > first && k < in->count; k++)
        memcpy(ws->firing + k * ws->pitch, ws->u + (in->first + k) * SG_PITCH, n * sizeof(real));
    for (size_t i = 0; in == first && i < n; i += LANES) v_store(ws->firing + i, v_set1(1));
    while (in > first && --in > first) {
        multiply_axis(ws, in, size, n);
        size *= in->count;
    }
    return size;
}

/* Multiplies these levels by the memberships of the first input, sets those of dropped rules to 0 and sums the rest. */
TILE void firing_first_axis(const workspace *ws, size_t size, size_t row, const int vecs, const bool drops)
{
    const sg_grid_axis *in = ws->grid.axis;
    const size_t pitch = ws->pitch, count = in->count;
    const real *all = ws->u + in->first * SG_PITCH + row;
    real *firing = ws->firing + row;
    size_t rule = ws->b->rules;
    real *to = firing + rule * pitch;
    vec sum[4];
    vbits bits[4];
    EACH(v, vecs) sum[v] = v_set1(0);
    if (drops) EACH(v, vecs)
    bits[v] = v_bits(keep_mask_at(ws, rule - 1, row + (size_t)v * LANES), (rule - 1) % 32);
    for (size_t k = count; k-- > 0;) {
        const real *u = all + k * SG_PITCH, *from = firing + size * pitch;
        vec factor[4];
        EACH(v, vecs) factor[v] = v_load(u + v * LANES);
        for (size_t p = size; p-- > 0; rule--) {
            from -= pitch;
            to -= pitch;
            bool next = drops && rule % 32 == 0;
            EACH(v, vecs)
            {
                vec f = v_mul(factor[v], v_load(from + v * LANES));
                if (next) bits[v] = v_bits(keep_mask_at(ws, rule - 1, row + (size_t)v * LANES), 31);
                if (drops) {
                    f = v_mask(f, bits[v]);
                    bits[v] = v_bits_next(bits[v]);
                }
                v_store(to + v * LANES, f);
                sum[v] = v_add(sum[v], f);
            }
        }
    }
    EACH(v, vecs) v_store(ws->sum + row + (size_t)v * LANES, sum[v]);
}

static void grid_firing(const workspace *ws, size_t n, bool drops)
{
    size_t row = 0, size = firing_inner_axes(ws, n);
    for (; row + 4 * LANES <= n; row += 4 * LANES)
        drops ? firing_first_axis(ws, size, row, 4, true) : firing_first_axis(ws, size, row, 4, false);
    for (; row < n; row += LANES)
        drops ? firing_first_axis(ws, size, row, 1, true) : firing_first_axis(ws, size, row, 1, false);
}

/* --- Backward --- */

/* For an input with two MFs, rule_y holds the log gradients of their combinations with `size` combinations of the
 * preceding inputs. Sums these per MF, and stores the sums over both MFs, which the preceding inputs need, at the start
 * of rule_y. If `fresh`, rule_y still holds the rule outputs of a single output, and the factor is applied later. */
TILE void two_mf_log_grads_tile(const workspace *ws, const sg_grid_axis *in, size_t size, size_t row, const int vecs,
                                const bool fresh)
{
    const size_t pitch = ws->pitch;
    const real *from = ws->rule_y + row, *f = ws->firing + row;
    real *to = ws->rule_y + row, *u = ws->u + in->first * SG_PITCH + row;
    vec s0[2], s1[2], y[2];
    EACH(v, vecs)
    {
        s0[v] = s1[v] = v_set1(0);
        y[v] = v_load(ws->y + row + (size_t)v * LANES);
    }
    for (size_t p = 0; p < size; p++, from += 2 * pitch, f += 2 * pitch, to += pitch) EACH(v, vecs)
        {
            const real *at = from + v * LANES;
            vec a = v_load(at), b = v_load(at + pitch);
            if (fresh) {
                a = v_mul(v_load(f + v * LANES), v_sub(a, y[v]));
                b = v_mul(v_load(f + pitch + v * LANES), v_sub(b, y[v]));
            }
            s0[v] = v_add(s0[v], a);
            s1[v] = v_add(s1[v], b);
            v_store(to + v * LANES, v_add(a, b));
        }
    EACH(v, vecs)
    {
        v_store(u + v * LANES, s0[v]);
        v_store(u + SG_PITCH + v * LANES, s1[v]);
    }
}

static void two_mf_log_grads(const workspace *ws, const sg_grid_axis *in, size_t size, size_t n, bool fresh)
{
    size_t row = 0;
    for (; row + 2 * LANES <= n; row += 2 * LANES) {
        if (fresh) two_mf_log_grads_tile(ws, in, size, row, 2, true);
        else two_mf_log_grads_tile(ws, in, size, row, 2, false);
    }
    if (row == n) return;
    if (fresh) two_mf_log_grads_tile(ws, in, size, row, 1, true);
    else two_mf_log_grads_tile(ws, in, size, row, 1, false);
}

/* Like two_mf_log_grads, for any number of MFs and one vector of rows at i. */
static void many_mf_log_grads(const workspace *ws, const sg_grid_axis *in, size_t size, size_t i)
{
    real *x = ws->rule_y + i;
    for (size_t k = 0; k < in->count; k++) {
        vec s = v_set1(0);
        for (size_t p = 0; p < size; p++) s = v_add(s, v_load(x + (p * in->count + k) * ws->pitch));
        v_store(ws->u + (in->first + k) * SG_PITCH + i, s);
    }
    for (size_t p = 0; p < size; p++) {
        vec s = v_set1(0);
        for (size_t k = 0; k < in->count; k++) s = v_add(s, v_load(x + (p * in->count + k) * ws->pitch));
        v_store(x + p * ws->pitch, s);
    }
}

/* Sums the gradients with respect to the log firing levels of the rules into gradients with respect to the log
 * memberships of the MFs. Overwrites the memberships with the result. */
static void mf_log_grads(const workspace *ws, size_t n)
{
    const size_t last = ws->grid.axes - 1;
    const bool fresh = ws->b->outputs == 1 && ws->grid.axis[last].count == 2;
    size_t size = ws->b->rules;
    if (!fresh) rule_log_grads(ws, n);
    for (size_t j = last + 1; j-- > 0;) {
        const sg_grid_axis *in = &ws->grid.axis[j];
        size /= in->count;
        if (in->count == 2) two_mf_log_grads(ws, in, size, n, fresh && j == last);
        else
            for (size_t i = 0; i < n; i += LANES) many_mf_log_grads(ws, in, size, i);
    }
    for (size_t m = 0; fresh && m < ws->b->mfs; m++)
        for (size_t i = 0; i < n; i += LANES) {
            real *u = ws->u + m * SG_PITCH + i;
            v_store(u, v_mul(v_load(u), v_load(ws->factor + i)));
        }
}

/* Sums log_grad * (x - c) and log_grad * (x - c)^2 for `mfs` (1 or 2) MFs, starting at MF j. */
TILE void grid_moments_at(workspace *ws, const real *x, size_t j, size_t n, const int mfs)
{
    const real *log_grad = ws->u + j * SG_PITCH;
    vec c[2], g[4];
    EACH(m, mfs)
    {
        c[m] = v_set1(ws->c[j + (size_t)m]);
        g[m] = g[mfs + m] = v_set1(0);
    }
    for (size_t i = 0; i < n; i += LANES) EACH(m, mfs)
        {
            vec t = v_sub(v_load(x + i), c[m]), w = v_mul(v_load(log_grad + m * SG_PITCH + i), t);
            g[m] = v_add(g[m], w);
            g[mfs + m] = v_fma(w, t, g[mfs + m]);
        }
    EACH(m, mfs)
    {
        ws->moment1[j + (size_t)m] += v_reduce_add(g[m]);
        ws->moment2[j + (size_t)m] += v_reduce_add(g[mfs + m]);
    }
}

static void grid_moments(workspace *ws, const sg_grid_axis *in, size_t n)
{
    const real *x = ws->a + in->input * SG_PITCH;
    size_t j = in->first, end = in->first + in->count;
    for (; j + 2 <= end; j += 2) grid_moments_at(ws, x, j, n, 2);
    if (j < end) grid_moments_at(ws, x, j, n, 1);
}

static void grid_partials(workspace *ws, const sg_grid_axis *in, const sg_chunk *c)
{
    const double *x = c->a + in->input * SG_PITCH;
    const sg_block *b = ws->b;
    double p[SG_MF_MAX_PARAMETERS], d[SG_MF_MAX_PARAMETERS];
    for (size_t j = in->first; j < in->first + in->count; j++) {
        sg_mf_get(b, j, p);
        for (size_t i = 0; i < c->n; i++) {
            b->kind->gradient(x[i], p, d);
            for (size_t k = 0; k < b->kind->arity; k++)
                ws->partial[k * b->mfs + j] += b->firing_scale * (double)ws->u[j * SG_PITCH + i] * d[k];
        }
    }
}

static void grid_backward(workspace *ws, const sg_chunk *c, size_t n)
{
    mf_log_grads(ws, n);
    if (ws->missing) fill_missing_mfs(ws, 0, ws->u, n);
    for (size_t j = 0; j < ws->grid.axes; j++) {
        if (ws->gauss) grid_moments(ws, &ws->grid.axis[j], n);
        else grid_partials(ws, &ws->grid.axis[j], c);
    }
}
