/* fast_rules.h: the antecedents of rules with conditions of their own. A rule base that shares MFs
 * is spread out, and its gradient gathered, by load and unload. */
#ifndef SG_KERNEL_FAST_RULES_H
#define SG_KERNEL_FAST_RULES_H

#include "kernel/fast_exp2.h"
#include "kernel/fast_outputs.h"

/* Squared distances of `vecs` (1 to 8) vectors of rows from one rule. */
TILE void distances(const room *r, size_t rule, size_t row, const int vecs)
{
    const real *x = r->a + row, *c = r->c + rule * r->b->inputs, *k = r->k + rule * r->b->inputs;
    vec q[8];
    for (int v = 0; v < vecs; v++) q[v] = v_all(0);
    for (size_t m = 0; m < r->b->inputs; m++, x += SG_PITCH) {
        vec centre = v_pin(v_all(c[m])), steep = v_pin(v_all(k[m]));
        for (int v = 0; v < vecs; v++) {
            vec t = v_mul(v_sub(centre, v_load(x + v * LANES)), steep);
            q[v] = v_fma(t, t, q[v]);
        }
    }
    for (int v = 0; v < vecs; v++)
        v_store(r->firing + rule * r->pitch + row + (size_t)v * LANES, v_min(q[v], v_all(FAR_OFF)));
}

/* Firing levels relative to each row's largest. */
static void rules_firing(const room *r, size_t n)
{
    for (size_t p = 0; p < r->b->rules; p++) {
        size_t row = 0;
        for (; row + 8 * LANES <= n; row += 8 * LANES) distances(r, p, row, 8);
        for (; row + 4 * LANES <= n; row += 4 * LANES) distances(r, p, row, 4);
        for (; row < n; row += LANES) distances(r, p, row, 1);
    }
    for (size_t i = 0; i < n; i += LANES) {
        vec least = v_load(r->firing + i);
        for (size_t p = 1; p < r->b->rules; p++) least = v_min(v_load(r->firing + p * r->pitch + i), least);
        for (size_t p = 0; p < r->b->rules; p++) {
            real *at = r->firing + p * r->pitch + i;
            v_store(at, v_exp2(v_sub(least, v_load(at))));
        }
    }
}

/* --- backward --- */

/* Sums over the rows of pull * (x - c) and pull * (x - c)^2, for `inputs` (1 to 4) inputs of a rule. */
TILE void moments_at(const real *pull, const real *x, const real *c, size_t n,
                     const int inputs, real *first, real *second)
{
    vec centre[4], g[8];
    for (int m = 0; m < inputs; m++) {
        centre[m] = v_all(c[m]);
        g[m] = g[inputs + m] = v_all(0);
    }
    for (size_t i = 0; i < n; i += LANES) {
        vec p = v_load(pull + i);
        for (int m = 0; m < inputs; m++) {
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
        for (; m < inputs; m++)
            moments_at(pull, r->a + m * SG_PITCH, c + m, n, 1, first + m, second + m);
    }
}

#endif
