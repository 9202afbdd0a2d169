/* fast_cluster_grad.h: the gradient of clustered rules.
 *
 * Here the lanes of a vector are inputs, not rows: each rule processes only the rows for which it is not dropped, and
 * no lanes need to be summed at the end. */
#pragma once

#include "kernel/fast/fast_consequents.h"
#include "kernel/fast/fast_dropout_mask.h"
#include "kernel/fast/fast_low_rank_firing.h"

#include <string.h>

/* Transposes `inputs_left` inputs of LANES rows, and pads them with zeros if fewer than LANES are left. */
TILE void transpose_tile(const real *x, const int inputs_left, size_t step, real *rowmajor)
{
    vec v[LANES];
    EACH(k, LANES) v[k] = k < inputs_left ? v_load(x + (k < inputs_left ? k : 0) * SG_PITCH) : v_set1(0);
    v_transpose(v);
    EACH(k, LANES) v_store(rowmajor + (size_t)k * step, v[k]);
}

/* Transposes columns to rows: the inputs of row i start at i * rowmajor_pitch and are padded with zeros. */
static void transpose_inputs(const workspace *ws, const real *a, size_t n, real *rowmajor)
{
    const size_t inputs = ws->b->inputs, step = ws->rowmajor_pitch, blocks = inputs / LANES;
    for (size_t i = 0; i < n; i += LANES) {
        for (size_t m = 0; m < blocks * LANES; m += LANES)
            transpose_tile(a + m * SG_PITCH + i, LANES, step, rowmajor + i * step + m);
        if (inputs % LANES)
            transpose_tile(a + blocks * LANES * SG_PITCH + i, (int)(inputs % LANES), step,
                           rowmajor + i * step + blocks * LANES);
    }
}

/* For each 4-bit number, the positions of its set bits, and how many there are. */
static const struct {
    uint8_t place[4], count;
} set_bits[16] = {
    {{0}, 0}, {{0}, 1},    {{1}, 1},    {{0, 1}, 2},    {{2}, 1},    {{0, 2}, 2},    {{1, 2}, 2},    {{0, 1, 2}, 3},
    {{3}, 1}, {{0, 3}, 2}, {{1, 3}, 2}, {{0, 1, 3}, 3}, {{2, 3}, 2}, {{0, 2, 3}, 3}, {{1, 2, 3}, 3}, {{0, 1, 2, 3}, 4},
};

/* Lists the rows for which rule p is kept. The loop is branch-free because dropping is unpredictable. */
static void list_kept_rows(const workspace *ws, size_t p, size_t n)
{
    const uint32_t *keep = keep_mask_at(ws, p, 0);
    uint8_t *restrict list = ws->kept_row + p * ws->pitch;
    size_t count = 0;
    for (uint32_t i = 0; i < n; i += 4) {
        unsigned bits = v_movemask_four(keep + i, p % 32);
        uint32_t places;
        memcpy(&places, set_bits[bits].place, sizeof places);
        places += i * 0x01010101U;
        memcpy(list + count, &places, sizeof places);
        count += set_bits[bits].count;
    }
    ws->kept_rows[p] = (uint32_t)count;
}

/* Replaces rule_y of rule p with its log gradient, as rule_log_grads does. With `fused`, replaces its firing levels
 * with its share of the first output's gradient, whose sum is the derivative with respect to b_r0. */
static void rule_log_grad(const workspace *ws, size_t p, size_t n, bool fused)
{
    const size_t outputs = ws->b->outputs, rules = ws->b->rules, pitch = ws->pitch;
    const real *y = ws->y, *factor = ws->factor;
    real *f = ws->firing + p * pitch, *rule_y = ws->rule_y + p * pitch;
    vec sum = v_set1(0);
    for (size_t i = 0; i < n; i += LANES) {
        vec share = v_mul(v_load(f + i), v_load(factor + i));
        vec t = v_mul(share, v_sub(v_load(rule_y + i), v_load(y + i)));
        for (size_t o = 1; o < outputs; o++)
            t = v_fma(v_mul(v_load(f + i), v_load(factor + o * SG_PITCH + i)),
                      v_sub(v_load(rule_y + o * rules * pitch + i), v_load(y + o * SG_PITCH + i)), t);
        v_store(rule_y + i, t);
        if (fused) v_store(f + i, share);
        sum = v_add(sum, share);
    }
    if (fused) ws->coef_grad[p * (ws->b->terms + 1)] += v_reduce_add(sum);
}

/* --- Sums over rows --- */

/* Adds a row to the sums of log_grad * (x - c), log_grad * (x - c)^2 and, with `fused`, share * x. Inputs marked in
 * `missing` (which may be NULL) do not contribute to the first two sums. */
