/* fast_outputs.h: the rules' own outputs, their mean weighted by firing, and the gradient of the
 * consequents. */
#ifndef SG_KERNEL_FAST_OUTPUTS_H
#define SG_KERNEL_FAST_OUTPUTS_H

#include "kernel/fast_room.h"

#include <string.h>

/* A tile of sums that fits into 16 registers beside what is multiplied. */
enum { RULES_AT_ONCE = 4, VECS_AT_ONCE = 3, SUMS_AT_ONCE = 12 };

/* How many of the vectors that are left the next tile takes: four are two and two. */
static inline size_t vecs_of_tile(size_t left)
{
    return left >= VECS_AT_ONCE && left != 4 ? VECS_AT_ONCE : left < 2 ? left : 2;
}

/* b_r0 + sum_m b_rm z_m of `rules` (1 to 4) rules whose coefficients follow each other, at `vecs`
 * (1 to 3) vectors of rows from z on. */
TILE void outputs_of_rules(const real *coef, size_t terms, const real *z, const int rules,
                                    const int vecs, vec e[RULES_AT_ONCE][VECS_AT_ONCE])
{
    EACH(p, rules)
        EACH(v, vecs) e[p][v] = v_all(coef[(size_t)p * (terms + 1)]);
    for (size_t k = 1; k <= terms; k++, z += SG_PITCH) {
        vec x[VECS_AT_ONCE];
        EACH(v, vecs) x[v] = v_pin(v_load(z + v * LANES));
        EACH(p, rules) {
            vec b = v_pin(v_all(coef[(size_t)p * (terms + 1) + k]));
            EACH(v, vecs) e[p][v] = v_fma(b, x[v], e[p][v]);
        }
    }
}

/* --- forward --- */

/* Locals stand for the room's fields, because a vector that is stored might change those. */
TILE void weigh_rules(const room *r, const real *coef, const real *z, const real *firing, const int rules,
                      const int vecs, const bool keep, real *rule_y, vec total[VECS_AT_ONCE])
{
    const size_t terms = r->b->terms, pitch = r->pitch;
    vec e[RULES_AT_ONCE][VECS_AT_ONCE];
    outputs_of_rules(coef, terms, z, rules, vecs, e);
    EACH(p, rules)
        EACH(v, vecs)
        {
            size_t at = (size_t)p * pitch + (size_t)v * LANES;
            if (keep) v_store(rule_y + at, e[p][v]);
            total[v] = v_fma(v_load(firing + at), e[p][v], total[v]);
        }
}

TILE void weighted_mean(const room *r, size_t o, size_t row, const int vecs, const bool keep)
{
    const size_t rules = r->b->rules, pitch = r->pitch, step = r->b->terms + 1;
    const real *coef = r->coef + o * rules * step, *f = r->firing + row, *z = r->z + row;
    real *rule_y = keep ? r->rule_y + o * rules * pitch + row : NULL;
    size_t p = 0;
    vec total[VECS_AT_ONCE];
    EACH(v, vecs) total[v] = v_all(0);
    for (; p + RULES_AT_ONCE <= rules; p += RULES_AT_ONCE)
        weigh_rules(r, coef + p * step, z, f + p * pitch, RULES_AT_ONCE, vecs, keep, rule_y + p * pitch, total);
    for (; p < rules; p++)
        weigh_rules(r, coef + p * step, z, f + p * pitch, 1, vecs, keep, rule_y + p * pitch, total);
    EACH(v, vecs)
    {
        size_t at = row + (size_t)v * LANES;
        v_store(r->y + o * SG_PITCH + at, v_div(total[v], v_load(r->sum + at)));
    }
}

TILE void weighted_means(const room *r, size_t o, size_t n, const bool keep)
{
    for (size_t row = 0, vecs; row < n; row += vecs * LANES) {
        vecs = vecs_of_tile((n - row) / LANES);
        if (vecs == 3) weighted_mean(r, o, row, 3, keep);
        else if (vecs == 2) weighted_mean(r, o, row, 2, keep);
        else weighted_mean(r, o, row, 1, keep);
    }
}

static void outputs_of_firing(const room *r, size_t o, size_t n)
{
    if (r->training) weighted_means(r, o, n, true);
    else weighted_means(r, o, n, false);
}

/* --- backward --- */

/* factor = slope / sum */
static void take_slopes(const room *r, const double *slope, size_t n)
{
    for (size_t o = 0; o < r->b->outputs; o++) {
        const real *from = as_real(slope + o * SG_PITCH, 1, n, r->dz);
        for (size_t i = 0; i < n; i += LANES)
            v_store(r->factor + o * SG_PITCH + i, v_div(v_load(from + i), v_load(r->sum + i)));
    }
}

/* What pulls at the rules, firing * sum over outputs of factor * (rule_y - y), takes the place of
 * the first output's rule_y. */
static void pulls_of_rules(const room *r, size_t n)
{
    const size_t rules = r->b->rules, outputs = r->b->outputs, pitch = r->pitch;
    const real *f = r->firing, *y = r->y, *factor = r->factor;
    real *rule_y = r->rule_y;
    for (size_t i = 0; i < n; i += LANES)
        for (size_t p = 0; p < rules; p++) {
            real *at = rule_y + p * pitch + i;
            vec t = v_mul(v_sub(v_load(at), v_load(y + i)), v_load(factor + i));
            for (size_t o = 1; o < outputs; o++)
                t = v_fma(v_sub(v_load(at + o * rules * pitch), v_load(y + o * SG_PITCH + i)),
                          v_load(factor + o * SG_PITCH + i), t);
            v_store(at, v_mul(v_load(f + p * pitch + i), t));
        }
}

