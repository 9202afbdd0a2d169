/* fast_low_rank_firing.h: low-rank terms in the firing levels and their gradient. With d = x - c and u_k vector k of a
 * rule:
 *
 *     log f_r = ... - h/2 sum_k (u_k . d)^2.
 *
 * They are computed in separate passes over clustered rules, so systems without low-rank terms have no overhead. */
#pragma once

#include "kernel/fast/fast_consequents.h"

/* Returns u_k . d of rule p for all rows of a chunk. */
static inline real *proj_at(const workspace *ws, size_t p, size_t k)
{
    return ws->proj + (p * ws->b->rank + k) * ws->pitch;
}

/* --- Forward --- */

/* Adds the low-rank squares to the distances of `vecs` (1 to 4) vectors of rows from one rule. */
TILE void low_rank_forward_tile(const workspace *ws, size_t p, size_t row, const int vecs, const int rank,
                                const bool has_missing)
{
    const size_t inputs = ws->b->inputs;
    const real *x = ws->a + row, *missing = has_missing ? ws->missing + row : x;
    const real *c = ws->c + p * ws->padded_inputs, *u = ws->low_rank + p * (size_t)rank * inputs;
    real *q = ws->firing + p * ws->pitch + row, *proj = proj_at(ws, p, 0) + row;
    vec t[SG_LOW_RANK_MAX][4];
    EACH(k, rank)
    EACH(v, vecs) t[k][v] = v_set1(0);
    for (size_t m = 0; m < inputs; m++, x += SG_PITCH, missing += SG_PITCH) {
        vec centre = v_pin(v_set1(c[m])), d[4];
        EACH(v, vecs)
        {
            d[v] = v_sub(v_load(x + v * LANES), centre);
            if (has_missing) d[v] = where_missing(missing + v * LANES, v_set1(0), d[v]);
        }
        EACH(k, rank)
        {
            vec u_k = v_pin(v_set1(u[(size_t)k * inputs + m]));
            EACH(v, vecs) t[k][v] = v_fma(u_k, d[v], t[k][v]);
        }
    }
    EACH(v, vecs)
    {
        vec sum = v_load(q + v * LANES);
        EACH(k, rank)
        {
            vec scaled = v_mul(t[k][v], v_set1(ws->low_rank_scale));
            v_store(proj + (size_t)k * ws->pitch + (size_t)v * LANES, t[k][v]);
            sum = v_fma(scaled, scaled, sum);
        }
        v_store(q + v * LANES, v_min(sum, v_set1(MAX_DISTANCE)));
    }
}

/* Like low_rank_forward_tile, for all rules. */
TILE void low_rank_forward_rules(const workspace *ws, size_t row, const int vecs, const bool has_missing)
{
    /* the rank is a constant, so that sums stay in registers */
    for (size_t p = 0; p < ws->b->rules; p++)
        if (ws->b->rank == 1) low_rank_forward_tile(ws, p, row, vecs, 1, has_missing);
        else if (ws->b->rank == 2) low_rank_forward_tile(ws, p, row, vecs, 2, has_missing);
        else low_rank_forward_tile(ws, p, row, vecs, 3, has_missing);
}

/* Adds the low-rank squares of all rules for the rows [row, row + n). */
static void low_rank_forward(const workspace *ws, size_t row, size_t n)
{
    size_t end = row + n;
    for (; !ws->missing && row + 4 * LANES <= end; row += 4 * LANES) low_rank_forward_rules(ws, row, 4, false);
    for (; row < end; row += LANES)
        ws->missing ? low_rank_forward_rules(ws, row, 1, true) : low_rank_forward_rules(ws, row, 1, false);
}

/* --- Backward --- */

/* Replaces u_k . d with log_grad * (u_k . d) and adds its sum over the rows to the gradient of all centres of the rule.
 * With missing inputs, the sums differ between inputs; see low_rank_grad_missing. */
static void scale_projections(const workspace *ws, size_t p, size_t n)
{
    const size_t inputs = ws->b->inputs;
    const real *log_grad = ws->rule_y + p * ws->pitch;
    for (size_t k = 0; k < ws->b->rank; k++) {
        real *proj = proj_at(ws, p, k), *to = ws->low_rank_center_grad + (p * ws->b->rank + k) * inputs;
        vec sum = v_set1(0);
        for (size_t i = 0; i < n; i += LANES) {
            vec t = v_mul(v_load(log_grad + i), v_load(proj + i));
            v_store(proj + i, t);
            sum = v_add(sum, t);
        }
        real all = v_reduce_add(sum);
        for (size_t m = 0; !ws->missing && m < inputs; m++) to[m] += all;
    }
}

