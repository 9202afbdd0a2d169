/* additive_fit.c: penalised least squares for curves and pairs, and the choice of their penalties. */
#include "train/additive/additive_fit.h"

#include "base/memory.h"
#include "linalg/linalg.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Ridge penalties, in units of rows of weight 1: one on all consequents, so that the equations have a solution, and one
 * on the consequents of missing values, which may be rare. */
static const double tiny_ridge = 1e-3, missing_ridge = 1;
/* The ridge penalty of a pair, relative to its smoothing penalty: it makes the curves represent everything that they
 * can express. Along an axis of length 1, one period of a sine wave has a squared second derivative of (2 pi)^4 = 1,560
 * times its square. The table of a monotone input needs a part of what its curve could express, to be monotone itself.
 */
static const double pair_ridge = 3000, monotone_pair_ridge = 100;
/* The minimum distance between knots, as a share of the rows, that the smoothing penalty assumes. */
static const double min_distance = 1e-3;
static const double min_lambda = 1e-6, max_factor = 1e6;

/* --- penalties --- */

static bool add_element(sg_penalty *p, size_t *capacity, size_t row, size_t column, double value)
{
    if (!sg_array_reserve(&p->element, capacity, p->elements + 1, sizeof *p->element)) return false;
    if (row < column) return add_element(p, capacity, column, row, value);
    p->element[p->elements++] = (sg_penalty_element){(uint32_t)row, (uint32_t)column, value};
    return true;
}

/* Adds the integral of the squared second derivative around the middle one of three consequents, times `factor`. left
 * and right are the distances to the neighbouring knots, as shares of the rows, so that a function that is smooth for
 * most rows may bend in the tails.
 * */
static bool add_second_difference(sg_penalty *p, size_t *capacity, const size_t column[3], double left, double right,
                                  double factor)
{
    double weight = 2 * factor / (left + right), d[3] = {1 / left, -1 / left - 1 / right, 1 / right};
    for (size_t i = 0; i < 3; i++)
        for (size_t j = 0; j <= i; j++)
            if (!add_element(p, capacity, column[i], column[j], weight * d[i] * d[j])) return false;
    return true;
}

/* The knots of a curve, or the terms of one of the two inputs of a pair. */
typedef struct knot_axis {
    size_t n;
    double *share; /* (n): shares of the rows */
    bool is_category;
} knot_axis;

/* Returns the share of the rows between knots k and k + 1: half of the memberships of both. */
static double knot_distance(const knot_axis *x, size_t k)
{
    return fmax((x->share[k] + x->share[k + 1]) / 2, min_distance);
}

/* Returns the part of the axis that knot k stands for. */
static double knot_width(const knot_axis *x, size_t k)
{
    if (x->is_category || x->n < 2) return fmax(x->share[k], min_distance);
    double left = k ? knot_distance(x, k - 1) : 0, right = k + 1 < x->n ? knot_distance(x, k) : 0;
    return (left + right) / 2;
}

/* Penalises second differences along a line of columns first, first + step, ... */
static bool penalise_line(sg_penalty *p, size_t *capacity, const knot_axis *x, size_t first, size_t step, double factor)
{
    for (size_t k = 1; !x->is_category && k + 1 < x->n; k++) {
        size_t column[3] = {first + (k - 1) * step, first + k * step, first + (k + 1) * step};
        if (!add_second_difference(p, capacity, column, knot_distance(x, k - 1), knot_distance(x, k), factor))
            return false;
    }
    return true;
}

static bool penalise_curve(const sg_curve *c, const double *gram, size_t n, double *work, sg_penalty *p)
{
    size_t capacity = 0;
    knot_axis x = {c->cells, work, c->is_category};
    p->columns = c->cells + 1;
    p->rank = c->is_category ? c->cells : c->cells - 2;
    for (size_t k = 0; k < c->cells; k++) work[k] = gram[(p->first + k) * n] / gram[0];
    for (size_t k = 0; c->is_category && k < c->cells; k++)
        if (!add_element(p, &capacity, p->first + k, p->first + k, 1)) return false;
    return penalise_line(p, &capacity, &x, p->first, 1, 1);
}

