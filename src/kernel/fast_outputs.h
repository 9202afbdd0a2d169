/* fast_outputs.h: the rules' own outputs, their mean weighted by firing, and the gradient of the
 * consequents: two small matrix products. Rules stand side by side in the lanes. */
#ifndef SG_KERNEL_FAST_OUTPUTS_H
#define SG_KERNEL_FAST_OUTPUTS_H

#include "kernel/fast_room.h"

enum { ROWS_AT_ONCE = 4, TERMS_AT_ONCE = 6 };

/* b_r0 + sum_m b_rm z_m of four rows, for `count` (1 or 2) vectors of rules. */
static inline void rule_outputs(const real *coef, size_t padded, size_t terms, const real *z,
                                const int count, vec e[2][ROWS_AT_ONCE])
{
    for (int v = 0; v < count; v++)
        for (int i = 0; i < ROWS_AT_ONCE; i++) e[v][i] = v_load(coef + v * LANES);
    for (size_t k = 0; k < terms; k++) {
        vec b[2];
        for (int v = 0; v < count; v++) b[v] = v_pin(v_load(coef + (k + 1) * padded + v * LANES));
        for (int i = 0; i < ROWS_AT_ONCE; i++) {
            vec x = v_pin(v_all(z[k * SG_PITCH + i]));
            for (int v = 0; v < count; v++) e[v][i] = v_fma(b[v], x, e[v][i]);
        }
    }
}

/* LANES rows' totals, divided by their sums. */
static inline void divide(room *r, size_t o, size_t row, const vec *total)
{
    v_store(r->y + o * SG_PITCH + row, v_div(v_sum_rows(total), v_load(r->sum + row)));
}

/* --- where firing levels are at hand --- */

static inline void outputs_at(const room *r, size_t o, size_t row, size_t at, const int count,
                              vec total[ROWS_AT_ONCE])
{
    size_t padded = r->s.padded, pitch = r->s.pitch, terms = r->b->terms;
    real *rule_y = r->rule_y + (o * r->rows + row) * pitch + at;
    const real *firing = r->firing + row * pitch + at;
    vec e[2][ROWS_AT_ONCE];
    rule_outputs(r->coef + o * (terms + 1) * padded + at, padded, terms, r->z + row, count, e);
    for (size_t i = 0; i < ROWS_AT_ONCE; i++)
        for (int v = 0; v < count; v++) {
            if (r->training) v_store(rule_y + i * pitch + v * LANES, e[v][i]);
            total[i] = v_fma(v_load(firing + i * pitch + v * LANES), e[v][i], total[i]);
        }
}

static void outputs_of_firing(room *r, size_t o, size_t n)
{
    for (size_t row = 0; row < n; row += LANES) {
        vec total[LANES];
        for (size_t i = 0; i < LANES; i += ROWS_AT_ONCE) {
            vec sum[ROWS_AT_ONCE];
            size_t at = 0;
            for (int k = 0; k < ROWS_AT_ONCE; k++) sum[k] = v_all(0);
            for (; at + 2 * LANES <= r->s.padded; at += 2 * LANES) outputs_at(r, o, row + i, at, 2, sum);
            for (; at < r->s.padded; at += LANES) outputs_at(r, o, row + i, at, 1, sum);
            for (size_t k = 0; k < ROWS_AT_ONCE; k++) total[i + k] = sum[k];
        }
        divide(r, o, row, total);
    }
}

/* --- where they are heads times tails: nothing is stored, a tail multiplies once --- */

static inline void add_heads(const room *r, const real *coef, size_t row, size_t h, const int count,
                             vec sum[ROWS_AT_ONCE])
{
    vec e[2][ROWS_AT_ONCE];
    rule_outputs(coef, r->s.padded, r->b->terms, r->z + row, count, e);
    for (int v = 0; v < count; v++)
        for (int i = 0; i < ROWS_AT_ONCE; i++)
            sum[i] = v_fma(v_all(r->head[(h + (size_t)v) * SG_PITCH + row + (size_t)i]), e[v][i], sum[i]);
}

static inline void add_tail(const room *r, size_t o, size_t row, size_t v, vec total[ROWS_AT_ONCE])
{
    const sg_shape *s = &r->s;
    size_t wide = s->vecs * LANES, h = 0;
    const real *coef = r->coef + o * (r->b->terms + 1) * s->padded + v * LANES;
    vec sum[ROWS_AT_ONCE];
    for (int i = 0; i < ROWS_AT_ONCE; i++) sum[i] = v_all(0);
    if (s->vecs == 1)
        for (; h + 2 <= s->heads; h += 2) add_heads(r, coef + h * wide, row, h, 2, sum);
    for (; h < s->heads; h++) add_heads(r, coef + h * wide, row, h, 1, sum);
    for (int i = 0; i < ROWS_AT_ONCE; i++)
        total[i] = v_fma(sum[i], v_load(r->tail + (row + (size_t)i) * wide + v * LANES), total[i]);
}

