/* fast_contract.h: predictions of a full grid.
 *
 * Where no rule is dropped, sum over rules of (product of memberships) * y_r is summed up input by
 * input: over the last input's MFs first, then over the one before, like the carries of a counter.
 * Firing levels are never formed; their sum is the product of the inputs' sums. */
#ifndef SG_KERNEL_FAST_CONTRACT_H
#define SG_KERNEL_FAST_CONTRACT_H

#include "kernel/fast_grid.h"

#include <math.h>

/* Adds `rules` rules of the last input to sum. u: their memberships. */
TILE void add_rules(const real *coef, size_t terms, const real *z, const real *u, const int rules, const int vecs,
                    vec sum[VECS_AT_ONCE])
{
    vec e[RULES_AT_ONCE][VECS_AT_ONCE];
    outputs_of_rules(coef, terms, z, rules, vecs, e);
    EACH(p, rules)
    EACH(v, vecs) sum[v] = v_fma(v_load(u + p * SG_PITCH + v * LANES), e[p][v], sum[v]);
}

/* The sum over the MFs of the last input. */
TILE void over_last(const room *r, const real *coef, size_t row, const int vecs, vec sum[VECS_AT_ONCE])
{
    const sg_condition *last = &r->grid.condition[r->grid.conditions - 1];
    const real *u = r->u + last->first * SG_PITCH + row, *z = r->z + row;
    size_t terms = r->b->terms, i = 0;
    EACH(v, vecs) sum[v] = v_all(0);
    for (; i + 3 <= last->count; i += 3) add_rules(coef + i * (terms + 1), terms, z, u + i * SG_PITCH, 3, vecs, sum);
    for (; i < last->count; i++) add_rules(coef + i * (terms + 1), terms, z, u + i * SG_PITCH, 1, vecs, sum);
}

/* The sum over the last two inputs where each has two MFs: four rules at once. */
TILE void over_last_two(const room *r, const real *coef, size_t row, const int vecs, vec sum[VECS_AT_ONCE])
{
    const sg_condition *two = &r->grid.condition[r->grid.conditions - 2];
    const real *u = r->u + two->first * SG_PITCH + row;
    vec e[RULES_AT_ONCE][VECS_AT_ONCE];
    outputs_of_rules(coef, r->b->terms, r->z + row, 4, vecs, e);
    for (int v = 0; v < vecs; v++, u += LANES) {
        vec u0 = v_load(u + 2 * SG_PITCH), u1 = v_load(u + 3 * SG_PITCH);
        vec s0 = v_fma(u1, e[1][v], v_mul(u0, e[0][v])), s1 = v_fma(u1, e[3][v], v_mul(u0, e[2][v]));
        sum[v] = v_fma(v_load(u + SG_PITCH), s1, v_mul(v_load(u), s0));
    }
}

/* What inputs from number j on came to goes up through the inputs before it, as far as they are
 * full. Returns true, with the whole sum, after the last rule. */
TILE bool carry(const room *r, size_t j, size_t row, const int vecs, vec sum[VECS_AT_ONCE])
{
    while (j-- > 0) {
        const sg_condition *in = &r->grid.condition[j];
        size_t digit = r->digit[j];
        const real *u = r->u + (in->first + digit) * SG_PITCH + row;
        real *level = r->level + j * VECS_AT_ONCE * LANES;
        if (digit == 0) EACH(v, vecs) sum[v] = v_mul(v_load(u + v * LANES), sum[v]);
        else EACH(v, vecs)
        sum[v] = v_fma(v_load(u + v * LANES), sum[v], v_load(level + v * LANES));
        if (digit + 1 < in->count) {
            EACH(v, vecs) v_store(level + v * LANES, sum[v]);
            r->digit[j] = digit + 1;
            return false;
        }
        r->digit[j] = 0;
    }
    return true;
}

