/* fast_grid_predict.h: predictions of a full grid.
 *
 * If no rule is dropped, the sum over rules of (product of memberships) * y_r is computed input by input: first over
 * the MFs of the last input, then over those of the input before it, and so on, like the carries of a counter. Firing
 * levels are never computed; their sum is the product of the membership sums of the inputs. */
#pragma once

#include "kernel/fast/fast_grid_antecedents.h"

#include <math.h>

/* Adds the outputs of `rules` rules, weighted with the memberships u of the last input, to sum. */
TILE void add_rules(const real *coef, size_t terms, const real *z, const real *u, const int rules, const int vecs,
                    vec sum[MAX_TILE_VECS])
{
    vec e[TILE_RULES][MAX_TILE_VECS];
    rule_outputs(coef, terms, z, rules, vecs, e);
    EACH(p, rules)
    EACH(v, vecs) sum[v] = v_fma(v_load(u + p * SG_PITCH + v * LANES), e[p][v], sum[v]);
}

/* Sums the weighted rule outputs over the MFs of the last input. */
TILE void sum_last_axis(const workspace *ws, const real *coef, size_t row, const int vecs, vec sum[MAX_TILE_VECS])
{
    const sg_grid_axis *last = &ws->grid.axis[ws->grid.axes - 1];
    const real *u = ws->u + last->first * SG_PITCH + row, *z = ws->z + row;
    size_t terms = ws->b->terms, i = 0;
    EACH(v, vecs) sum[v] = v_set1(0);
    for (; i + 3 <= last->count; i += 3) add_rules(coef + i * (terms + 1), terms, z, u + i * SG_PITCH, 3, vecs, sum);
    for (; i < last->count; i++) add_rules(coef + i * (terms + 1), terms, z, u + i * SG_PITCH, 1, vecs, sum);
}

/* Like sum_last_axis, over the last two inputs if each has two MFs: four rules at once. */
TILE void sum_last_two_axes(const workspace *ws, const real *coef, size_t row, const int vecs, vec sum[MAX_TILE_VECS])
{
    const sg_grid_axis *axis = &ws->grid.axis[ws->grid.axes - 2];
    const real *u = ws->u + axis->first * SG_PITCH + row;
    vec e[TILE_RULES][MAX_TILE_VECS];
    rule_outputs(coef, ws->b->terms, ws->z + row, 4, vecs, e);
    for (int v = 0; v < vecs; v++, u += LANES) {
        vec u0 = v_load(u + 2 * SG_PITCH), u1 = v_load(u + 3 * SG_PITCH);
        vec s0 = v_fma(u1, e[1][v], v_mul(u0, e[0][v])), s1 = v_fma(u1, e[3][v], v_mul(u0, e[2][v]));
        sum[v] = v_fma(v_load(u + SG_PITCH), s1, v_mul(v_load(u), s0));
    }
}

/* Propagates `sum`, which covers input j and all later inputs, to the preceding inputs, like a carry. After the last
 * rule, `sum` is the total, and the function returns true. */
TILE bool propagate_axis_sum(const workspace *ws, size_t j, size_t row, const int vecs, vec sum[MAX_TILE_VECS])
{
    while (j-- > 0) {
        const sg_grid_axis *in = &ws->grid.axis[j];
        size_t digit = ws->digit[j];
        const real *u = ws->u + (in->first + digit) * SG_PITCH + row;
        real *level = ws->axis_sum + j * MAX_TILE_VECS * LANES;
        if (digit == 0) EACH(v, vecs) sum[v] = v_mul(v_load(u + v * LANES), sum[v]);
        else EACH(v, vecs)
        sum[v] = v_fma(v_load(u + v * LANES), sum[v], v_load(level + v * LANES));
        if (digit + 1 < in->count) {
            EACH(v, vecs) v_store(level + v * LANES, sum[v]);
            ws->digit[j] = digit + 1;
            return false;
        }
        ws->digit[j] = 0;
    }
    return true;
}

