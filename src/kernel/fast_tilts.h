/* fast_tilts.h: the combinations of inputs in the rules' firing levels: with d = x - c and u a rule's k-th tilt
 *
 *     log f_r = ... - h/2 sum_k (u_k . d)^2,
 *
 * and their gradient. Passes of their own over rules that own their conditions: systems without them pay nothing. */
#ifndef SG_KERNEL_FAST_TILTS_H
#define SG_KERNEL_FAST_TILTS_H

#include "kernel/fast_outputs.h"

/* u_k . d of rule p, of all rows of a chunk. */
static inline real *along_at(const room *r, size_t p, size_t k) { return r->along + (p * r->b->rank + k) * r->pitch; }

/* --- forward --- */

/* Adds the squares to the distances of `vecs` (1 to 4) vectors of rows from one rule. */
TILE void lean_at(const room *r, size_t p, size_t row, const int vecs, const int rank, const bool gaps)
{
    const size_t inputs = r->b->inputs;
    const real *x = r->a + row, *missing = gaps ? r->missing + row : x;
    const real *c = r->c + p * r->wide, *u = r->tilt + p * (size_t)rank * inputs;
    real *q = r->firing + p * r->pitch + row, *along = along_at(r, p, 0) + row;
    vec t[SG_RANK_MOST][4];
    EACH(k, rank)
    EACH(v, vecs) t[k][v] = v_all(0);
    for (size_t m = 0; m < inputs; m++, x += SG_PITCH, missing += SG_PITCH) {
        vec centre = v_pin(v_all(c[m])), d[4];
        EACH(v, vecs)
        {
            d[v] = v_sub(v_load(x + v * LANES), centre);
            if (gaps) d[v] = where_missing(missing + v * LANES, v_all(0), d[v]);
        }
        EACH(k, rank)
        {
            vec tilt = v_pin(v_all(u[(size_t)k * inputs + m]));
            EACH(v, vecs) t[k][v] = v_fma(tilt, d[v], t[k][v]);
        }
    }
    EACH(v, vecs)
    {
        vec sum = v_load(q + v * LANES);
        EACH(k, rank)
        {
            vec scaled = v_mul(t[k][v], v_all(r->tilt_scale));
            v_store(along + (size_t)k * r->pitch + (size_t)v * LANES, t[k][v]);
            sum = v_fma(scaled, scaled, sum);
        }
        v_store(q + v * LANES, v_min(sum, v_all(FAR_OFF)));
    }
}

/* All rules, one after the other. */
TILE void lean_rules(const room *r, size_t row, const int vecs, const bool gaps)
{
    for (size_t p = 0; p < r->b->rules; p++) switch (r->b->rank) { /* as a constant, so that sums stay in registers */
        case 1:
            lean_at(r, p, row, vecs, 1, gaps);
            break;
        case 2:
            lean_at(r, p, row, vecs, 2, gaps);
            break;
        default:
            lean_at(r, p, row, vecs, 3, gaps);
            break;
        }
}

/* `n` rows from `row` on. */
static void lean_rows(const room *r, size_t row, size_t n)
{
    size_t end = row + n;
    for (; !r->missing && row + 4 * LANES <= end; row += 4 * LANES) lean_rules(r, row, 4, false);
    for (; row < end; row += LANES) r->missing ? lean_rules(r, row, 1, true) : lean_rules(r, row, 1, false);
}

/* --- backward --- */

/* pull * (u_k . d) takes the place of u_k . d; its sum over the rows pulls at all of the rule's centres. Where
 * inputs are missing the sum is not the same for all of them: see tilts_with_gaps. */
static void pull_along(const room *r, size_t p, size_t n)
{
    const size_t inputs = r->b->inputs;
    const real *pull = r->rule_y + p * r->pitch;
    for (size_t k = 0; k < r->b->rank; k++) {
        real *along = along_at(r, p, k), *to = r->centre_pull + (p * r->b->rank + k) * inputs;
        vec sum = v_all(0);
        for (size_t i = 0; i < n; i += LANES) {
            vec t = v_mul(v_load(pull + i), v_load(along + i));
            v_store(along + i, t);
            sum = v_add(sum, t);
        }
        real all = v_sum(sum);
        for (size_t m = 0; !r->missing && m < inputs; m++) to[m] += all;
    }
}