TILE void contract(const room *r, size_t o, size_t row, const int vecs)
{
    const size_t n = r->grid.conditions, step = r->b->terms + 1;
    const sg_condition *last = &r->grid.condition[n - 1];
    const real *coef = r->coef + o * r->b->rules * step;
    vec sum[VECS_AT_ONCE];
    if (n > 1 && last->count == 2 && last[-1].count == 2) {
        do {
            over_last_two(r, coef, row, vecs, sum);
            coef += 4 * step;
        } while (!carry(r, n - 2, row, vecs, sum));
    } else {
        do {
            over_last(r, coef, row, vecs, sum);
            coef += last->count * step;
        } while (!carry(r, n - 1, row, vecs, sum));
    }
    EACH(v, vecs)
    {
        size_t at = row + (size_t)v * LANES;
        v_store(r->y + o * SG_PITCH + at, v_div(sum[v], v_load(r->sum + at)));
    }
}

/* The sums of the inputs' memberships, multiplied. */
static void sum_of_products(const room *r, size_t n)
{
    const size_t inputs = r->grid.conditions;
    for (size_t i = 0; i < n; i += LANES) v_store(r->sum + i, v_all(1));
    for (const sg_condition *in = r->grid.condition; in < r->grid.condition + inputs; in++) {
        const real *u = r->u + in->first * SG_PITCH;
        for (size_t i = 0; i < n; i += LANES) {
            vec s = v_load(u + i);
            for (size_t k = 1; k < in->count; k++) s = v_add(s, v_load(u + k * SG_PITCH + i));
            v_store(r->sum + i, v_mul(s, v_load(r->sum + i)));
        }
    }
}

/* --- inputs of two MFs each, few enough of them --- */

/* Then the ratio of the two memberships, within bounds whose product over all inputs is a number,
 * says all; the sum of the products is the product of 1 + ratio. */
static bool has_ratios(const room *r)
{
    size_t all = r->b->outputs * r->b->rules * (r->b->terms + 1);
    double most = 0, sums[4] = {0}; /* four chains of additions, since this is done for a single row, too */
    if (!r->gauss || !sg_grid_pairs(&r->grid) || r->grid.conditions > MOST_RATIOS) return false;
    for (const double *b = r->b->conseq, *end = b + all; b < end; b += 4) EACH(k, 4)
        {
            double size = fabs(b[k]);
            most = size > most ? size : most;
            sums[k] += size;
        }
    double sum = (sums[0] + sums[1]) + (sums[2] + sums[3]);
    bool alike = most <= RATIO_ALIKE * sum / (double)all; /* or a bounded ratio would weigh too much */
    return (most == 0 || most >= 1e-10) && alike && most * (double)(r->b->terms + 1) <= RATIO_COEFFICIENT;
}

TILE void ratios(const room *r, size_t n, const bool gaps)
{
    const size_t inputs = r->grid.conditions;
    const vec most = v_all(RATIOS_IN_ALL / (real)inputs), least = v_all(-RATIOS_IN_ALL / (real)inputs);
    for (size_t i = 0; i < n; i += LANES) v_store(r->sum + i, v_all(1));
    for (const sg_condition *in = r->grid.condition; in < r->grid.condition + inputs; in++) {
        const real *x = r->a + in->input * SG_PITCH, *missing = gaps ? r->missing + in->input * SG_PITCH : x;
        const pair p = pair_of(r, in);
        real *u = r->u + (in->first + 1) * SG_PITCH, *sum = r->sum;
        for (size_t i = 0; i < n; i += LANES) {
            vec d = v_min(v_max(difference(&p, v_load(x + i)), least), most), e = v_exp2_within(d);
            if (gaps) e = where_missing(missing + i, v_all(1), e);
            v_store(u + i, e);
            v_store(sum + i, v_fma(e, v_load(sum + i), v_load(sum + i)));
        }
    }
}