/* Adds the lanes of `count` (at most 12) vectors to as many numbers. */
TILE void add_sums(const vec *g, const int count, real *to)
{
    EACH(part, 12 / LANES + 1)
    {
        const int from = part * LANES, left = count - from < LANES ? count - from : LANES;
        vec some[LANES];
        if (left <= 0) continue;
        EACH(i, LANES) some[i] = i < left ? g[i < left ? from + i : 0] : v_all(0);
        vec sums = v_sum_rows(some);
        if (left == LANES) {
            v_store(to + from, v_add(v_load(to + from), sums));
        } else {
            real lane[LANES];
            v_store(lane, sums);
            EACH(i, left) to[from + i] += lane[i];
        }
    }
}

/* Sums over the rows of firing * dz, for `rules` rules and `terms` terms: rules * terms numbers that
 * follow each other. */
TILE void slopes_at(const room *r, const real *firing, const real *dz, size_t n,
                             const int rules, const int terms, real *slope)
{
    const size_t pitch = r->pitch;
    vec g[SUMS_AT_ONCE];
    EACH(k, rules * terms) g[k] = v_all(0);
    for (size_t i = 0; i < n; i += LANES) {
        vec f[SUMS_AT_ONCE];
        EACH(p, rules) f[p] = v_pin(v_load(firing + (size_t)p * pitch + i));
        EACH(k, terms)
        {
            vec x = v_load(dz + (size_t)k * SG_PITCH + i);
            if (rules > 1) x = v_pin(x);
            EACH(p, rules) g[p * terms + k] = v_fma(f[p], x, g[p * terms + k]);
        }
    }
    add_sums(g, rules * terms, slope);
}

/* The tile as constants, so that its sums stay in registers. */
static void slopes_of(const room *r, const real *firing, const real *dz, size_t n, size_t terms,
                      real *slope)
{
    switch (terms) {
    case 1: slopes_at(r, firing, dz, n, 1, 1, slope); break;
    case 2: slopes_at(r, firing, dz, n, 1, 2, slope); break;
    case 3: slopes_at(r, firing, dz, n, 1, 3, slope); break;
    case 4: slopes_at(r, firing, dz, n, 1, 4, slope); break;
    case 5: slopes_at(r, firing, dz, n, 1, 5, slope); break;
    case 6: slopes_at(r, firing, dz, n, 1, 6, slope); break;
    case 7: slopes_at(r, firing, dz, n, 1, 7, slope); break;
    case 8: slopes_at(r, firing, dz, n, 1, 8, slope); break;
    case 9: slopes_at(r, firing, dz, n, 1, 9, slope); break;
    case 10: slopes_at(r, firing, dz, n, 1, 10, slope); break;
    case 11: slopes_at(r, firing, dz, n, 1, 11, slope); break;
    default: slopes_at(r, firing, dz, n, 1, SUMS_AT_ONCE, slope); break;
    }
}

/* As many rules with all their terms as a tile holds. Returns how many, 0 where it holds none. */
static size_t slopes_of_rules(const room *r, const real *firing, size_t n, size_t terms, size_t rules,
                              real *slope)
{
    if (terms == 1 && rules >= 12) return slopes_at(r, firing, r->dz, n, 12, 1, slope), 12;
    if (terms == 2 && rules >= 6) return slopes_at(r, firing, r->dz, n, 6, 2, slope), 6;
    if (terms == 3 && rules >= 4) return slopes_at(r, firing, r->dz, n, 4, 3, slope), 4;
    if (terms == 4 && rules >= 3) return slopes_at(r, firing, r->dz, n, 3, 4, slope), 3;
    if (terms == 5 && rules >= 2) return slopes_at(r, firing, r->dz, n, 2, 5, slope), 2;
    if (terms == 6 && rules >= 2) return slopes_at(r, firing, r->dz, n, 2, 6, slope), 2;
    return 0;
}

static void add_slopes(room *r, size_t o, size_t n)
{
    size_t terms = r->b->terms + 1, rule = 0, done;
    const real *factor = r->factor + o * SG_PITCH;
    real *slope = r->slope + o * r->b->rules * terms;
    for (size_t i = 0; i < n; i += LANES) {
        v_store(r->dz + i, v_load(factor + i));
        for (size_t k = 1; k < terms; k++)
            v_store(r->dz + k * SG_PITCH + i,
                    v_mul(v_load(factor + i), v_load(r->z + (k - 1) * SG_PITCH + i)));
    }
    while ((done = slopes_of_rules(r, r->firing + rule * r->pitch, n, terms, r->b->rules - rule,
                                   slope + rule * terms)))
        rule += done;
    for (; rule < r->b->rules; rule++)
        for (size_t k = 0; k < terms; k += SUMS_AT_ONCE)
            slopes_of(r, r->firing + rule * r->pitch, r->dz + k * SG_PITCH, n, terms - k,
                      slope + rule * terms + k);
}

#endif
