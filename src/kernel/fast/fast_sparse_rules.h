/* fast_sparse_rules.h: predictions of rules with gauss2 MFs and few conditions each, such as tree leaves. Inputs
 * without a condition and zero coefficients are skipped. */
#pragma once

#include "kernel/fast/fast_workspace.h"

#include <math.h>

/* Returns the number of conditions of all rules. */
static size_t count_bounds(const sg_block *b)
{
    size_t n = 0;
    for (size_t i = 0; i < b->rules * b->inputs; i++) n += b->mf_of[i] >= 0;
    return n;
}

static void load_bounds(const workspace *ws, size_t rule, real scale, size_t *at)
{
    const sg_block *b = ws->b;
    double p[SG_MF_MAX_PARAMETERS];
    for (size_t m = 0; m < b->inputs; m++) {
        int32_t mf = b->mf_of[rule * b->inputs + m];
        if (mf < 0) continue;
        sg_mf_get(b, (size_t)mf, p);
        leaf_bound *s = &ws->bound[(*at)++];
        *s = (leaf_bound){m * SG_PITCH, to_real(p[0]), scale * to_real(p[1]), to_real(p[2]), scale * to_real(p[3])};
    }
}

/* Loads the non-zero coefficients of the first output. */
static void load_leaf_coefs(const workspace *ws, size_t rule, size_t *at)
{
    const sg_block *b = ws->b;
    const double *c = b->conseq + rule * (b->terms + 1) * b->outputs;
    for (size_t m = 0; m < b->terms; m++) {
        double coef = c[(m + 1) * b->outputs];
        if (coef != 0) ws->leaf_coefs[(*at)++] = (leaf_coef){m * SG_PITCH, to_real(coef)};
    }
}

static void load_leaves(const workspace *ws)
{
    const sg_block *b = ws->b;
    size_t bounds = 0, coefs = 0;
    const real scale = to_real(sqrt(0.5 * log2_of_e * b->firing_scale));
    for (size_t p = 0; p < b->rules; p++) {
        load_bounds(ws, p, scale, &bounds);
        load_leaf_coefs(ws, p, &coefs);
        ws->leaf[p] = (leaf_end){bounds, coefs, to_real(b->conseq[p * (b->terms + 1) * b->outputs])};
    }
}

/* Computes the squared distances of `vecs` vectors of rows from a rule, and the rule output, as rule_distances does. */
TILE void leaf_distances(const workspace *ws, size_t rule, size_t row, const int vecs, const bool has_missing)
{
    const size_t to = rule * ws->pitch + row;
    size_t bound = rule ? ws->leaf[rule - 1].bounds : 0, coef = rule ? ws->leaf[rule - 1].coefs : 0;
    vec q[8], y[8];
    EACH(v, vecs)
    {
        q[v] = v_set1(0);
        y[v] = v_set1(ws->leaf[rule].constant);
    }
    for (; bound < ws->leaf[rule].bounds; bound++) {
        const leaf_bound *s = &ws->bound[bound];
        const real *x = ws->a + s->input + row, *missing = has_missing ? ws->missing + s->input + row : NULL;
        EACH(v, vecs)
        {
            vec at = v_load(x + v * LANES);
            vec below = v_mul(v_min(v_sub(at, v_set1(s->c1)), v_set1(0)), v_set1(s->k1));
            vec above = v_mul(v_max(v_sub(at, v_set1(s->c2)), v_set1(0)), v_set1(s->k2));
            vec far = v_add(below, above); /* one of them is 0 */
            if (has_missing) far = where_missing(missing + v * LANES, v_set1(0), far);
            q[v] = v_fma(far, far, q[v]);
        }
    }
    for (; coef < ws->leaf[rule].coefs; coef++) {
        const real *z = ws->z + ws->leaf_coefs[coef].term + row;
        EACH(v, vecs) y[v] = v_fma(v_set1(ws->leaf_coefs[coef].b), v_load(z + v * LANES), y[v]);
    }
    EACH(v, vecs)
    {
        v_store(ws->firing + to + (size_t)v * LANES, v_min(q[v], v_set1(MAX_DISTANCE)));
        v_store(ws->rule_y + to + (size_t)v * LANES, y[v]);
    }
}
