/* prior_rows.c: computes the moments of regressors, assuming independent inputs. */
#include "train/additive/prior_rows.h"

#include "base/memory.h"

#include <stdlib.h>

/* A regressor is the product of functions of one or two inputs. Functions 0 to `cells` of a curve are its cells and its
 * value for missing inputs; the later functions are its terms in pairs. */
typedef struct regressor {
    size_t factors;
    size_t curve[2], function[2];
} regressor;

/* The moments of the functions of a curve. */
typedef struct curve_moments {
    size_t functions;
    double *mean;    /* (functions)            */
    double *product; /* (functions, functions) */
} curve_moments;

/* Returns the value of a function of a curve at a cell. */
static double function_at(const sg_curve *c, size_t function, size_t cell)
{
    if (function <= c->cells) return function == cell ? 1 : 0;
    size_t t = function - c->cells - 1, at = c->term[t];
    if (cell == c->cells) return 0; /* missing */
    if (c->is_category || cell == at) return cell == at ? 1 : 0;
    if (cell < at) {
        if (t == 0) return 1;
        double from = sg_curve_term_knot(c, t - 1), x = c->knot[cell];
        return x <= from ? 0 : (x - from) / (c->knot[at] - from);
    }
    if (t + 1 == c->terms) return 1;
    double to = sg_curve_term_knot(c, t + 1), x = c->knot[cell];
    return x >= to ? 0 : (to - x) / (to - c->knot[at]);
}

static bool find_moments(const sg_curve *c, curve_moments *m)
{
    const size_t n = m->functions = c->cells + 1 + c->terms;
    m->mean = sg_calloc(n * (n + 1), sizeof *m->mean);
    if (!m->mean) return false;
    m->product = m->mean + n;
    for (size_t cell = 0; cell <= c->cells; cell++)
        for (size_t i = 0; i < n; i++) {
            double value = c->share[cell] * function_at(c, i, cell);
            m->mean[i] += value;
            for (size_t j = 0; value != 0 && j < n; j++) m->product[i * n + j] += value * function_at(c, j, cell);
        }
    return true;
}

static void list_regressors(const sg_additive *s, regressor *r)
{
    r++; /* the constant has no factors */
    for (size_t i = 0; i < s->curves; i++)
        for (size_t k = 0; k <= s->curve[i].cells; k++) *r++ = (regressor){1, {i, 0}, {k, 0}};
    for (size_t i = 0; i < s->pairs; i++) {
        const size_t *curve = s->pair[i].curve;
        const sg_curve *a = &s->curve[curve[0]], *b = &s->curve[curve[1]];
        for (size_t k = 0; k < a->terms; k++)
            for (size_t l = 0; l < b->terms; l++)
                *r++ = (regressor){2, {curve[0], curve[1]}, {a->cells + 1 + k, b->cells + 1 + l}};
    }
}

/* Returns the mean of the product of two regressors. */
static double mean_product(const regressor *u, const regressor *v, const curve_moments *m)
{
    double result = 1;
    bool used[2] = {false, false};
    for (size_t i = 0; i < u->factors; i++) {
        const curve_moments *c = &m[u->curve[i]];
        double value = c->mean[u->function[i]];
        for (size_t j = 0; j < v->factors; j++) {
            if (v->curve[j] != u->curve[i]) continue;
            value = c->product[u->function[i] * c->functions + v->function[j]];
            used[j] = true;
        }
        result *= value;
    }
    for (size_t j = 0; j < v->factors; j++)
        if (!used[j]) result *= m[v->curve[j]].mean[v->function[j]];
    return result;
}

bool sg_prior_rows_gram(const sg_additive *s, double *gram)
{
    const size_t n = sg_additive_columns(s);
    regressor *r = sg_calloc(n, sizeof *r);
    curve_moments *m = sg_calloc(s->curves, sizeof *m);
    bool ok = r && m;
    for (size_t i = 0; ok && i < s->curves; i++) ok = find_moments(&s->curve[i], &m[i]);
    if (ok) list_regressors(s, r);
    for (size_t i = 0; ok && i < n; i++)
        for (size_t j = 0; j <= i; j++) gram[i * n + j] = mean_product(&r[i], &r[j], m);
    for (size_t i = 0; m && i < s->curves; i++) free(m[i].mean);
    free(m);
    free(r);
    return ok;
}