/* Penalises the integrals of the squared second derivatives along both inputs, and of the square of the function. */
static bool penalise_pair(const sg_additive *s, const sg_pair *pair, const double *gram, size_t n, double *work,
                          sg_penalty *p)
{
    const sg_curve *a = &s->curve[pair->curve[0]], *b = &s->curve[pair->curve[1]];
    knot_axis x = {a->terms, work, a->is_category}, y = {b->terms, work + a->terms, b->is_category};
    double ridge = a->monotone || b->monotone ? monotone_pair_ridge : pair_ridge;
    size_t capacity = 0;
    p->columns = p->rank = x.n * y.n;
    memset(work, 0, (x.n + y.n) * sizeof *work);
    for (size_t i = 0; i < x.n; i++)
        for (size_t j = 0; j < y.n; j++) {
            double share = gram[(p->first + i * y.n + j) * n] / gram[0];
            x.share[i] += share;
            y.share[j] += share;
        }
    for (size_t j = 0; j < y.n; j++)
        if (!penalise_line(p, &capacity, &x, p->first + j, y.n, knot_width(&y, j))) return false;
    for (size_t i = 0; i < x.n; i++)
        if (!penalise_line(p, &capacity, &y, p->first + i * y.n, 1, knot_width(&x, i))) return false;
    for (size_t i = 0; i < x.n; i++)
        for (size_t j = 0; j < y.n; j++) {
            size_t column = p->first + i * y.n + j;
            if (!add_element(p, &capacity, column, column, ridge * knot_width(&x, i) * knot_width(&y, j))) return false;
        }
    return true;
}

/* Returns a moderate strength: a tenth of the diagonal of the Gram matrix, relative to the diagonal of the penalty. */
static double initial_lambda(const sg_penalty *p, const double *gram, size_t n)
{
    double data = 0, penalty = 0;
    for (size_t i = p->first; i < p->first + p->columns; i++) data += gram[i * n + i];
    for (size_t i = 0; i < p->elements; i++)
        if (p->element[i].row == p->element[i].column) penalty += p->element[i].value;
    return penalty > 0 ? fmax(0.1 * data / penalty, min_lambda) : 1;
}

static bool make_penalties(sg_additive_fit *f)
{
    const sg_additive *s = f->layout;
    const double *gram = sg_additive_sums_at(f->sums, SG_ADDITIVE_FOLDS).gram;
    size_t column = 1;
    for (size_t i = 0; i < f->penalties; i++) {
        sg_penalty *p = &f->penalty[i];
        p->first = column;
        bool ok = i < s->curves ? penalise_curve(&s->curve[i], gram, f->n, f->solution, p)
                                : penalise_pair(s, &s->pair[i - s->curves], gram, f->n, f->solution, p);
        if (!ok) return false;
        p->lambda = initial_lambda(p, gram, f->n);
        p->most = max_factor * p->lambda;
        column += p->columns;
    }
    return true;
}

static void find_variances(sg_additive_fit *f)
{
    sg_normal_equations e = sg_additive_sums_at(f->sums, SG_ADDITIVE_FOLDS);
    for (size_t o = 0; o < f->sums->outputs; o++) {
        double mean = e.cross[o] / e.gram[0], v = e.squares[o] / e.gram[0] - mean * mean;
        f->variance[o] = v > 0 ? v : 1;
        f->noise[o] = f->variance[o];
    }
}

sg_status sg_additive_fit_init(sg_additive_fit *f, const sg_additive *layout, const sg_additive_sums *sums)
{
    const size_t n = sums->columns, outputs = sums->outputs;
    *f = (sg_additive_fit){.layout = layout, .sums = sums, .n = n, .penalties = layout->curves + layout->pairs};
    sg_double_array arrays[] = {
        {&f->matrix, n * n},     {&f->inverse, n * n}, {&f->solution, n * outputs}, {&f->coefficients, n * outputs},
        {&f->variance, outputs}, {&f->noise, outputs}, {&f->output_error, outputs}};
    for (size_t i = 0; i < layout->curves; i++) f->is_constrained |= layout->curve[i].monotone != 0;
    f->penalty = sg_calloc(f->penalties, sizeof *f->penalty);
    if (f->penalty && sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays) && make_penalties(f)) {
        find_variances(f);
        return SG_OK;
    }
    sg_additive_fit_release(f);
    return sg_fail(SG_ENOMEM, "out of memory while fitting %zu consequents by least squares", n);
}

void sg_additive_fit_release(sg_additive_fit *f)
{
    for (size_t i = 0; f->penalty && i < f->penalties; i++) free(f->penalty[i].element);
    free(f->penalty);
    free(f->factor);
    free(f->matrix);
    *f = (sg_additive_fit){0};
}