/* A row's part in the sums of pull * (u_k . d) * d, `along` being these products for the first k. */
TILE void add_tilted(const real *x, const real *c, const real *along, size_t pitch, const int blocks, const int rank,
                     vec *g)
{
    vec d[4];
    EACH(b, blocks) d[b] = v_sub(v_load(x + b * LANES), v_load(c + b * LANES));
    EACH(k, rank)
    {
        vec t = v_pin(v_all(along[(size_t)k * pitch]));
        EACH(b, blocks) g[k * blocks + b] = v_fma(t, d[b], g[k * blocks + b]);
    }
}

/* The sums for rule p and the inputs from m on, `blocks` (1 to 4) vectors of them; `ways` rows have sums of their
 * own, as in moments_at. */
TILE void tilts_at(const room *r, size_t p, size_t m, const int blocks, const int ways, const int rank)
{
    const size_t inputs = r->b->inputs, step = r->across_pitch, count = r->listed[p], pitch = r->pitch;
    const real *x = r->across + m, *c = r->c + p * r->wide + m, *along = along_at(r, p, 0);
    const uint8_t *list = r->list + p * pitch;
    const int sums = blocks * rank;
    vec g[12];
    EACH(k, sums * ways) g[k] = v_all(0);
    size_t j = 0;
    for (; j + (size_t)ways <= count; j += (size_t)ways) EACH(w, ways)
        {
            size_t i = list[j + (size_t)w];
            add_tilted(x + i * step, c, along + i, pitch, blocks, rank, g + w * sums);
        }
    for (; ways > 1 && j < count; j++) add_tilted(x + list[j] * step, c, along + list[j], pitch, blocks, rank, g);
    EACH(k, sums * (ways - 1)) g[k % sums] = v_add(g[k % sums], g[sums + k]);
    EACH(k, rank)
    EACH(b, blocks)
    {
        size_t at = m + (size_t)b * LANES, left = b + 1 < blocks ? LANES : inputs - at;
        add_lanes(g[k * blocks + b], left, r->tilt_slope + (p * (size_t)rank + (size_t)k) * inputs + at);
    }
}

/* One vector of inputs, some of which are missing: these count for nothing. Also what pulls at the centres. */
static void tilts_with_gaps(const room *r, size_t p, size_t m, size_t k)
{
    const size_t inputs = r->b->inputs, step = r->across_pitch, at = (p * r->b->rank + k) * inputs + m;
    const real *x = r->across + m, *missing = r->across_missing + m, *along = along_at(r, p, k);
    const uint8_t *list = r->list + p * r->pitch;
    const vec centre = v_load(r->c + p * r->wide + m);
    vec sum = v_all(0), pull = v_all(0);
    for (size_t j = 0; j < r->listed[p]; j++) {
        size_t i = list[j];
        vec t = where_missing(missing + i * step, v_all(0), v_all(along[i]));
        pull = v_add(pull, t);
        sum = v_fma(t, v_sub(v_load(x + i * step), centre), sum);
    }
    add_lanes(sum, inputs - m, r->tilt_slope + at);
    add_lanes(pull, inputs - m, r->centre_pull + at);
}

TILE void tilts_of_inputs(const room *r, size_t p, size_t m, size_t blocks, const int rank)
{
    switch (blocks) {
    case 1:
        tilts_at(r, p, m, 1, 4, rank);
        break;
    case 2:
        tilts_at(r, p, m, 2, 2, rank);
        break;
    case 3:
        tilts_at(r, p, m, 3, 1, rank);
        break;
    default:
        tilts_at(r, p, m, 4, 1, rank);
        break;
    }
}

/* Of `blocks` vectors of inputs from m on. */
static void tilts_backward(const room *r, size_t m, size_t blocks)
{
    for (size_t p = 0; p < r->b->rules; p++)
        for (size_t k = 0; r->missing && k < r->b->rank; k++) tilts_with_gaps(r, p, m, k);
    for (size_t p = 0; !r->missing && p < r->b->rules; p++) switch (r->b->rank) {
        case 1:
            tilts_of_inputs(r, p, m, blocks, 1);
            break;
        case 2:
            tilts_of_inputs(r, p, m, blocks, 2);
            break;
        default:
            tilts_of_inputs(r, p, m, blocks, 3);
            break;
        }
}

#endif