TILE void sum_over_grid(const workspace *ws, size_t o, size_t row, const int vecs)
{
    const size_t n = ws->grid.axes, step = ws->b->terms + 1;
    const sg_grid_axis *last = &ws->grid.axis[n - 1];
    const real *coef = ws->coef + o * ws->b->rules * step;
    vec sum[MAX_TILE_VECS];
    if (n > 1 && last->count == 2 && last[-1].count == 2) {
        do {
            sum_last_two_axes(ws, coef, row, vecs, sum);
            coef += 4 * step;
        } while (!propagate_axis_sum(ws, n - 2, row, vecs, sum));
    } else {
        do {
            sum_last_axis(ws, coef, row, vecs, sum);
            coef += last->count * step;
        } while (!propagate_axis_sum(ws, n - 1, row, vecs, sum));
    }
    EACH(v, vecs)
    {
        size_t at = row + (size_t)v * LANES;
        v_store(ws->y + o * SG_PITCH + at, v_div(sum[v], v_load(ws->sum + at)));
    }
}

/* Computes the product of the membership sums of the inputs. */
static void membership_sum(const workspace *ws, size_t n)
{
    const size_t inputs = ws->grid.axes;
    for (size_t i = 0; i < n; i += LANES) v_store(ws->sum + i, v_set1(1));
    for (const sg_grid_axis *in = ws->grid.axis; in < ws->grid.axis + inputs; in++) {
        const real *u = ws->u + in->first * SG_PITCH;
        for (size_t i = 0; i < n; i += LANES) {
            vec s = v_load(u + i);
            for (size_t k = 1; k < in->count; k++) s = v_add(s, v_load(u + k * SG_PITCH + i));
            v_store(ws->sum + i, v_mul(s, v_load(ws->sum + i)));
        }
    }
}

/* --- Few inputs with two MFs each --- */

/* Returns whether the ratio of an input's two memberships can replace both. The ratio is clamped so that the product
 * over all inputs is finite. The sum of the firing levels is then the product of 1 + ratio. */
static bool has_ratios(const workspace *ws)
{
    size_t all = ws->b->outputs * ws->b->rules * (ws->b->terms + 1);
    double most = 0, sums[4] = {0}; /* four partial sums for speed, because this runs even for a single row */
    if (!ws->gauss || !sg_grid_is_binary(&ws->grid) || ws->grid.axes > MAX_RATIOS) return false;
    for (const double *b = ws->b->conseq, *end = b + all; b < end; b += 4) EACH(k, 4)
        {
            double size = fabs(b[k]);
            most = size > most ? size : most;
            sums[k] += size;
        }
    double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    bool is_bounded = most <= MAX_COEF_SPREAD * sum / (double)all; /* otherwise the clamping would affect the result */
    return (most == 0 || most >= 1e-10) && is_bounded && most * (double)(ws->b->terms + 1) <= MAX_RATIO_COEF;
}

TILE void compute_mf_ratios(const workspace *ws, size_t n, const bool has_missing)
{
    const size_t inputs = ws->grid.axes;
    const vec most = v_set1(MAX_RATIO_EXPONENT / (real)inputs), least = v_set1(-MAX_RATIO_EXPONENT / (real)inputs);
    for (size_t i = 0; i < n; i += LANES) v_store(ws->sum + i, v_set1(1));
    for (const sg_grid_axis *in = ws->grid.axis; in < ws->grid.axis + inputs; in++) {
        const real *x = ws->a + in->input * SG_PITCH, *missing = has_missing ? ws->missing + in->input * SG_PITCH : x;
        const mf_pair p = load_mf_pair(ws, in);
        real *u = ws->u + (in->first + 1) * SG_PITCH, *sum = ws->sum;
        for (size_t i = 0; i < n; i += LANES) {
            vec d = v_min(v_max(distance_difference(&p, v_load(x + i)), least), most), e = v_exp2_within(d);
            if (has_missing) e = where_missing(missing + i, v_set1(1), e);
            v_store(u + i, e);
            v_store(sum + i, v_fma(e, v_load(sum + i), v_load(sum + i)));
        }
    }
}

/* Like sum_over_grid, but with ratios: sums four rules at a time, and carries the sum to one preceding input for each
 * trailing 1 bit of the counter q. */