/* --- solving --- */

static void add_penalties(const sg_additive_fit *f, double *a)
{
    const size_t n = f->n;
    for (size_t i = 1; i < n; i++) a[i * n + i] += tiny_ridge;
    for (size_t i = 0; i < f->penalties; i++) {
        const sg_penalty *p = &f->penalty[i];
        for (size_t k = 0; k < p->elements; k++)
            a[p->element[k].row * n + p->element[k].column] += p->lambda * p->element[k].value;
        size_t last = p->first + p->columns - 1;
        if (i < f->layout->curves) a[last * n + last] += missing_ridge;
    }
}

/* Writes the equations of all rows except those of the fold `without` (SG_ADDITIVE_FOLDS: no fold is left out). */
static void load_equations(const sg_additive_fit *f, size_t without, double *a, double *c)
{
    const size_t n = f->n, outputs = f->sums->outputs;
    sg_normal_equations all = sg_additive_sums_at(f->sums, SG_ADDITIVE_FOLDS);
    memcpy(a, all.gram, n * n * sizeof *a);
    memcpy(c, all.cross, n * outputs * sizeof *c);
    if (without < SG_ADDITIVE_FOLDS) {
        sg_normal_equations fold = sg_additive_sums_at(f->sums, without);
        for (size_t i = 0; i < n; i++)
            for (size_t j = 0; j <= i; j++) a[i * n + j] -= fold.gram[i * n + j];
        for (size_t i = 0; i < n * outputs; i++) c[i] -= fold.cross[i];
    }
    add_penalties(f, a);
}

static sg_status fail_unsolvable(void)
{
    return sg_fail(SG_EDIVERGED, "the least-squares equations of the curves can't be solved");
}

/* Copies rows [first, last) of a lower triangle of width `from_n` to one of width `to_n`. */
static void copy_triangle(const double *from, size_t from_n, double *to, size_t to_n, size_t first, size_t last)
{
    for (size_t i = first; i < last; i++) memcpy(to + i * to_n, from + i * from_n, (i + 1) * sizeof *to);
}

sg_status sg_additive_fit_reuse_factors(sg_additive_fit *f, const sg_additive_fit *from)
{
    enum { MAX_COLUMNS = 600 };
    const size_t n = f->n;
    if (f->is_constrained || n > MAX_COLUMNS) return SG_OK;
    f->factor = sg_calloc(SG_ADDITIVE_FOLDS + 1, n * n * sizeof *f->factor);
    if (!f->factor) return sg_fail_out_of_memory("least squares");
    if (!from || !from->factor) return SG_OK;
    f->factored = from->n;
    for (size_t k = 0; k <= SG_ADDITIVE_FOLDS; k++)
        copy_triangle(from->factor + k * from->n * from->n, from->n, f->factor + k * n * n, n, 0, from->n);
    return SG_OK;
}

sg_status sg_additive_fit_solve_without(sg_additive_fit *f, size_t fold, double *b)
{
    const size_t n = f->n, outputs = f->sums->outputs;
    double *c = f->is_constrained ? f->inverse : b; /* the inverse is not in use here, and has room */
    double *l = f->factor ? f->factor + fold * n * n : f->matrix;
    load_equations(f, fold, f->matrix, c);
    if (f->is_constrained) return sg_monotone_solve(f->layout, n, outputs, f->matrix, c, b);
    if (f->factor) copy_triangle(f->matrix, n, l, n, f->factored, n);
    if (!sg_cholesky_extend(l, n, f->factored)) return fail_unsolvable();
    sg_cholesky_solve(l, n, b, outputs);
    return SG_OK;
}

sg_status sg_additive_fit_solve(sg_additive_fit *f)
{
    return sg_additive_fit_solve_without(f, SG_ADDITIVE_FOLDS, f->coefficients);
}

/* Returns the squared error of coefficients b for output o: y'y - 2 c'b + b'G b. */
static double squared_error(const sg_additive_fit *f, sg_normal_equations e, const double *b, size_t o)
{
    const size_t n = f->n, outputs = f->sums->outputs;
    double sum = e.squares[o];
    for (size_t i = 0; i < n; i++) {
        double bi = b[i * outputs + o], row = 0;
        if (bi == 0) continue;
        for (size_t j = 0; j < i; j++) row += e.gram[i * n + j] * b[j * outputs + o];
        sum += bi * (2 * (row - e.cross[i * outputs + o]) + bi * e.gram[i * n + i]);
    }
    return sum > 0 ? sum : 0;
}

