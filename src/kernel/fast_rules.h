/* fast_rules.h: firing levels of rules with conditions of their own, and their outputs where these look
 * at the same inputs. A rule base that shares MFs is spread out by load. */
#ifndef SG_KERNEL_FAST_RULES_H
#define SG_KERNEL_FAST_RULES_H

#include "kernel/fast_boxes.h"
#include "kernel/fast_exp2.h"
#include "kernel/fast_masks.h"
#include "kernel/fast_outputs.h"
#include "kernel/fast_tilts.h"

/* Squared distances of `vecs` (1 to 8) vectors of rows from one rule; with `speaks` also what the rule
 * says, b_r0 + sum_m b_rm x_m. */
TILE void meet_rule(const room *r, size_t rule, size_t row, const int vecs, const bool speaks)
{
    const size_t inputs = r->b->inputs, to = rule * r->pitch + row;
    const real *x = r->a + row, *c = r->c + rule * r->wide, *k = r->k + rule * r->wide;
    const real *coef = r->coef + rule * (inputs + 1);
    vec q[8], y[8];
    EACH(v, vecs) q[v] = v_all(0);
    if (speaks) EACH(v, vecs) y[v] = v_all(coef[0]);
    for (size_t m = 0; m < inputs; m++, x += SG_PITCH) {
        vec centre = v_pin(v_all(c[m])), steep = v_pin(v_all(k[m])), b = v_all(0);
        if (speaks) b = v_pin(v_all(coef[m + 1]));
        EACH(v, vecs)
        {
            vec at = speaks ? v_pin(v_load(x + v * LANES)) : v_load(x + v * LANES);
            vec t = v_mul(v_sub(centre, at), steep);
            if (speaks) y[v] = v_fma(b, at, y[v]);
            q[v] = v_fma(t, t, q[v]);
        }
    }
    EACH(v, vecs) v_store(r->firing + to + (size_t)v * LANES, v_min(q[v], v_all(FAR_OFF)));
    if (speaks) EACH(v, vecs) v_store(r->rule_y + to + (size_t)v * LANES, y[v]);
}

/* The distances again where inputs are missing: these count for nothing. */
static void meet_with_gaps(const room *r, size_t rule, size_t row)
{
    const real *c = r->c + rule * r->wide, *k = r->k + rule * r->wide;
    vec q = v_all(0);
    for (size_t m = 0; m < r->b->inputs; m++) {
        size_t at = m * SG_PITCH + row;
        vec t = v_mul(v_sub(v_all(c[m]), v_load(r->a + at)), v_all(k[m]));
        t = where_missing(r->missing + at, v_all(0), t);
        q = v_fma(t, t, q);
    }
    v_store(r->firing + rule * r->pitch + row, v_min(q, v_all(FAR_OFF)));
}

/* Squared distances become firing levels relative to the row's largest, 0 where dropped; their sum, and
 * the mean of what the rules say. `vecs` (1 or 2) vectors of rows. */
TILE void fire_at(const room *r, size_t row, const int vecs, const bool drops, const bool speaks)
{
    const size_t rules = r->b->rules, pitch = r->pitch;
    const real *rule_y = r->rule_y + row;
    real *f = r->firing + row;
    vec least[2], sum[2], total[2];
    EACH(v, vecs)
    {
        least[v] = v_load(f + v * LANES);
        sum[v] = total[v] = v_all(0);
    }
    for (size_t p = 1; p < rules; p++) EACH(v, vecs) least[v] = v_min(v_load(f + p * pitch + v * LANES), least[v]);
    for (size_t p = 0; p < rules; p++) EACH(v, vecs)
        {
            size_t at = p * pitch + (size_t)v * LANES;
            vec e = v_exp2(v_sub(least[v], v_load(f + at)));
            if (drops) e = v_keep(e, v_bits(keep_at(r, p, row + (size_t)v * LANES), p % 32));
            v_store(f + at, e);
            sum[v] = v_add(sum[v], e);
            if (speaks) total[v] = v_fma(e, v_load(rule_y + at), total[v]);
        }
    EACH(v, vecs)
    {
        v_store(r->sum + row + v * LANES, sum[v]);
        if (speaks) v_store(r->y + row + v * LANES, v_div(total[v], sum[v]));
    }
}

TILE void meet_rules(const room *r, size_t row, const int vecs, const bool speaks)
{
    for (size_t p = 0; p < r->b->rules; p++) meet_rule(r, p, row, vecs, speaks);
    for (size_t p = 0; r->missing && p < r->b->rules; p++)
        for (int v = 0; v < vecs; v++) meet_with_gaps(r, p, row + (size_t)v * LANES);
}

TILE void meet_boxes(const room *r, size_t row, const int vecs)
{
    if (r->missing)
        for (size_t p = 0; p < r->b->rules; p++) meet_box(r, p, row, vecs, true);
    else
        for (size_t p = 0; p < r->b->rules; p++) meet_box(r, p, row, vecs, false);
}

/* The rules one after the other for a few rows, whose inputs stay in the nearest cache. */
TILE void fire_rows(const room *r, size_t row, const int vecs, const bool drops, const bool speaks)
{
    if (speaks && r->is_boxes) meet_boxes(r, row, vecs);
    else meet_rules(r, row, vecs, speaks);
    if (r->b->rank) lean_rows(r, row, (size_t)vecs * LANES);
    const int some = vecs > 1 ? 2 : 1;
    for (int v = 0; v < vecs; v += some) fire_at(r, row + (size_t)v * LANES, some, drops, speaks);
}

TILE void fire_all_rows(const room *r, size_t n, const bool drops, const bool speaks)
{
    const int vecs = speaks ? 4 : 8; /* sums and what they need fit into 16 registers */
    size_t row = 0;
    for (; row + (size_t)vecs * LANES <= n; row += (size_t)vecs * LANES) fire_rows(r, row, vecs, drops, speaks);
    for (; row < n; row += LANES) fire_rows(r, row, 1, drops, speaks);
}

/* Conditions and consequents look at the same inputs, or boxes at theirs: r->y, too, is computed by rules_firing. */
static bool rules_speak(const room *r) { return !r->is_grid && (r->is_boxes || r->z == r->a); }

static void rules_firing(const room *r, size_t n, bool drops)
{
    if (rules_speak(r)) drops ? fire_all_rows(r, n, true, true) : fire_all_rows(r, n, false, true);
    else drops ? fire_all_rows(r, n, true, false) : fire_all_rows(r, n, false, false);
}

#endif
