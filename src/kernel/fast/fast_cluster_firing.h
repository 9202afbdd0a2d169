/* fast_cluster_firing.h: firing levels of clustered rules, and their outputs if consequents see the same inputs as
 * conditions. Shared MFs are expanded to one per rule and input when parameters are loaded. */
#pragma once

#include "kernel/fast/fast_consequents.h"
#include "kernel/fast/fast_dropout_mask.h"
#include "kernel/fast/fast_exp2.h"
#include "kernel/fast/fast_low_rank_firing.h"
#include "kernel/fast/fast_sparse_rules.h"

/* Computes the squared distances of `vecs` (1 to 8) vectors of rows from one rule and, with `fused`, the rule output
 * b_r0 + sum_m b_rm x_m. */
TILE void rule_distances(const workspace *ws, size_t rule, size_t row, const int vecs, const bool fused)
{
    const size_t inputs = ws->b->inputs, to = rule * ws->pitch + row;
    const real *x = ws->a + row, *c = ws->c + rule * ws->padded_inputs, *k = ws->k + rule * ws->padded_inputs;
    const real *coef = ws->coef + rule * (inputs + 1);
    vec q[8], y[8];
    EACH(v, vecs) q[v] = v_set1(0);
    if (fused) EACH(v, vecs) y[v] = v_set1(coef[0]);
    for (size_t m = 0; m < inputs; m++, x += SG_PITCH) {
        vec centre = v_pin(v_set1(c[m])), steep = v_pin(v_set1(k[m])), b = v_set1(0);
        if (fused) b = v_pin(v_set1(coef[m + 1]));
        EACH(v, vecs)
        {
            vec at = fused ? v_pin(v_load(x + v * LANES)) : v_load(x + v * LANES);
            vec t = v_mul(v_sub(centre, at), steep);
            if (fused) y[v] = v_fma(b, at, y[v]);
            q[v] = v_fma(t, t, q[v]);
        }
    }
    EACH(v, vecs) v_store(ws->firing + to + (size_t)v * LANES, v_min(q[v], v_set1(MAX_DISTANCE)));
    if (fused) EACH(v, vecs) v_store(ws->rule_y + to + (size_t)v * LANES, y[v]);
}

/* Recomputes the squared distances of one vector of rows, skipping missing inputs. */
static void rule_distances_missing(const workspace *ws, size_t rule, size_t row)
{
    const real *c = ws->c + rule * ws->padded_inputs, *k = ws->k + rule * ws->padded_inputs;
    vec q = v_set1(0);
    for (size_t m = 0; m < ws->b->inputs; m++) {
        size_t at = m * SG_PITCH + row;
        vec t = v_mul(v_sub(v_set1(c[m]), v_load(ws->a + at)), v_set1(k[m]));
        t = where_missing(ws->missing + at, v_set1(0), t);
        q = v_fma(t, t, q);
    }
    v_store(ws->firing + rule * ws->pitch + row, v_min(q, v_set1(MAX_DISTANCE)));
}

/* Turns the squared distances of `vecs` (1 or 2) vectors of rows into firing levels relative to the largest of the row;
 * those of dropped rules are 0. Also computes their sum and, with `fused`, the weighted mean of the rule outputs. */
TILE void softmax_firing(const workspace *ws, size_t row, const int vecs, const bool drops, const bool fused)
{
    const size_t rules = ws->b->rules, pitch = ws->pitch;
    const real *rule_y = ws->rule_y + row;
    real *f = ws->firing + row;
    vec least[2], sum[2], total[2];
    EACH(v, vecs)
    {
        least[v] = v_load(f + v * LANES);
        sum[v] = total[v] = v_set1(0);
    }
    for (size_t p = 1; p < rules; p++) EACH(v, vecs) least[v] = v_min(v_load(f + p * pitch + v * LANES), least[v]);
    for (size_t p = 0; p < rules; p++) EACH(v, vecs)
        {
            size_t at = p * pitch + (size_t)v * LANES;
            vec e = v_exp2(v_sub(least[v], v_load(f + at)));
            if (drops) e = v_mask(e, v_bits(keep_mask_at(ws, p, row + (size_t)v * LANES), p % 32));
            v_store(f + at, e);
            sum[v] = v_add(sum[v], e);
            if (fused) total[v] = v_fma(e, v_load(rule_y + at), total[v]);
        }
    EACH(v, vecs)
    {
        v_store(ws->sum + row + v * LANES, sum[v]);
        if (fused) v_store(ws->y + row + v * LANES, v_div(total[v], sum[v]));
    }
}

TILE void all_rule_distances(const workspace *ws, size_t row, const int vecs, const bool fused)
{
    for (size_t p = 0; p < ws->b->rules; p++) rule_distances(ws, p, row, vecs, fused);
    for (size_t p = 0; ws->missing && p < ws->b->rules; p++)
        for (int v = 0; v < vecs; v++) rule_distances_missing(ws, p, row + (size_t)v * LANES);
}

TILE void all_leaf_distances(const workspace *ws, size_t row, const int vecs)
{
    if (ws->missing)
        for (size_t p = 0; p < ws->b->rules; p++) leaf_distances(ws, p, row, vecs, true);
    else
        for (size_t p = 0; p < ws->b->rules; p++) leaf_distances(ws, p, row, vecs, false);
}

/* Processes all rules for a few rows, whose inputs stay in the L1 cache. */
TILE void firing_tile(const workspace *ws, size_t row, const int vecs, const bool drops, const bool fused)
{
    if (fused && ws->is_leaves) all_leaf_distances(ws, row, vecs);
    else all_rule_distances(ws, row, vecs, fused);
    if (ws->b->rank) low_rank_forward(ws, row, (size_t)vecs * LANES);
    const int some = vecs > 1 ? 2 : 1;
    for (int v = 0; v < vecs; v += some) softmax_firing(ws, row + (size_t)v * LANES, some, drops, fused);
}

TILE void firing_all_rows(const workspace *ws, size_t n, const bool drops, const bool fused)
{
    const int vecs = fused ? 4 : 8; /* so that the sums and operands fit into 16 registers */
    size_t row = 0;
    for (; row + (size_t)vecs * LANES <= n; row += (size_t)vecs * LANES) firing_tile(ws, row, vecs, drops, fused);
    for (; row < n; row += LANES) firing_tile(ws, row, 1, drops, fused);
}

/* Returns whether cluster_firing also computes ws->y, as it does if consequents see the same inputs as conditions, or
 * if rules are tree leaves. */
static bool fuses_outputs(const workspace *ws) { return !ws->is_grid && (ws->is_leaves || ws->z == ws->a); }

static void cluster_firing(const workspace *ws, size_t n, bool drops)
{
    if (fuses_outputs(ws)) drops ? firing_all_rows(ws, n, true, true) : firing_all_rows(ws, n, false, true);
    else drops ? firing_all_rows(ws, n, true, false) : firing_all_rows(ws, n, false, false);
}