/* Adds a row to the sums of log_grad * (u_k . d) * d. proj holds the products log_grad * (u_k . d). */
TILE void add_low_rank_row(const real *x, const real *c, const real *proj, size_t pitch, const int blocks,
                           const int rank, vec *g)
{
    vec d[4];
    EACH(b, blocks) d[b] = v_sub(v_load(x + b * LANES), v_load(c + b * LANES));
    EACH(k, rank)
    {
        vec t = v_pin(v_set1(proj[(size_t)k * pitch]));
        EACH(b, blocks) g[k * blocks + b] = v_fma(t, d[b], g[k * blocks + b]);
    }
}

/* Computes the sums for rule p and `blocks` (1 to 4) vectors of inputs at m; `ways` is as in compute_rule_moments. */
TILE void low_rank_grad_tile(const workspace *ws, size_t p, size_t m, const int blocks, const int ways, const int rank)
{
    const size_t inputs = ws->b->inputs, step = ws->rowmajor_pitch, count = ws->kept_rows[p], pitch = ws->pitch;
    const real *x = ws->rowmajor + m, *c = ws->c + p * ws->padded_inputs + m, *proj = proj_at(ws, p, 0);
    const uint8_t *list = ws->kept_row + p * pitch;
    const int sums = blocks * rank;
    vec g[12];
    EACH(k, sums * ways) g[k] = v_set1(0);
    size_t j = 0;
    for (; j + (size_t)ways <= count; j += (size_t)ways) EACH(w, ways)
        {
            size_t i = list[j + (size_t)w];
            add_low_rank_row(x + i * step, c, proj + i, pitch, blocks, rank, g + w * sums);
        }
    for (; ways > 1 && j < count; j++) add_low_rank_row(x + list[j] * step, c, proj + list[j], pitch, blocks, rank, g);
    EACH(k, sums * (ways - 1)) g[k % sums] = v_add(g[k % sums], g[sums + k]);
    EACH(k, rank)
    EACH(b, blocks)
    {
        size_t at = m + (size_t)b * LANES, left = b + 1 < blocks ? LANES : inputs - at;
        add_lanes(g[k * blocks + b], left, ws->low_rank_grad + (p * (size_t)rank + (size_t)k) * inputs + at);
    }
}

/* Computes the sum for one vector of inputs, skipping missing values. Also adds to the gradient of the centres. */
static void low_rank_grad_missing(const workspace *ws, size_t p, size_t m, size_t k)
{
    const size_t inputs = ws->b->inputs, step = ws->rowmajor_pitch, at = (p * ws->b->rank + k) * inputs + m;
    const real *x = ws->rowmajor + m, *missing = ws->rowmajor_missing + m, *proj = proj_at(ws, p, k);
    const uint8_t *list = ws->kept_row + p * ws->pitch;
    const vec centre = v_load(ws->c + p * ws->padded_inputs + m);
    vec sum = v_set1(0), log_grad = v_set1(0);
    for (size_t j = 0; j < ws->kept_rows[p]; j++) {
        size_t i = list[j];
        vec t = where_missing(missing + i * step, v_set1(0), v_set1(proj[i]));
        log_grad = v_add(log_grad, t);
        sum = v_fma(t, v_sub(v_load(x + i * step), centre), sum);
    }
    add_lanes(sum, inputs - m, ws->low_rank_grad + at);
    add_lanes(log_grad, inputs - m, ws->low_rank_center_grad + at);
}

TILE void low_rank_grad_inputs(const workspace *ws, size_t p, size_t m, size_t blocks, const int rank)
{
    if (blocks == 1) low_rank_grad_tile(ws, p, m, 1, 4, rank);
    else if (blocks == 2) low_rank_grad_tile(ws, p, m, 2, 2, rank);
    else if (blocks == 3) low_rank_grad_tile(ws, p, m, 3, 1, rank);
    else low_rank_grad_tile(ws, p, m, 4, 1, rank);
}

/* Computes the sums of all rules for `blocks` vectors of inputs, starting at input m. */
static void low_rank_backward(const workspace *ws, size_t m, size_t blocks)
{
    for (size_t p = 0; p < ws->b->rules; p++)
        for (size_t k = 0; ws->missing && k < ws->b->rank; k++) low_rank_grad_missing(ws, p, m, k);
    for (size_t p = 0; !ws->missing && p < ws->b->rules; p++)
        if (ws->b->rank == 1) low_rank_grad_inputs(ws, p, m, blocks, 1);
        else if (ws->b->rank == 2) low_rank_grad_inputs(ws, p, m, blocks, 2);
        else low_rank_grad_inputs(ws, p, m, blocks, 3);
}