/* Like contract: four rules at once, then up the inputs as the bits of the counter say. */
TILE void contract_ratios(const room *r, size_t o, size_t row, const int vecs)
{
    const size_t n = r->grid.conditions, step = r->b->terms + 1, quads = r->b->rules / 4;
    const real *coef = r->coef + o * r->b->rules * step, *z = r->z + row, *u = r->u + SG_PITCH + row;
    real *level = r->level;
    vec sum[VECS_AT_ONCE];
    size_t q = 0;
    do {
        const real *at = u + 2 * (n - 2) * SG_PITCH; /* the ratio of the last input but one */
        vec e[RULES_AT_ONCE][VECS_AT_ONCE];
        outputs_of_rules(coef, step - 1, z, 4, vecs, e);
        EACH(v, vecs)
        {
            vec last = v_load(at + 2 * SG_PITCH + v * LANES);
            sum[v] = v_fma(v_load(at + v * LANES), v_fma(last, e[3][v], e[2][v]), v_fma(last, e[1][v], e[0][v]));
        }
        real *to = level;
        for (size_t bits = q; bits & 1; bits >>= 1, to += VECS_AT_ONCE * LANES) {
            at -= 2 * SG_PITCH;
            EACH(v, vecs) sum[v] = v_fma(v_load(at + v * LANES), sum[v], v_load(to + v * LANES));
        }
        EACH(v, vecs) v_store(to + v * LANES, sum[v]);
        coef += 4 * step;
    } while (++q < quads);
    EACH(v, vecs)
    {
        size_t at = row + (size_t)v * LANES;
        v_store(r->y + o * SG_PITCH + at, v_mul(v_div(sum[v], v_load(r->sum + at)), v_all(1 / RATIO_SCALE)));
    }
}

/* The same for FIXED inputs, eight rules at once; the same operations in the same order. */
static void contract_fixed(const room *r, size_t n)
{
    enum { EIGHT = 8 * (FIXED + 1) * LANES, EIGHTS = 1 << (FIXED - 3) };
    for (size_t i = 0; i < n; i += LANES) {
        const real *u = r->u + SG_PITCH + i, *last = u + 2 * (FIXED - 1) * SG_PITCH;
        vec z[FIXED], s[EIGHTS];
        EACH(k, FIXED) z[k] = v_load(r->z + k * SG_PITCH + i);
        EACH(q, EIGHTS)
        {
            vec e[8];
            outputs_of_eight(r->spread + q * EIGHT, z, e);
            EACH(p, 4) e[p] = v_fma(v_load(last), e[2 * p + 1], e[2 * p]);
            EACH(p, 2) e[p] = v_fma(v_load(last - 2 * SG_PITCH), e[2 * p + 1], e[2 * p]);
            s[q] = v_fma(v_load(last - 4 * SG_PITCH), e[1], e[0]);
        }
        EACH(p, 2) s[p] = v_fma(v_load(u + 2 * SG_PITCH), s[2 * p + 1], s[2 * p]);
        s[0] = v_fma(v_load(u), s[1], s[0]);
        v_store(r->y + i, v_mul(v_div(s[0], v_load(r->sum + i)), v_all(1 / RATIO_SCALE)));
    }
}

/* Worth it for more than a few rows. */
static bool spreads(const room *r, size_t n) { return r->has_ratios && is_fixed(r) && n >= 8 * LANES; }

/* --- */

static void prepare_grid(room *r, const sg_chunk *c, size_t n)
{
    if (spreads(r, n) && !r->is_spread) {
        spread_coefficients(r);
        r->is_spread = true;
    }
    if (r->has_ratios) {
        r->missing ? ratios(r, n, true) : ratios(r, n, false);
    } else {
        memberships(r, c, n);
        sum_of_products(r, n);
    }
}

TILE void contract_any(const room *r, size_t o, size_t row, const int vecs)
{
    if (r->has_ratios) contract_ratios(r, o, row, vecs);
    else contract(r, o, row, vecs);
}

static void outputs_of_grid(const room *r, size_t o, size_t n)
{
    if (spreads(r, n)) {
        contract_fixed(r, n);
        return;
    }
    for (size_t row = 0, vecs; row < n; row += vecs * LANES) {
        vecs = vecs_of_tile((n - row) / LANES);
        if (vecs == 3) contract_any(r, o, row, 3);
        else if (vecs == 2) contract_any(r, o, row, 2);
        else contract_any(r, o, row, 1);
    }
}

#endif
