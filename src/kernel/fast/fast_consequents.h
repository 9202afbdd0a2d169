/* fast_consequents.h: rule outputs, their firing-weighted mean, and the gradient of the consequents. */
#pragma once

#include "kernel/fast/fast_workspace.h"

#include <string.h>

/* The size of a tile of sums that, with its operands, fits into 16 registers. */
enum { TILE_RULES = 4, MAX_TILE_VECS = 3 };

/* Returns the number of vectors in the next tile. Four vectors are split into two and two. */
static inline size_t next_tile_vecs(size_t left)
{
    return left >= MAX_TILE_VECS && left != 4 ? MAX_TILE_VECS : left < 2 ? left : 2;
}

/* Computes b_r0 + sum_m b_rm z_m for `rules` (1 to 4) consecutive rules and `vecs` (1 to 3) vectors of rows at z. */
TILE void rule_outputs(const real *coef, size_t terms, const real *z, const int rules, const int vecs,
                       vec e[TILE_RULES][MAX_TILE_VECS])
{
    EACH(p, rules)
    EACH(v, vecs) e[p][v] = v_set1(coef[(size_t)p * (terms + 1)]);
    for (size_t k = 1; k <= terms; k++, z += SG_PITCH) {
        vec x[MAX_TILE_VECS];
        EACH(v, vecs) x[v] = v_pin(v_load(z + v * LANES));
        EACH(p, rules)
        {
            vec b = v_pin(v_set1(coef[(size_t)p * (terms + 1) + k]));
            EACH(v, vecs) e[p][v] = v_fma(b, x[v], e[p][v]);
        }
    }
}

/* Broadcasts each coefficient of a system with FIXED inputs to a vector, with eight rules interleaved: (rules / 8,
 * FIXED + 1, 8, LANES). */
static void broadcast_coefs(const workspace *ws)
{
    enum { WIDTH = FIXED + 1 };
    const real *coef = ws->coef, *end = coef + ws->b->rules * WIDTH;
    real *to = ws->coef_bcast;
    for (; coef < end; coef += 8 * WIDTH)
        for (size_t k = 0; k < WIDTH; k++, to += 8 * LANES)
            EACH(p, 8) v_store(to + p * LANES, v_set1(coef[p * WIDTH + k]));
}

/* Computes the outputs of eight rules for one vector of rows x from broadcast coefficients. Eight independent chains
 * keep two FMA units busy, with coefficients as memory operands. */
TILE void rule_outputs_eight(const real *coef, const vec x[FIXED], vec e[8])
{
    EACH(p, 8) e[p] = v_load(coef + p * LANES);
    EACH(k, FIXED)
    EACH(p, 8) e[p] = v_fma(v_load(coef + (8 * k + 8 + p) * LANES), x[k], e[p]);
}

/* --- Forward --- */

/* Adds weighted rule outputs to `total`. Copies fields of ws to locals, because vector stores could alias them. */
TILE void accumulate_rules(const workspace *ws, const real *coef, const real *z, const real *firing, const int rules,
                           const int vecs, const bool keep, real *rule_y, vec total[MAX_TILE_VECS])
{
    const size_t terms = ws->b->terms, pitch = ws->pitch;
    vec e[TILE_RULES][MAX_TILE_VECS];
    rule_outputs(coef, terms, z, rules, vecs, e);
    EACH(p, rules)
    EACH(v, vecs)
    {
        size_t at = (size_t)p * pitch + (size_t)v * LANES;
        if (keep) v_store(rule_y + at, e[p][v]);
        total[v] = v_fma(v_load(firing + at), e[p][v], total[v]);
    }
}

TILE void weighted_mean(const workspace *ws, size_t o, size_t row, const int vecs, const bool keep)
{
    const size_t rules = ws->b->rules, pitch = ws->pitch, step = ws->b->terms + 1;
    const real *coef = ws->coef + o * rules * step, *f = ws->firing + row, *z = ws->z + row;
    real *rule_y = ws->rule_y + (keep ? o * rules * pitch + row : 0);
    size_t p = 0;
    vec total[MAX_TILE_VECS];
    EACH(v, vecs) total[v] = v_set1(0);
    for (; p + TILE_RULES <= rules; p += TILE_RULES)
        accumulate_rules(ws, coef + p * step, z, f + p * pitch, TILE_RULES, vecs, keep, rule_y + p * pitch, total);
    for (; p < rules; p++)
        accumulate_rules(ws, coef + p * step, z, f + p * pitch, 1, vecs, keep, rule_y + p * pitch, total);
    EACH(v, vecs)
    {
        size_t at = row + (size_t)v * LANES;
        v_store(ws->y + o * SG_PITCH + at, v_div(total[v], v_load(ws->sum + at)));
    }
}

TILE void weighted_means(const workspace *ws, size_t o, size_t n, const bool keep)
{
    for (size_t row = 0, vecs; row < n; row += vecs * LANES) {
        vecs = next_tile_vecs((n - row) / LANES);
        if (vecs == 3) weighted_mean(ws, o, row, 3, keep);
        else if (vecs == 2) weighted_mean(ws, o, row, 2, keep);
        else weighted_mean(ws, o, row, 1, keep);
    }
}

static void weighted_outputs(const workspace *ws, size_t o, size_t n)
{
    if (ws->training) weighted_means(ws, o, n, true);
    else weighted_means(ws, o, n, false);
}

/* --- Backward --- */