TILE void add_row(const real *x, const real *missing, const real *c, vec log_grad, vec share, const int blocks,
                  const bool fused, vec *g)
{
    EACH(b, blocks)
    {
        vec at = fused ? v_pin(v_load(x + b * LANES)) : v_load(x + b * LANES);
        if (fused) g[3 * b + 2] = v_fma(share, at, g[3 * b + 2]);
        vec t = v_sub(at, v_load(c + b * LANES));
        if (missing) t = where_missing(missing + b * LANES, v_set1(0), t);
        vec w = v_mul(log_grad, t);
        g[3 * b] = v_add(g[3 * b], w);
        g[3 * b + 1] = v_fma(w, t, g[3 * b + 1]);
    }
}

/* Computes the sums for rule p and `blocks` (1 to 4) vectors of inputs, starting at input m. With few blocks, `ways`
 * rows at a time have separate sums, which hides the latency of additions. */
TILE void compute_rule_moments(const workspace *ws, size_t p, size_t m, const int blocks, const int ways,
                               const bool fused, const bool has_missing)
{
    const size_t inputs = ws->b->inputs, step = ws->rowmajor_pitch, count = ws->kept_rows[p];
    const real *log_grad = ws->rule_y + p * ws->pitch, *share = ws->firing + p * ws->pitch;
    const real *x = ws->rowmajor + m, *c = ws->c + p * ws->padded_inputs + m, *missing = ws->rowmajor_missing + m;
    const uint8_t *list = ws->kept_row + p * ws->pitch;
    real *first = ws->moment1, *second = ws->moment2, *coef_grad = ws->coef_grad;
    vec g[12];
    EACH(k, 3 * blocks * ways) g[k] = v_set1(0);
    size_t j = 0;
    for (; j + (size_t)ways <= count; j += (size_t)ways) EACH(w, ways)
        {
            size_t i = list[j + (size_t)w];
            add_row(x + i * step, has_missing ? missing + i * step : NULL, c, v_set1(log_grad[i]), v_set1(share[i]),
                    blocks, fused, g + w * 3 * blocks);
        }
    for (; ways > 1 && j < count; j++) {
        size_t i = list[j];
        add_row(x + i * step, has_missing ? missing + i * step : NULL, c, v_set1(log_grad[i]), v_set1(share[i]), blocks,
                fused, g);
    }
    EACH(k, 3 * blocks * (ways - 1)) g[k % (3 * blocks)] = v_add(g[k % (3 * blocks)], g[3 * blocks + k]);
    EACH(b, blocks)
    {
        size_t at = p * inputs + m + (size_t)b * LANES;
        size_t left = b + 1 < blocks ? LANES : inputs - m - (size_t)b * LANES; /* only the last vector may be partial */
        add_lanes(g[3 * b], left, first + at);
        add_lanes(g[3 * b + 1], left, second + at);
        if (fused) add_lanes(g[3 * b + 2], left, coef_grad + at + p + 1);
    }
}

TILE void moments_of_inputs(const workspace *ws, size_t m, size_t blocks, const bool fused)
{
    for (size_t p = 0; p < ws->b->rules; p++)
        if (blocks == 1) compute_rule_moments(ws, p, m, 1, 4, fused, false);
        else if (blocks == 2) compute_rule_moments(ws, p, m, 2, 2, fused, false);
        else if (blocks == 3) compute_rule_moments(ws, p, m, 3, 1, fused, false);
        else compute_rule_moments(ws, p, m, 4, 1, fused, false);
}

/* Like moments_of_inputs, for one block of inputs with missing values. */
static void moments_missing(const workspace *ws, size_t m, bool fused)
{
    for (size_t p = 0; p < ws->b->rules; p++)
        fused ? compute_rule_moments(ws, p, m, 1, 4, true, true) : compute_rule_moments(ws, p, m, 1, 4, false, true);
}

/* Returns the number of blocks in the next tile, chosen to avoid small tiles, which are slow. */
static inline size_t next_tile_blocks(size_t left) { return left % 4 == 0 ? 4 : left < 3 ? left : 3; }

/* Processes a few inputs at a time, which stay in the L1 cache. `fused` includes the first output's consequents. */
static void cluster_backward(const workspace *ws, size_t n, bool fused)
{
    size_t left = ws->padded_inputs / LANES;
    transpose_inputs(ws, ws->a, n, ws->rowmajor);
    if (ws->missing) transpose_inputs(ws, ws->missing, n, ws->rowmajor_missing);
    for (size_t p = 0; p < ws->b->rules; p++) {
        list_kept_rows(ws, p, n);
        rule_log_grad(ws, p, n, fused);
        if (ws->b->rank) scale_projections(ws, p, n);
    }
    for (size_t m = 0, blocks; left > 0; m += blocks * LANES, left -= blocks) {
        blocks = ws->missing ? 1 : next_tile_blocks(left);
        if (ws->missing) moments_missing(ws, m, fused);
        else fused ? moments_of_inputs(ws, m, blocks, true) : moments_of_inputs(ws, m, blocks, false);
        if (ws->b->rank) low_rank_backward(ws, m, blocks);
    }
}