sg_status sg_additive_fit_cross_validate(sg_additive_fit *f)
{
    const size_t outputs = f->sums->outputs;
    double all = 0, weight = 0, rows = sg_additive_sums_at(f->sums, SG_ADDITIVE_FOLDS).gram[0];
    memset(f->output_error, 0, outputs * sizeof *f->output_error);
    for (size_t k = 0; k < SG_ADDITIVE_FOLDS; k++) {
        sg_normal_equations e = sg_additive_sums_at(f->sums, k);
        f->fold_weight[k] = f->fold_error[k] = 0;
        if (!(e.gram[0] > 0 && e.gram[0] < rows)) continue; /* nothing to test or to train on */
        f->fold_weight[k] = e.gram[0];
        sg_status st = sg_additive_fit_solve_without(f, k, f->solution);
        if (st != SG_OK) return st;
        for (size_t o = 0; o < outputs; o++) {
            double error = squared_error(f, e, f->solution, o) / f->variance[o];
            f->output_error[o] += error;
            f->fold_error[k] += error / (double)outputs;
        }
        all += f->fold_error[k];
        weight += e.gram[0];
        f->fold_error[k] /= e.gram[0];
    }
    f->error = weight > 0 ? all / weight : 1; /* unknown: assumed to be the error of the mean */
    for (size_t o = 0; o < outputs; o++) f->output_error[o] = weight > 0 ? f->output_error[o] / weight : 1;
    return SG_OK;
}

void sg_additive_fit_set_noise(sg_additive_fit *f)
{
    for (size_t o = 0; o < f->sums->outputs; o++) f->noise[o] = fmax(f->error, 1e-12) * f->variance[o];
}

double sg_additive_fit_standard_error(const sg_additive_fit *f)
{
    double sum = 0, n = 0;
    for (size_t k = 0; k < SG_ADDITIVE_FOLDS; k++) {
        double d = f->fold_error[k] - f->error;
        if (!(f->fold_weight[k] > 0)) continue;
        sum += d * d;
        n++;
    }
    return n > 1 ? sqrt(sum / (n * (n - 1))) : 0;
}

double sg_additive_fit_block_variance(const sg_additive_fit *f, size_t block, size_t o)
{
    const size_t n = f->n, outputs = f->sums->outputs, first = f->penalty[block].first;
    const double *gram = sg_additive_sums_at(f->sums, SG_ADDITIVE_FOLDS).gram;
    double sum = 0, square = 0;
    for (size_t i = first; i < first + f->penalty[block].columns; i++) {
        double b = f->coefficients[i * outputs + o];
        sum += gram[i * n] * b;
        for (size_t j = first; j < i; j++) square += 2 * gram[i * n + j] * b * f->coefficients[j * outputs + o];
        square += gram[i * n + i] * b * b;
    }
    double mean = sum / gram[0], variance = square / gram[0] - mean * mean;
    return variance > 0 ? variance : 0;
}

/* --- strengths of the penalties --- */

/* Returns the trace of the product of the inverse of the equations and the penalty. */
static double penalty_trace(const sg_additive_fit *f, const sg_penalty *p)
{
    double sum = 0;
    for (size_t k = 0; k < p->elements; k++) {
        sg_penalty_element e = p->element[k];
        double v = e.value * sg_inverse_element(f->inverse, f->n, e.row, e.column);
        sum += e.row == e.column ? v : 2 * v;
    }
    return sum;
}

/* Returns b'S b, summed over the outputs, each relative to its noise. */
static double penalty_value(const sg_additive_fit *f, const sg_penalty *p)
{
    const size_t outputs = f->sums->outputs;
    double sum = 0;
    for (size_t o = 0; o < outputs; o++)
        for (size_t k = 0; k < p->elements; k++) {
            sg_penalty_element e = p->element[k];
            double v = e.value * f->coefficients[e.row * outputs + o] * f->coefficients[e.column * outputs + o];
            sum += (e.row == e.column ? v : 2 * v) / f->noise[o];
        }
    return sum;
}

