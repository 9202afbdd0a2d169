/* fast_rules.h: the antecedents of rules with conditions of their own. Rules stand side by side in
 * the lanes; a rule base that shares MFs is spread out, and its gradient gathered, by load and unload. */
#ifndef SG_KERNEL_FAST_RULES_H
#define SG_KERNEL_FAST_RULES_H

#include "kernel/fast_exp2.h"
#include "kernel/fast_outputs.h"

/* Squared distances of four rows from `count` (1 or 2) vectors of rules at `at`. */
static inline void distances(const room *r, size_t row, size_t at, const int count)
{
    size_t padded = r->s.padded;
    vec q[2][ROWS_AT_ONCE];
    for (int v = 0; v < count; v++)
        for (int i = 0; i < ROWS_AT_ONCE; i++) q[v][i] = v_load(r->start + at + v * LANES);
    for (size_t m = 0; m < r->b->inputs; m++) {
        const real *x = r->a + m * SG_PITCH + row;
        for (int v = 0; v < count; v++) {
            vec c = v_load(r->c + m * padded + at + v * LANES);
            vec k = v_load(r->k + m * padded + at + v * LANES);
            for (int i = 0; i < ROWS_AT_ONCE; i++) {
                vec t = v_mul(v_sub(v_all(x[i]), c), k);
                q[v][i] = v_fma(t, t, q[v][i]);
            }
        }
    }
    for (int v = 0; v < count; v++)
        for (int i = 0; i < ROWS_AT_ONCE; i++)
            v_store(r->firing + (row + i) * r->s.pitch + at + v * LANES, v_min(q[v][i], v_all(FAR_OFF)));
}

static real least_of(const real *q, size_t count)
{
    vec least = v_load(q);
    for (size_t i = LANES; i < count; i += LANES) least = v_min(v_load(q + i), least);
    real lane[LANES];
    v_store(lane, least);
    for (int i = 1; i < LANES; i++)
        if (lane[i] < lane[0]) lane[0] = lane[i];
    return lane[0];
}

/* Firing levels relative to each row's largest. */
static void rules_firing(room *r, size_t n)
{
    const sg_shape *s = &r->s;
    size_t at = 0;
    for (; at + 2 * LANES <= s->padded; at += 2 * LANES)
        for (size_t row = 0; row < n; row += ROWS_AT_ONCE) distances(r, row, at, 2);
    for (; at < s->padded; at += LANES)
        for (size_t row = 0; row < n; row += ROWS_AT_ONCE) distances(r, row, at, 1);
    for (size_t row = 0; row < n; row++) {
        real *q = r->firing + row * s->pitch;
        vec least = v_all(least_of(q, s->padded)), sum = v_all(0);
        for (size_t i = 0; i < s->padded; i += LANES) {
            vec f = v_exp2(v_sub(least, v_load(q + i)));
            v_store(q + i, f);
            sum = v_add(sum, f);
        }
        r->sum[row] = v_sum(sum);
    }
}

/* --- backward --- */

/* Sums over the rows of pull * (x - c) and pull * (x - c)^2, for one vector of rules at `at` and
 * `count` inputs (1 to 4) from m on. The pulls stand in the place of rule_y. */
static inline void moments(room *r, size_t n, size_t m, size_t at, const int count)
{
    size_t padded = r->s.padded;
    vec c[4], first[4], second[4];
    for (int j = 0; j < count; j++) {
        size_t place = (m + (size_t)j) * padded + at;
        c[j] = v_load(r->c + place);
        first[j] = v_load(r->first + place);
        second[j] = v_load(r->second + place);
    }
    for (size_t i = 0; i < n; i++) {
        vec pull = v_load(r->rule_y + i * r->s.pitch + at);
        for (int j = 0; j < count; j++) {
            vec t = v_sub(v_all(r->a[(m + (size_t)j) * SG_PITCH + i]), c[j]), w = v_mul(pull, t);
            first[j] = v_add(first[j], w);
            second[j] = v_fma(w, t, second[j]);
        }
    }
    for (int j = 0; j < count; j++) {
        size_t place = (m + (size_t)j) * padded + at;
        v_store(r->first + place, first[j]);
        v_store(r->second + place, second[j]);
    }
}

static void rules_backward(room *r, size_t n)
{
    const sg_shape *s = &r->s;
    for (size_t row = 0; row < n; row++)
        for (size_t at = 0; at < s->padded; at += LANES)
            v_store(r->rule_y + row * s->pitch + at, pull_of_rules(r, row, at));
    for (size_t at = 0; at < s->padded; at += LANES) {
        size_t m = 0;
        for (; m + 4 <= r->b->inputs; m += 4) moments(r, n, m, at, 4);
        for (; m < r->b->inputs; m++) moments(r, n, m, at, 1);
    }
}

#endif
