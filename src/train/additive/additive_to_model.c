/* additive_to_model.c: centres curves and pairs, converts them to the units of the target, and computes what a reader
 * wants to know about them.
 *
 * A pair is centred against its curves: for each term of one input, the mean of the pair over the rows is moved to the
 * curve of that input, which can represent it. Along a monotone input, only as much is moved as leaves both the pair
 * and the curve ordered. The standard errors are those of the Bayesian posterior of the consequents, given the
 * penalties: a curve is its estimate plus or minus two standard errors with about 95 % probability if errors are
 * independent. */
#include "train/additive/additive_to_model.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { CENTRING_ROUNDS = 50 };
/* This fraction of the product of its inputs' shares is added to the share of each cell, so that cells without rows
 * count too. */
static const double EMPTY_SHARE = 1e-3;

static const double *total_gram(const sg_additive_fit *f)
{
    return sg_additive_sums_at(f->sums, SG_ADDITIVE_FOLDS).gram;
}

/* Returns the mean of column i of the regressors: the share of the rows in a cell. */
static double share_of(const sg_additive_fit *f, size_t i) { return total_gram(f)[i * f->n] / total_gram(f)[0]; }

/* --- the place of a pair's terms in its curves --- */

typedef struct pair_view {
    const sg_curve *curve[2];
    double *curve_value[2]; /* (cells + 1, outputs) of both curves     */
    double *value;          /* (terms, terms, outputs)                 */
    double *share;          /* (terms, terms): weights of the cells    */
    size_t terms[2], outputs;
} pair_view;

static double *cell_of(const pair_view *v, size_t i, size_t j) { return v->value + (i * v->terms[1] + j) * v->outputs; }

static double *cell_along(const pair_view *v, size_t side, size_t along, size_t other)
{
    return side == 0 ? cell_of(v, along, other) : cell_of(v, other, along);
}

static double share_along(const pair_view *v, size_t side, size_t along, size_t other)
{
    return side == 0 ? v->share[along * v->terms[1] + other] : v->share[other * v->terms[1] + along];
}

/* Adds a function that is given at the terms of a curve, and linear between them, to the curve. */
static void add_to_curve(const sg_curve *c, const double *at_term, size_t outputs, size_t o, double *value)
{
    for (size_t k = 0, t = 0; k < c->cells; k++) {
        while (t + 1 < c->terms && c->term[t + 1] <= k) t++;
        double add = at_term[t];
        if (k < c->term[t] || t + 1 == c->terms || c->is_category || k == c->term[t]) {
            value[k * outputs + o] += add;
            continue;
        }
        double from = sg_curve_term_knot(c, t), to = sg_curve_term_knot(c, t + 1);
        value[k * outputs + o] += add + (c->knot[k] - from) / (to - from) * (at_term[t + 1] - add);
    }
}

/* Finds what is moved to the curve of side `side`: for each term of that side, the mean over the other input. */
static void find_means(const pair_view *v, size_t side, size_t o, double *mean)
{
    for (size_t i = 0; i < v->terms[side]; i++) {
        double sum = 0, weight = 0;
        for (size_t j = 0; j < v->terms[1 - side]; j++) {
            sum += share_along(v, side, i, j) * cell_along(v, side, i, j)[o];
            weight += share_along(v, side, i, j);
        }
        mean[i] = weight > 0 ? sum / weight : 0;
    }
}

/* The same along a monotone input: the increments that all lines of the table have in common. */
static void find_common_increments(const pair_view *v, size_t side, size_t o, double *common)
{
    int sign = v->curve[side]->monotone;
    common[0] = 0;
    for (size_t i = 1; i < v->terms[side]; i++) {
        double least = INFINITY;
        for (size_t j = 0; j < v->terms[1 - side]; j++)
            least = fmin(least, sign * (cell_along(v, side, i, j)[o] - cell_along(v, side, i - 1, j)[o]));
        common[i] = common[i - 1] + sign * fmax(least, 0);
    }
}

