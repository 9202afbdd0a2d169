/* fast_rules.h: the antecedents of rules with conditions of their own. A rule base that shares MFs
 * is spread out, and its gradient gathered, by load and unload. */
#ifndef SG_KERNEL_FAST_RULES_H
#define SG_KERNEL_FAST_RULES_H

#include "kernel/fast_exp2.h"
#include "kernel/fast_masks.h"
#include "kernel/fast_outputs.h"

/* Squared distances of `vecs` (1 to 8) vectors of rows from one rule. */
TILE void distances(const room *r, size_t rule, size_t row, const int vecs)
{
    const real *x = r->a + row, *c = r->c + rule * r->b->inputs, *k = r->k + rule * r->b->inputs;
    vec q[8];
    EACH(v, vecs) q[v] = v_all(0);
    for (size_t m = 0; m < r->b->inputs; m++, x += SG_PITCH) {
        vec centre = v_pin(v_all(c[m])), steep = v_pin(v_all(k[m]));
        EACH(v, vecs) {
            vec t = v_mul(v_sub(centre, v_load(x + v * LANES)), steep);
            q[v] = v_fma(t, t, q[v]);
        }
    }
    EACH(v, vecs)
        v_store(r->firing + rule * r->pitch + row + (size_t)v * LANES, v_min(q[v], v_all(FAR_OFF)));
}

/* Squared distances become firing levels relative to the row's largest, 0 where dropped; and their
 * sum. */
TILE void fire_at(const room *r, size_t row, const bool drops)
{
    real *f = r->firing + row;
    vec least = v_load(f), sum = v_all(0);
    for (size_t p = 1; p < r->b->rules; p++) least = v_min(v_load(f + p * r->pitch), least);
    for (size_t p = 0; p < r->b->rules; p++) {
        vec e = v_exp2(v_sub(least, v_load(f + p * r->pitch)));
        if (drops) e = v_keep(e, v_bits(keep_at(r, p, row), p % 32));
        v_store(f + p * r->pitch, e);
        sum = v_add(sum, e);
    }
    v_store(r->sum + row, sum);
}

static void rules_firing(const room *r, size_t n, bool drops)
{
    for (size_t p = 0; p < r->b->rules; p++) {
        size_t row = 0;
        for (; row + 8 * LANES <= n; row += 8 * LANES) distances(r, p, row, 8);
        for (; row + 4 * LANES <= n; row += 4 * LANES) distances(r, p, row, 4);
        for (; row < n; row += LANES) distances(r, p, row, 1);
    }
    for (size_t row = 0; row < n; row += LANES) drops ? fire_at(r, row, true) : fire_at(r, row, false);
}

/* --- backward --- */

/* Sums over the rows of pull * (x - c) and pull * (x - c)^2, for `inputs` (1 to 4) inputs of a rule. */
TILE void moments_at(const real *pull, const real *x, const real *c, size_t n,
                     const int inputs, real *first, real *second)
{
    vec centre[4], g[8];
    EACH(m, inputs) {
        centre[m] = v_all(c[m]);
        g[m] = g[inputs + m] = v_all(0);
    }
    for (size_t i = 0; i < n; i += LANES) {
        vec p = v_load(pull + i);
        EACH(m, inputs) {
            vec t = v_sub(v_load(x + m * SG_PITCH + i), centre[m]), w = v_mul(p, t);
            g[m] = v_add(g[m], w);
            g[inputs + m] = v_fma(w, t, g[inputs + m]);
        }
    }
    add_sums(g, inputs, first);
    add_sums(g + inputs, inputs, second);
}

static void rules_backward(const room *r, size_t n)
{
    size_t inputs = r->b->inputs;
    pulls_of_rules(r, n);
    for (size_t p = 0; p < r->b->rules; p++) {
        const real *pull = r->rule_y + p * r->pitch, *c = r->c + p * inputs;
        real *first = r->first + p * inputs, *second = r->second + p * inputs;
        size_t m = 0;
        for (; m + 4 <= inputs; m += 4)
            moments_at(pull, r->a + m * SG_PITCH, c + m, n, 4, first + m, second + m);
        const real *x = r->a + m * SG_PITCH; /* of the few that are left */
        if (inputs - m == 3) moments_at(pull, x, c + m, n, 3, first + m, second + m);
        else if (inputs - m == 2) moments_at(pull, x, c + m, n, 2, first + m, second + m);
        else if (inputs - m == 1) moments_at(pull, x, c + m, n, 1, first + m, second + m);
    }
}

#endif