static void outputs_of_grid(room *r, size_t o, size_t n)
{
    for (size_t row = 0; row < n; row += LANES) {
        vec total[LANES];
        for (int i = 0; i < LANES; i++) total[i] = v_all(0);
        for (int i = 0; i < LANES; i += ROWS_AT_ONCE)
            for (size_t v = 0; v < r->s.vecs; v++) add_tail(r, o, row + (size_t)i, v, total + i);
        divide(r, o, row, total);
    }
}

/* --- backward --- */

/* firing * sum over outputs of factor * (rule_y - y), of one row's rules at `at`. */
static inline vec pull_of_rules(const room *r, size_t row, size_t at)
{
    size_t pitch = r->s.pitch, place = row * pitch + at;
    vec t = v_all(r->offset[row]);
    for (size_t o = 0; o < r->b->outputs; o++)
        t = v_fma(v_load(r->rule_y + o * r->rows * pitch + place),
                  v_all(r->factor[o * SG_PITCH + row]), t);
    return v_mul(v_load(r->firing + place), t);
}

/* Sums over the rows of firing * dz, for `count` vectors of rules at `at` and `terms` terms. */
static inline void slopes_at(const room *r, size_t n, const real *dz, size_t at, const int count,
                             const int terms, real *slope)
{
    size_t padded = r->s.padded, pitch = r->s.pitch;
    vec g[TERMS_AT_ONCE][2];
    for (int k = 0; k < terms; k++)
        for (int v = 0; v < count; v++) g[k][v] = v_load(slope + (size_t)k * padded + at + v * LANES);
    for (size_t i = 0; i < n; i++) {
        vec f[2];
        for (int v = 0; v < count; v++) f[v] = v_pin(v_load(r->firing + i * pitch + at + v * LANES));
        for (int k = 0; k < terms; k++) {
            vec x = v_pin(v_all(dz[(size_t)k * SG_PITCH + i]));
            for (int v = 0; v < count; v++) g[k][v] = v_fma(f[v], x, g[k][v]);
        }
    }
    for (int k = 0; k < terms; k++)
        for (int v = 0; v < count; v++) v_store(slope + (size_t)k * padded + at + v * LANES, g[k][v]);
}

/* The tile as a constant, so that its sums stay in registers. */
static inline void slopes_of(const room *r, size_t n, const real *dz, size_t at, const int count,
                             size_t terms, real *slope)
{
    switch (terms) {
    case 1: slopes_at(r, n, dz, at, count, 1, slope); break;
    case 2: slopes_at(r, n, dz, at, count, 2, slope); break;
    case 3: slopes_at(r, n, dz, at, count, 3, slope); break;
    case 4: slopes_at(r, n, dz, at, count, 4, slope); break;
    case 5: slopes_at(r, n, dz, at, count, 5, slope); break;
    default: slopes_at(r, n, dz, at, count, TERMS_AT_ONCE, slope); break;
    }
}

static void add_slopes(room *r, size_t o, size_t n)
{
    const sg_shape *s = &r->s;
    size_t terms = r->b->terms + 1;
    const real *factor = r->factor + o * SG_PITCH;
    for (size_t i = 0; i < n; i += LANES) {
        v_store(r->dz + i, v_load(factor + i));
        for (size_t k = 1; k < terms; k++)
            v_store(r->dz + k * SG_PITCH + i,
                    v_mul(v_load(factor + i), v_load(r->z + (k - 1) * SG_PITCH + i)));
    }
    for (size_t k = 0; k < terms; k += TERMS_AT_ONCE) {
        size_t left = terms - k < TERMS_AT_ONCE ? terms - k : TERMS_AT_ONCE, at = 0;
        const real *dz = r->dz + k * SG_PITCH;
        real *slope = r->slope + (o * terms + k) * s->padded;
        for (; at + 2 * LANES <= s->padded; at += 2 * LANES) slopes_of(r, n, dz, at, 2, left, slope);
        for (; at < s->padded; at += LANES) slopes_of(r, n, dz, at, 1, left, slope);
    }
}

#endif