/* Restores the order along a monotone input if rounding has broken it. */
static void restore_order(const pair_view *v, size_t side, size_t o)
{
    int sign = v->curve[side]->monotone;
    for (size_t i = 1; sign && i < v->terms[side]; i++)
        for (size_t j = 0; j < v->terms[1 - side]; j++) {
            double *now = cell_along(v, side, i, j) + o, before = cell_along(v, side, i - 1, j)[o];
            if (sign * (*now - before) < 0) *now = before;
        }
}

static void move_to_curve(const pair_view *v, size_t side, size_t o, double *part)
{
    if (v->curve[side]->monotone) find_common_increments(v, side, o, part);
    else find_means(v, side, o, part);
    for (size_t i = 0; i < v->terms[side]; i++)
        for (size_t j = 0; j < v->terms[1 - side]; j++) cell_along(v, side, i, j)[o] -= part[i];
    restore_order(v, side, o);
    restore_order(v, 1 - side, o);
    add_to_curve(v->curve[side], part, v->outputs, o, v->curve_value[side]);
}

/* Moves the mean of the whole table to the first curve. */
static void move_mean_to_curve(const pair_view *v, double *part)
{
    for (size_t o = 0; o < v->outputs; o++) {
        double sum = 0, weight = 0;
        for (size_t k = 0; k < v->terms[0] * v->terms[1]; k++) {
            sum += v->share[k] * v->value[k * v->outputs + o];
            weight += v->share[k];
        }
        for (size_t k = 0; k < v->terms[0] * v->terms[1]; k++) v->value[k * v->outputs + o] -= sum / weight;
        for (size_t i = 0; i < v->terms[0]; i++) part[i] = sum / weight;
        add_to_curve(v->curve[0], part, v->outputs, o, v->curve_value[0]);
    }
}

/* Finds the shares of the cells, plus a small fraction of the product of both inputs' shares. */
static void find_cell_shares(const sg_additive_fit *f, size_t first, const pair_view *v)
{
    const size_t a = v->terms[0], b = v->terms[1];
    double all = 0;
    for (size_t k = 0; k < a * b; k++) all += v->share[k] = share_of(f, first + k);
    for (size_t i = 0; i < a; i++)
        for (size_t j = 0; j < b; j++) {
            double row = 0, column = 0;
            for (size_t k = 0; k < b; k++) row += share_of(f, first + i * b + k);
            for (size_t k = 0; k < a; k++) column += share_of(f, first + k * b + j);
            if (all > 0) v->share[i * b + j] += EMPTY_SHARE * row * column / all;
        }
}

static sg_status centre_pair(const sg_additive_fit *f, size_t pair, sg_additive *s)
{
    const sg_pair *p = &s->pair[pair];
    pair_view v = {.value = p->value, .outputs = s->outputs};
    for (size_t k = 0; k < 2; k++) {
        v.curve[k] = &s->curve[p->curve[k]];
        v.curve_value[k] = v.curve[k]->value;
        v.terms[k] = v.curve[k]->terms;
    }
    size_t cells = v.terms[0] * v.terms[1], most = v.terms[0] > v.terms[1] ? v.terms[0] : v.terms[1];
    v.share = sg_calloc(cells + most, sizeof *v.share);
    if (!v.share) return sg_fail_out_of_memory("pairs");
    find_cell_shares(f, f->penalty[s->curves + pair].first, &v);
    for (size_t o = 0; o < s->outputs; o++)
        for (size_t round = 0; round < CENTRING_ROUNDS; round++)
            for (size_t side = 0; side < 2; side++) move_to_curve(&v, side, o, v.share + cells);
    if (v.curve[0]->monotone && v.curve[1]->monotone) move_mean_to_curve(&v, v.share + cells);
    free(v.share);
    return SG_OK;
}

/* --- centring on the mean --- */

/* Subtracts from n values their mean over the rows, and returns that mean. */
static double centre_values(const sg_additive_fit *f, size_t first, size_t n, size_t outputs, double *value)
{
    double mean = 0;
    for (size_t i = 0; i < n; i++) mean += share_of(f, first + i) * value[i * outputs];
    for (size_t i = 0; i < n; i++) value[i * outputs] -= mean;
    return mean;
}