/* Sets the variances of the residuals. used: the effective number of parameters. */
static void find_noise(sg_additive_fit *f, double used)
{
    sg_normal_equations e = sg_additive_sums_at(f->sums, SG_ADDITIVE_FOLDS);
    double rows = e.gram[0], unused = fmax(rows - used, 0.1 * rows);
    for (size_t o = 0; o < f->sums->outputs; o++)
        f->noise[o] = fmax(squared_error(f, e, f->coefficients, o) / unused, 1e-12 * f->variance[o]);
}

static void update_lambda(sg_additive_fit *f, sg_penalty *p, double trace)
{
    double outputs = (double)f->sums->outputs, value = penalty_value(f, p);
    double effective = (double)p->rank - p->lambda * trace;
    double next = value > 0 ? outputs * fmax(effective, 0) / value : p->most;
    next = fmin(fmax(next, p->lambda / 30), p->lambda * 30); /* large steps overshoot */
    p->lambda = fmin(fmax(next, min_lambda), p->most);
}

/* Solves the equations of all rows without constraints. b receives the coefficients, trace (penalties) the traces. */
static sg_status solve_unconstrained(sg_additive_fit *f, double *b, double *trace)
{
    load_equations(f, SG_ADDITIVE_FOLDS, f->matrix, b);
    if (!sg_cholesky(f->matrix, f->n)) return fail_unsolvable();
    sg_cholesky_solve(f->matrix, f->n, b, f->sums->outputs);
    sg_triangular_inverse(f->matrix, f->n, f->inverse);
    for (size_t i = 0; i < f->penalties; i++) trace[i] = penalty_trace(f, &f->penalty[i]);
    return SG_OK;
}

/* Returns the effective number of parameters. */
static double count_used(const sg_additive_fit *f, const double *trace)
{
    double used = (double)f->n;
    for (size_t i = 0; i < f->penalties; i++) used -= f->penalty[i].lambda * trace[i];
    return used;
}

sg_status sg_additive_fit_finish(sg_additive_fit *f)
{
    double *trace = sg_calloc(f->penalties, sizeof *trace);
    if (!trace) return sg_fail_out_of_memory("least squares");
    sg_status st = solve_unconstrained(f, f->solution, trace);
    if (st == SG_OK) find_noise(f, count_used(f, trace));
    free(trace);
    return st;
}

static sg_status improve_lambda(sg_additive_fit *f, double *trace)
{
    sg_status st = solve_unconstrained(f, f->coefficients, trace);
    if (st != SG_OK) return st;
    find_noise(f, count_used(f, trace));
    for (size_t i = 0; i < f->penalties; i++) update_lambda(f, &f->penalty[i], trace[i]);
    return SG_OK;
}

sg_status sg_additive_fit_estimate_lambda(sg_additive_fit *f, size_t rounds)
{
    double *trace = sg_calloc(f->penalties, sizeof *trace);
    sg_status st = trace ? SG_OK : sg_fail_out_of_memory("least squares");
    for (size_t i = 0; st == SG_OK && i < rounds; i++) st = improve_lambda(f, trace);
    free(trace);
    return st;
}

void sg_additive_fit_set_pair_lambda(sg_additive_fit *f, double lambda)
{
    for (size_t i = f->layout->curves; i < f->penalties; i++) f->penalty[i].lambda = lambda;
}

static void scale_lambda(sg_additive_fit *f, bool pairs, double factor)
{
    size_t first = pairs ? f->layout->curves : 0, last = pairs ? f->penalties : f->layout->curves;
    for (size_t i = first; i < last; i++) f->penalty[i].lambda *= factor;
}

/* Tries ever smaller or ever larger strengths, as long as the error falls. */
sg_status sg_additive_fit_choose_factor(sg_additive_fit *f, bool pairs)
{
    enum { MAX_STEPS = 6 };
    static const double steps[] = {3, 1.0 / 3};
    sg_status st = sg_additive_fit_cross_validate(f);
    double best = f->error;
    bool moved = false;
    if (pairs && f->layout->pairs == 0) return st;
    for (size_t d = 0; st == SG_OK && d < 2 && !moved; d++)
        for (size_t i = 0; st == SG_OK && i < MAX_STEPS; i++) {
            scale_lambda(f, pairs, steps[d]);
            st = sg_additive_fit_cross_validate(f);
            if (st != SG_OK || !(f->error < best)) {
                scale_lambda(f, pairs, 1 / steps[d]);
                break;
            }
            best = f->error;
            moved = true;
        }
    return st == SG_OK ? sg_additive_fit_cross_validate(f) : st;
}