/* Computes factor = out_grad / sum. */
static void scale_out_grad(const workspace *ws, const double *out_grad, size_t n)
{
    for (size_t o = 0; o < ws->b->outputs; o++) {
        const real *from = as_real(out_grad + o * SG_PITCH, 1, n, ws->dz);
        for (size_t i = 0; i < n; i += LANES)
            v_store(ws->factor + o * SG_PITCH + i, v_div(v_load(from + i), v_load(ws->sum + i)));
    }
}

/* Replaces rule_y of the first output with the log gradients of the rules: firing * sum over outputs of factor *
 * (rule_y - y). */
static void rule_log_grads(const workspace *ws, size_t n)
{
    const size_t rules = ws->b->rules, outputs = ws->b->outputs, pitch = ws->pitch;
    const real *f = ws->firing, *y = ws->y, *factor = ws->factor;
    real *rule_y = ws->rule_y;
    for (size_t i = 0; i < n; i += LANES)
        for (size_t p = 0; p < rules; p++) {
            real *at = rule_y + p * pitch + i;
            vec t = v_mul(v_sub(v_load(at), v_load(y + i)), v_load(factor + i));
            for (size_t o = 1; o < outputs; o++)
                t = v_fma(v_sub(v_load(at + o * rules * pitch), v_load(y + o * SG_PITCH + i)),
                          v_load(factor + o * SG_PITCH + i), t);
            v_store(at, v_mul(v_load(f + p * pitch + i), t));
        }
}

/* Adds the horizontal sums of `count` (at most 12) vectors to the elements of `to`. */
TILE void add_sums(const vec *g, const int count, real *to)
{
    EACH(part, 3)
    {
        const int from = 4 * part, left = count - from;
        if (left >= 4) {
            v_reduce_add_four(g + from, to + from);
        } else if (left > 0) {
            vec some[4];
            real sum[4] = {0};
            EACH(i, 4) some[i] = i < left ? g[i < left ? from + i : 0] : v_set1(0);
            v_reduce_add_four(some, sum);
            EACH(i, left) to[from + i] += sum[i];
        }
    }
}

/* Adds the lanes of `sums` to LANES consecutive values, or to only `left` values if fewer remain. */
static inline void add_lanes(vec sums, size_t left, real *to)
{
    if (left >= LANES) {
        v_store(to, v_add(v_load(to), sums));
        return;
    }
    real lane[LANES];
    v_store(lane, sums);
    for (size_t i = 0; i < left; i++) to[i] += lane[i];
}

/* Adds sums of firing * dz over n rows to grad, for `terms` terms and `rules` (1 or 2) rules, `step` apart in grad. */
TILE void coef_grads_tile(const workspace *ws, const real *firing, const real *dz, size_t n, const int rules,
                          const int terms, size_t step, real *grad)
{
    const size_t next_rule = ws->rule_stride, next_rows = ws->lane_stride;
    vec g[2 * TILE_TERMS];
    EACH(k, rules * terms) g[k] = v_set1(0);
    for (const real *end = dz + n; dz < end; dz += LANES, firing += next_rows) {
        vec f[2];
        EACH(p, rules) f[p] = v_pin(v_load(firing + (size_t)p * next_rule));
        EACH(k, terms)
        {
            vec x = v_load(dz + k * SG_PITCH);
            if (rules > 1) x = v_pin(x);
            EACH(p, rules) g[p * terms + k] = v_fma(f[p], x, g[p * terms + k]);
        }
    }
    if (step == (size_t)terms) add_sums(g, rules * terms, grad);
    else EACH(p, rules) add_sums(g + p * terms, terms, grad + (size_t)p * step);
}

/* Like coef_grads_tile, for all rules. */
TILE void coef_grads(const workspace *ws, const real *dz, size_t n, const int terms, real *grad)
{
    const size_t step = ws->b->terms + 1, next_rule = ws->rule_stride;
    const real *firing = ws->firing, *end = firing + ws->b->rules * next_rule;
    for (; firing + next_rule < end; firing += 2 * next_rule, grad += 2 * step)
        coef_grads_tile(ws, firing, dz, n, 2, terms, step, grad);
    if (firing < end) coef_grads_tile(ws, firing, dz, n, 1, terms, step, grad);
}

/* Computes dz = factor * (1, z). */
static void compute_dz(const workspace *ws, const real *factor, size_t n)
{
    const size_t terms = ws->b->terms;
    const real *z = ws->z;
    real *dz = ws->dz;
    for (size_t i = 0; i < n; i += LANES) v_store(dz + i, v_load(factor + i));
    for (size_t k = 0; k < terms; k++, z += SG_PITCH) {
        dz += SG_PITCH;
        for (size_t i = 0; i < n; i += LANES) v_store(dz + i, v_mul(v_load(factor + i), v_load(z + i)));
    }
}

static void add_coef_grads(const workspace *ws, size_t o, size_t n)
{
    const size_t terms = ws->b->terms + 1, rules = ws->b->rules;
    real *grad = ws->coef_grad + o * rules * terms;
    compute_dz(ws, ws->factor + o * SG_PITCH, n);
    for (size_t k = 0; k < terms; k += TILE_TERMS) {
        const real *dz = ws->dz + k * SG_PITCH;
        real *to = grad + k;
        /* the number of terms is a constant, so that sums stay in registers */
        if (terms - k == 1) coef_grads(ws, dz, n, 1, to);
        else if (terms - k == 2) coef_grads(ws, dz, n, 2, to);
        else if (terms - k == 3) coef_grads(ws, dz, n, 3, to);
        else if (terms - k == 4) coef_grads(ws, dz, n, 4, to);
        else if (terms - k == 5) coef_grads(ws, dz, n, 5, to);
        else coef_grads(ws, dz, n, TILE_TERMS, to);
    }
}