/* If no row has a missing value of an input, its curve has no value for missing inputs: they count as the mean. A level
 * or a missing input adds its own value; a row whose level is not listed adds 0, so the mean is over all rows.
 * Constants of pairs that do not apply to rows with missing values stay in the pair. */
static void centre_all(const sg_additive_fit *f, sg_model *m)
{
    sg_additive *s = m->additive;
    for (size_t o = 0; o < s->outputs; o++) {
        double mean = m->scale[o] * f->coefficients[o];
        for (size_t i = 0; i < s->curves; i++) {
            sg_curve *c = &s->curve[i];
            size_t first = f->penalty[i].first;
            if (!(share_of(f, first + c->cells) > 0)) c->value[c->cells * s->outputs + o] = 0;
            double own = centre_values(f, first, c->cells + 1, s->outputs, c->value + o);
            if (!(share_of(f, first + c->cells) > 0)) c->value[c->cells * s->outputs + o] = 0;
            mean += own;
        }
        m->mean[o] += mean;
    }
}

/* --- statistics --- */

/* Returns the variance over the rows of values v (columns first .., outputs), in the order of the regressors. */
static double variance_of(const sg_additive_fit *f, size_t first, size_t n, size_t outputs, const double *v)
{
    const double *gram = total_gram(f);
    double mean = 0, square = 0;
    for (size_t i = 0; i < n; i++) {
        mean += share_of(f, first + i) * v[i * outputs];
        for (size_t j = 0; j <= i; j++)
            square +=
                (i == j ? 1 : 2) * gram[(first + i) * f->n + first + j] / gram[0] * v[i * outputs] * v[j * outputs];
    }
    double variance = square - mean * mean;
    return variance > 0 ? variance : 0;
}

/* Writes to e (n) the weights with which the coefficients enter value k of curve i after centring of its pairs: its own
 * coefficient, and the means of the pairs' lines there. */
static void find_weights(const sg_additive_fit *f, size_t i, size_t k, double *e)
{
    const sg_additive *s = f->layout;
    const sg_curve *c = &s->curve[i];
    memset(e, 0, f->n * sizeof *e);
    e[f->penalty[i].first + k] = 1;
    for (size_t p = 0; k < c->cells && p < s->pairs; p++) {
        size_t side = s->pair[p].curve[1] == i, first = f->penalty[s->curves + p].first, t = 0;
        const sg_curve *other = &s->curve[s->pair[p].curve[1 - side]];
        if (s->pair[p].curve[side] != i) continue;
        while (t + 1 < c->terms && c->term[t + 1] <= k) t++;
        double u = 0;
        if (!c->is_category && k > c->term[t] && t + 1 < c->terms)
            u = (c->knot[k] - sg_curve_term_knot(c, t)) / (sg_curve_term_knot(c, t + 1) - sg_curve_term_knot(c, t));
        for (size_t step = 0; step < 2; step++) {
            double weight = step ? u : 1 - u, share = 0;
            if (!(weight > 0)) continue;
            for (size_t pass = 0; pass < 2; pass++)
                for (size_t j = 0; j < other->terms; j++) {
                    size_t column = first + (side ? j * c->terms + t + step : (t + step) * other->terms + j);
                    if (pass == 0) share += share_of(f, column);
                    else if (share > 0) e[column] += weight * share_of(f, column) / share;
                }
        }
    }
}

/* Computes the posterior standard errors of the centred values of a curve, relative to the standard deviation of the
 * noise: the root of e'C e, where C is the inverse of the equations and e are the weights of the coefficients. error:
 * (cells + 1). */