TILE void contract_ratios(const workspace *ws, size_t o, size_t row, const int vecs)
{
    const size_t n = ws->grid.axes, step = ws->b->terms + 1, quads = ws->b->rules / 4;
    const real *coef = ws->coef + o * ws->b->rules * step, *z = ws->z + row, *u = ws->u + SG_PITCH + row;
    real *level = ws->axis_sum;
    vec sum[MAX_TILE_VECS];
    size_t q = 0;
    do {
        const real *at = u + 2 * (n - 2) * SG_PITCH; /* the ratio of the last input but one */
        vec e[TILE_RULES][MAX_TILE_VECS];
        rule_outputs(coef, step - 1, z, 4, vecs, e);
        EACH(v, vecs)
        {
            vec last = v_load(at + 2 * SG_PITCH + v * LANES);
            sum[v] = v_fma(v_load(at + v * LANES), v_fma(last, e[3][v], e[2][v]), v_fma(last, e[1][v], e[0][v]));
        }
        real *to = level;
        for (size_t bits = q; bits & 1; bits >>= 1, to += MAX_TILE_VECS * LANES) {
            at -= 2 * SG_PITCH;
            EACH(v, vecs) sum[v] = v_fma(v_load(at + v * LANES), sum[v], v_load(to + v * LANES));
        }
        EACH(v, vecs) v_store(to + v * LANES, sum[v]);
        coef += 4 * step;
    } while (++q < quads);
    EACH(v, vecs)
    {
        size_t at = row + (size_t)v * LANES;
        v_store(ws->y + o * SG_PITCH + at, v_mul(v_div(sum[v], v_load(ws->sum + at)), v_set1(1 / RATIO_SCALE)));
    }
}

/* Like contract_ratios, for FIXED inputs and eight rules at once, with the same operations in the same order. */
static void contract_fixed(const workspace *ws, size_t n)
{
    enum { EIGHT = 8 * (FIXED + 1) * LANES, EIGHTS = 1 << (FIXED - 3) };
    for (size_t i = 0; i < n; i += LANES) {
        const real *u = ws->u + SG_PITCH + i, *last = u + 2 * (FIXED - 1) * SG_PITCH;
        vec z[FIXED], s[EIGHTS];
        EACH(k, FIXED) z[k] = v_load(ws->z + k * SG_PITCH + i);
        EACH(q, EIGHTS)
        {
            vec e[8];
            rule_outputs_eight(ws->coef_bcast + q * EIGHT, z, e);
            EACH(p, 4) e[p] = v_fma(v_load(last), e[2 * p + 1], e[2 * p]);
            EACH(p, 2) e[p] = v_fma(v_load(last - 2 * SG_PITCH), e[2 * p + 1], e[2 * p]);
            s[q] = v_fma(v_load(last - 4 * SG_PITCH), e[1], e[0]);
        }
        EACH(p, 2) s[p] = v_fma(v_load(u + 2 * SG_PITCH), s[2 * p + 1], s[2 * p]);
        s[0] = v_fma(v_load(u), s[1], s[0]);
        v_store(ws->y + i, v_mul(v_div(s[0], v_load(ws->sum + i)), v_set1(1 / RATIO_SCALE)));
    }
}

/* Returns whether broadcast coefficients can be used and pay off, as they do for many rows. */
static bool uses_broadcast(const workspace *ws, size_t n) { return ws->has_ratios && is_fixed(ws) && n >= 8 * LANES; }

/* --- Dispatch --- */

static void prepare_grid(workspace *ws, const sg_chunk *c, size_t n)
{
    if (uses_broadcast(ws, n) && !ws->bcast_valid) {
        broadcast_coefs(ws);
        ws->bcast_valid = true;
    }
    if (ws->has_ratios) {
        ws->missing ? compute_mf_ratios(ws, n, true) : compute_mf_ratios(ws, n, false);
    } else {
        compute_grid_memberships(ws, c, n);
        membership_sum(ws, n);
    }
}

TILE void contract_any(const workspace *ws, size_t o, size_t row, const int vecs)
{
    if (ws->has_ratios) contract_ratios(ws, o, row, vecs);
    else sum_over_grid(ws, o, row, vecs);
}

static void grid_outputs(const workspace *ws, size_t o, size_t n)
{
    if (uses_broadcast(ws, n)) {
        contract_fixed(ws, n);
        return;
    }
    for (size_t row = 0, vecs; row < n; row += vecs * LANES) {
        vecs = next_tile_vecs((n - row) / LANES);
        if (vecs == 3) contract_any(ws, o, row, 3);
        else if (vecs == 2) contract_any(ws, o, row, 2);
        else contract_any(ws, o, row, 1);
    }
}