static sg_status find_errors(const sg_additive_fit *f, size_t i, double *error)
{
    const size_t n = f->n, cells = f->layout->curve[i].cells + 1;
    double *e = sg_calloc(cells + 2, n * sizeof *e), *mean = e ? e + cells * n : NULL, *u = e ? mean + n : NULL;
    if (!e) return sg_fail_out_of_memory("curves");
    for (size_t k = 0; k < cells; k++) {
        find_weights(f, i, k, e + k * n);
        for (size_t j = 0; j < n; j++) mean[j] += share_of(f, f->penalty[i].first + k) * e[k * n + j];
    }
    for (size_t k = 0; k < cells; k++) {
        double sum = 0;
        memset(u, 0, n * sizeof *u);
        for (size_t j = 0; j < n; j++) {
            double weight = e[k * n + j] - mean[j];
            for (size_t m = j; weight != 0 && m < n; m++) u[m] += weight * f->inverse[j * n + m];
        }
        for (size_t m = 0; m < n; m++) sum += u[m] * u[m];
        error[k] = sqrt(sum);
    }
    free(e);
    return SG_OK;
}

static sg_status describe_curve(const sg_additive_fit *f, size_t i, sg_model *m)
{
    sg_curve *c = &m->additive->curve[i];
    const size_t first = f->penalty[i].first, n = c->cells + 1, outputs = m->outputs;
    double *error = sg_calloc(n, sizeof *error);
    sg_status st = error && sg_curve_alloc_stats(c, outputs) ? SG_OK : sg_fail_out_of_memory("curves");
    if (st == SG_OK) st = find_errors(f, i, error);
    for (size_t k = 0; st == SG_OK && k < n; k++) {
        c->share[k] = share_of(f, first + k);
        bool has_rows = k < c->cells || c->share[k] > 0;
        for (size_t o = 0; o < outputs; o++)
            c->band[k * outputs + o] = has_rows ? m->scale[o] * sqrt(f->noise[o]) * error[k] : 0;
    }
    for (size_t o = 0; st == SG_OK && o < outputs; o++)
        c->deviation[o] = sqrt(variance_of(f, first, n, outputs, c->value + o));
    free(error);
    return st;
}

static sg_status describe_pair(const sg_additive_fit *f, size_t i, sg_model *m)
{
    const sg_additive *s = m->additive;
    sg_pair *p = &m->additive->pair[i];
    size_t first = f->penalty[s->curves + i].first;
    if (!sg_pair_alloc_stats(p, s->outputs)) return sg_fail_out_of_memory("pairs");
    for (size_t o = 0; o < s->outputs; o++)
        p->deviation[o] = sqrt(variance_of(f, first, sg_pair_cells(s, p), s->outputs, p->value + o));
    return SG_OK;
}

/* --- the whole --- */

static void copy_values(const sg_additive_fit *f, size_t block, size_t n, const sg_model *m, double *value)
{
    const double *from = f->coefficients + f->penalty[block].first * m->outputs;
    for (size_t i = 0; i < n; i++)
        for (size_t o = 0; o < m->outputs; o++) value[i * m->outputs + o] = m->scale[o] * from[i * m->outputs + o];
}

sg_status sg_additive_to_model(const sg_additive_fit *f, sg_model *m)
{
    const sg_additive *layout = f->layout;
    sg_status st = SG_OK;
    if (!(m->additive = sg_additive_copy(layout))) return sg_fail_out_of_memory("curves");
    st = sg_model_alloc_theta(m);
    if (st != SG_OK) return st;
    sg_additive *s = m->additive;
    for (size_t i = 0; i < s->curves; i++) {
        if (!s->curve[i].is_category)
            memcpy(s->curve[i].knot, layout->curve[i].knot, s->curve[i].cells * sizeof *s->curve[i].knot);
        copy_values(f, i, s->curve[i].cells + 1, m, s->curve[i].value);
    }
    for (size_t i = 0; i < s->pairs; i++)
        copy_values(f, s->curves + i, sg_pair_cells(s, &s->pair[i]), m, s->pair[i].value);
    for (size_t i = 0; st == SG_OK && i < s->pairs; i++) st = centre_pair(f, i, s);
    centre_all(f, m);
    for (size_t i = 0; st == SG_OK && i < s->curves; i++) st = describe_curve(f, i, m);
    for (size_t i = 0; st == SG_OK && i < s->pairs; i++) st = describe_pair(f, i, m);
    return st;
}
