/* additive_structure.c: chooses knots and pairs by cross-validation on sums, with three passes over the rows.
 *
 * Curves with many knots are fitted first. Their residuals tell which pairs of inputs may interact. The best candidates
 * are added one by one while the cross-validated error falls. Last, each curve keeps the fewest knots that represent it
 * well. */
#include "train/additive/additive_structure.h"

#include "base/memory.h"
#include "linalg/linalg.h"
#include "train/additive/pair_screening.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* The maximum number of terms of a curve, unless more terms reduce the error by MORE_TERMS_GAIN. */
enum { MAX_TERMS = 7 };
static const double MORE_TERMS_GAIN = 0.05;
/* Choosing fewer knots or fewer pairs may increase the error by these fractions of it. */
static const double KNOT_TOLERANCE = 0.004, PAIR_TOLERANCE = 0.01;
/* The selection of pairs ends after MAX_USELESS pairs in a row that do not reduce the error. The other values limit the
 * number of candidate pairs and the total number of their cells. */
enum { MAX_USELESS = 6, MAX_CANDIDATES = 36, MAX_CANDIDATE_CELLS = 900 };
/* The strength, per row, of the penalties of pairs that is tried first. */
static const double PAIR_LAMBDA = 0.0002;

enum { LAMBDA_ROUNDS = 10 };

/* Prepares a fit of the plan with its penalties. */
static sg_status init_plan_fit(const sg_additive_plan *plan, const sg_additive *layout, const sg_additive_sums *sums,
                               sg_additive_fit *out)
{
    sg_status st = sg_additive_fit_init(out, layout, sums);
    if (st != SG_OK) return st;
    for (size_t i = 0, k = 0; i < plan->fine->curves; i++)
        if (plan->curve[i].used || sg_additive_plan_is_paired(plan, i))
            out->penalty[k++].lambda = plan->curve[i].lambda;
    sg_additive_fit_set_pair_lambda(out, plan->pair_lambda);
    return SG_OK;
}

static sg_status run_plan_fit(sg_additive_fit *f)
{
    sg_status st = sg_additive_fit_cross_validate(f);
    if (st == SG_OK) st = sg_additive_fit_solve(f);
    if (st == SG_OK) sg_additive_fit_set_noise(f);
    if (st != SG_OK) sg_additive_fit_release(f);
    return st;
}

sg_status sg_additive_plan_fit(const sg_additive_plan *plan, const sg_additive *layout, const sg_additive_sums *sums,
                               sg_additive_fit *out)
{
    sg_status st = init_plan_fit(plan, layout, sums, out);
    return st == SG_OK ? run_plan_fit(out) : st;
}

/* Without --smoothing, refitted curves get this many times the smoothing that restricted maximum likelihood suggests,
 * because that method regards everything in a smooth teacher's labels as signal. The error hardly changes. */
static const double REFIT_SMOOTHING = 10;

sg_status sg_additive_layout_fit(const sg_additive *layout, const sg_additive_sums *sums, double smoothing,
                                 sg_additive_fit *out)
{
    double rows = sg_additive_sums_at(sums, SG_ADDITIVE_FOLDS).gram[0];
    sg_status st = sg_additive_fit_init(out, layout, sums);
    if (st != SG_OK) return st;
    st = sg_additive_fit_estimate_lambda(out, LAMBDA_ROUNDS);
    for (size_t i = 0; i < layout->curves; i++) out->penalty[i].lambda *= smoothing > 0 ? smoothing : REFIT_SMOOTHING;
    sg_additive_fit_set_pair_lambda(out, PAIR_LAMBDA * rows * (smoothing > 0 ? smoothing : 1));
    if (st == SG_OK && !(smoothing > 0)) st = sg_additive_fit_choose_factor(out, true);
    if (st != SG_OK) {
        sg_additive_fit_release(out);
        return st;
    }
    return run_plan_fit(out);
}

/* Chooses the strengths of the penalties of curves. There must be no pairs. */
static sg_status choose_curve_lambda(const sg_additive *layout, const sg_additive_sums *sums, double smoothing,
                                     sg_additive_plan *plan)
{
    sg_additive_fit f;
    sg_status st = sg_additive_fit_init(&f, layout, sums);
    if (st != SG_OK) return st;
    st = sg_additive_fit_estimate_lambda(&f, LAMBDA_ROUNDS);
    if (st == SG_OK && !(smoothing > 0)) st = sg_additive_fit_choose_factor(&f, false);
    for (size_t i = 0; i < f.layout->curves; i++)
        plan->curve[i].lambda = f.penalty[i].lambda * (smoothing > 0 ? smoothing : 1);
    sg_additive_fit_release(&f);
    return st;
}

/* The layout, the sums and the fit of a plan. */
typedef struct trial {
    sg_additive_layout layout;
    sg_additive_sums sums;
    sg_additive_fit fit;
} trial;

static void release_trial(trial *t)
{
    sg_additive_fit_release(&t->fit);
    sg_additive_sums_release(&t->sums);
    sg_additive_layout_release(&t->layout);
}

/* Moves a trial, whose fit points to its sums. */
static void move_trial(trial *from, trial *to)
{
    *to = *from;
    to->fit.sums = &to->sums;
    *from = (trial){0};
}

/* Makes the sums of a plan by a pass over the rows. */
static sg_status sum_plan(const sg_structure_search *s, const sg_additive_plan *plan, trial *t)
{
    *t = (trial){0};
    sg_status st = sg_additive_plan_layout(plan, &t->layout);
    if (st == SG_OK)
        st = sg_additive_sums_compute(s->rows, s->prepared, t->layout.part, s->grouping, NULL, s->pool, &t->sums);
    if (st != SG_OK) release_trial(t);
    return st;
}

/* Makes the sums of a plan from those of another plan that contains it. */
static sg_status project_plan(const trial *from, const sg_additive_plan *plan, trial *t)
{
    *t = (trial){0};
    sg_status st = sg_additive_plan_layout(plan, &t->layout);
    if (st == SG_OK) st = sg_additive_sums_project(&from->sums, from->layout.part, t->layout.part, &t->sums);
    if (st != SG_OK) release_trial(t);
    return st;
}

static sg_status fit_trial(const sg_additive_plan *plan, trial *t)
{
    sg_status st = sg_additive_plan_fit(plan, t->layout.part, &t->sums, &t->fit);
    if (st != SG_OK) release_trial(t);
    return st;
}

/* Reports a part of a pass over the rows as done. Returns whether the training was cancelled. */
static bool report_work(const sg_structure_search *s, size_t part)
{
    return sg_additive_work(s->progress, s->rows->rows / part);
}

/* --- fewer knots --- */

/* Functions of one input that are given at the same knots, are linear between them, and are to be represented by few of
 * these knots: a curve, or the lines of the pairs of an input. */
typedef struct knot_choice {
    size_t n, width;
    const double *x; /* (n): knots                                                        */
    double *value;   /* (n, width)                                                        */
    double *weight;  /* (n, width): shares of the rows, relative to the noise             */
    bool *forced;    /* (n)                                                               */
    double *cost;    /* (n + 1, n): least error with m kept knots, of which k is the last */
    size_t *before;  /* (n + 1, n): the kept knot before k                                */
} knot_choice;

/* Returns the error at knot k if the functions are linear between knots i and j. i == j: they are constant. */
static double error_at(const knot_choice *c, size_t i, size_t j, size_t k)
{
    double t = i == j ? 0 : (c->x[k] - c->x[i]) / (c->x[j] - c->x[i]), sum = 0;
    const double *a = c->value + i * c->width, *b = c->value + j * c->width, *v = c->value + k * c->width;
    for (size_t o = 0; o < c->width; o++) {
        double d = v[o] - (a[o] + t * (b[o] - a[o]));
        sum += d * d * c->weight[k * c->width + o];
    }
    return sum;
}

/* Returns the error of the knots [first, last), or INFINITY if one of them must be kept. */
static double range_error(const knot_choice *c, size_t i, size_t j, size_t first, size_t last)
{
    double sum = 0;
    for (size_t k = first; k < last; k++) {
        if (c->forced[k]) return INFINITY;
        sum += error_at(c, i, j, k);
    }
    return sum;
}

/* Finds the fewest knots, from 2 to `most`, whose error is at most `tolerance`, or the best `most` knots. Marks them in
 * keep. Uses dynamic programming over the number of knots and the last of them. */
static void choose_knots(knot_choice *c, size_t most, double tolerance, bool *keep)
{
    const size_t n = c->n;
    size_t m, last = 0;
    for (size_t k = 0; k < n; k++) c->cost[n + k] = range_error(c, k, k, 0, k);
    for (m = 2; m <= most; m++) { /* at least two knots */
        double least = INFINITY;
        for (size_t k = 0; k < n; k++) {
            double *cost = &c->cost[m * n + k];
            *cost = INFINITY;
            for (size_t i = 0; i < k; i++) {
                double e = c->cost[(m - 1) * n + i] + range_error(c, i, k, i + 1, k);
                if (e < *cost) {
                    *cost = e;
                    c->before[m * n + k] = i;
                }
            }
            double e = *cost + range_error(c, k, k, k + 1, n);
            if (e < least) {
                least = e;
                last = k;
            }
        }
        if (least <= tolerance || m == most) break;
    }
    memset(keep, 0, n * sizeof *keep);
    for (size_t k = last, i = m; i > 0; k = c->before[i * n + k], i--) keep[k] = true;
}

static size_t count_forced(const knot_choice *c)
{
    size_t n = 0;
    for (size_t k = 0; k < c->n; k++) n += c->forced[k];
    return n;
}

static sg_status alloc_choice(knot_choice *c)
{
    size_t cells = (c->n + 1) * c->n, values = c->n * c->width;
    sg_double_array arrays[] = {{&c->value, values}, {&c->weight, values}, {&c->cost, cells}};
    c->forced = sg_calloc(c->n, sizeof *c->forced);
    c->before = sg_calloc(cells, sizeof *c->before);
    bool ok = sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays) && c->forced && c->before;
    return ok ? SG_OK : sg_fail_out_of_memory("the knots of curves");
}

static void release_choice(knot_choice *c)
{
    free(c->value);
    free(c->forced);
    free(c->before);
}

/* A curve of a fit, and what becomes of it in a plan. */
typedef struct curve_reduction {
    const sg_additive_fit *f;
    size_t k;      /* the curve of the fit                 */
    size_t *index; /* (knots): its knots in the fine layout */
    size_t most;   /* the maximum number of knots          */
    double tolerance;
    sg_curve_plan *to;
} curve_reduction;

static double column_share(const sg_additive_fit *f, size_t column)
{
    const double *gram = sg_additive_sums_at(f->sums, SG_ADDITIVE_FOLDS).gram;
    return gram[column * f->n] / gram[0];
}

/* Sets value o of knot k to a coefficient of the fit, and its weight. */
static void set_choice(knot_choice *c, const sg_additive_fit *f, size_t k, size_t o, size_t column, size_t output)
{
    size_t outputs = f->sums->outputs;
    c->value[k * c->width + o] = f->coefficients[column * outputs + output];
    c->weight[k * c->width + o] = column_share(f, column) / (f->noise[output] * (double)outputs);
}

/* Fills in the lines along a curve's terms, for all pairs that the curve is in. Returns the number of lines. c may be
 * NULL. */
static size_t load_lines(const sg_additive_fit *f, size_t curve, knot_choice *c)
{
    const sg_additive *s = f->layout;
    size_t line = 0;
    for (size_t i = 0; i < s->pairs; i++) {
        const sg_pair *p = &s->pair[i];
        size_t side = p->curve[0] == curve ? 0 : 1, other = s->curve[p->curve[1 - side]].terms;
        size_t first = f->penalty[s->curves + i].first;
        if (p->curve[side] != curve) continue;
        for (size_t j = 0; j < other; j++)
            for (size_t o = 0; o < s->outputs; o++, line++)
                for (size_t k = 0; c && k < c->n; k++)
                    set_choice(c, f, k, line, first + (side == 0 ? k * other + j : j * c->n + k), o);
    }
    return line;
}

/* Reduces the terms of pairs. */
static sg_status reduce_terms(const curve_reduction *r)
{
    const sg_curve *curve = &r->f->layout->curve[r->k];
    knot_choice c = {.n = curve->terms, .width = load_lines(r->f, r->k, NULL)};
    double *x = sg_calloc(c.n, sizeof *x);
    bool *keep = sg_calloc(c.n, sizeof *keep);
    sg_status st = alloc_choice(&c);
    if (st == SG_OK && !(x && keep)) st = sg_fail_out_of_memory("the knots of curves");
    if (st == SG_OK) {
        for (size_t i = 0; i < c.n; i++) x[i] = sg_curve_term_knot(curve, i);
        c.x = x;
        load_lines(r->f, r->k, &c);
        choose_knots(&c, r->most < c.n ? r->most : c.n, r->tolerance, keep);
        for (size_t i = 0; i < c.n; i++) r->to->term[r->index[curve->term[i]]] = keep[i];
    }
    free(x);
    free(keep);
    release_choice(&c);
    return st;
}

/* Reduces the knots of a curve. If `forces` is set, the terms of the plan are kept. */
static sg_status reduce_curve(const curve_reduction *r, bool forces)
{
    const sg_additive_fit *f = r->f;
    const sg_curve *curve = &f->layout->curve[r->k];
    knot_choice c = {.n = curve->cells, .width = f->sums->outputs, .x = curve->knot};
    bool *keep = sg_calloc(c.n, sizeof *keep);
    sg_status st = alloc_choice(&c);
    if (st == SG_OK && !keep) st = sg_fail_out_of_memory("the knots of curves");
    if (st == SG_OK) {
        for (size_t i = 0; i < c.n; i++) {
            c.forced[i] = forces && r->to->term[r->index[i]];
            for (size_t o = 0; o < c.width; o++) set_choice(&c, f, i, o, f->penalty[r->k].first + i, o);
        }
        size_t limit = r->most > count_forced(&c) ? r->most : count_forced(&c);
        choose_knots(&c, limit < 2 ? 2 : limit < c.n ? limit : c.n, r->tolerance, keep);
        for (size_t i = 0; i < c.n; i++) r->to->knot[r->index[i]] = keep[i];
    }
    free(keep);
    release_choice(&c);
    return st;
}

/* Writes the positions of the knots that the plan keeps, among the curve's knots in the fine layout. */
static void find_kept_knots(const sg_additive_plan *plan, size_t curve, size_t *index)
{
    bool paired = sg_additive_plan_is_paired(plan, curve);
    const sg_curve_plan *c = &plan->curve[curve];
    for (size_t k = 0; k < plan->fine->curve[curve].cells; k++)
        if (c->knot[k] || (paired && c->term[k])) *index++ = k;
}

/* Reduces the terms and knots of curve `curve` of the plan, which is curve k of the fit. */
static sg_status reduce_input(const sg_additive_fit *f, size_t k, const sg_additive_plan *plan, size_t curve,
                              bool forces, size_t most, double tolerance, sg_additive_plan *out)
{
    size_t *index = sg_calloc(plan->fine->curve[curve].cells, sizeof *index);
    curve_reduction r = {f, k, index, most, tolerance, &out->curve[curve]};
    if (!index) return sg_fail_out_of_memory("the knots of curves");
    find_kept_knots(plan, curve, index);
    sg_status st = f->layout->curve[k].terms ? reduce_terms(&r) : SG_OK;
    if (st == SG_OK) st = reduce_curve(&r, forces);
    free(index);
    return st;
}

/* Makes a plan with fewer knots, and without curves that explain less than `tolerance` of the noise. `forced` marks the
 * curves whose terms are kept; NULL means the curves in pairs. */
static sg_status reduce_plan(const trial *t, const sg_additive_plan *plan, const bool *forced, size_t most,
                             double tolerance, sg_additive_plan *out)
{
    const sg_additive_fit *f = &t->fit;
    sg_status st = sg_additive_plan_copy(plan, out);
    for (size_t i = 0, k = 0; st == SG_OK && i < plan->fine->curves; i++) {
        bool paired = sg_additive_plan_is_paired(plan, i), forces = forced ? forced[i] : paired;
        double share = 0;
        if (!plan->curve[i].used && !paired) continue;
        for (size_t o = 0; o < f->sums->outputs; o++)
            share += sg_additive_fit_block_variance(f, k, o) / (f->noise[o] * (double)f->sums->outputs);
        if (share <= tolerance && !paired) out->curve[i].used = false;
        else if (!plan->fine->curve[i].is_category) st = reduce_input(f, k, plan, i, forces, most, tolerance, out);
        k++;
    }
    if (st != SG_OK) sg_additive_plan_release(out);
    return st;
}

/* Cross-validates a plan, whose sums are projected from those of the trial `from`. */
static sg_status validate_plan(const trial *from, const sg_additive_plan *plan, double *error)
{
    trial t;
    sg_status st = project_plan(from, plan, &t);
    if (st != SG_OK) return st;
    st = fit_trial(plan, &t);
    if (st != SG_OK) return st;
    *error = t.fit.error;
    release_trial(&t);
    return st;
}

/* Replaces the plan with one that has as few knots as possible. */
static sg_status reduce_knots(const sg_structure_search *s, const trial *t, const bool *forced, sg_additive_plan *plan)
{
    static const double tolerance[] = {0, 0.0003, 0.001, 0.003, 0.01};
    double best = INFINITY, error = INFINITY;
    sg_additive_plan chosen = {0}, tried;
    sg_status st = SG_OK;
    if (s->keeps_knots) return SG_OK;
    for (size_t i = 0; st == SG_OK && i < sizeof tolerance / sizeof *tolerance; i++) {
        st = reduce_plan(t, plan, forced, MAX_TERMS, tolerance[i], &tried);
        if (st != SG_OK) break;
        st = validate_plan(t, &tried, &error);
        best = fmin(best, error);
        bool accept = st == SG_OK && (i == 0 || error <= best * (1 + KNOT_TOLERANCE));
        if (accept) {
            if (chosen.curve) sg_additive_plan_release(&chosen);
            chosen = tried;
        } else sg_additive_plan_release(&tried);
        if (!accept) break;
    }
    if (st == SG_OK && best > (1 + MORE_TERMS_GAIN) * t->fit.error) {
        sg_additive_plan_release(&chosen);
        st = reduce_plan(t, plan, forced, SIZE_MAX, tolerance[1], &chosen);
    }
    if (st != SG_OK) {
        if (chosen.curve) sg_additive_plan_release(&chosen);
        return st;
    }
    sg_additive_plan_release(plan);
    *plan = chosen;
    return SG_OK;
}

/* --- pairs --- */

static size_t pair_cells(const sg_additive_plan *plan, const size_t pair[2])
{
    size_t n[2] = {0, 0};
    for (size_t k = 0; k < 2; k++)
        for (size_t i = 0; i < plan->fine->curve[pair[k]].cells; i++) n[k] += plan->curve[pair[k]].term[i];
    return n[0] * n[1];
}

/* The pairs that may be added, in the order of screening. */
typedef struct candidates {
    size_t n;
    sg_pair_score pair[MAX_CANDIDATES];
    bool tried[MAX_CANDIDATES];
} candidates;

static sg_status find_candidates(const sg_structure_search *s, const sg_additive_plan *plan, const trial *curves,
                                 candidates *out)
{
    size_t cells = 0, n = 0;
    *out = (candidates){0};
    sg_status st =
        sg_pairs_screen(s->rows, s->prepared, plan, &curves->fit, s->grouping, MAX_CANDIDATES, out->pair, &n);
    for (; st == SG_OK && out->n < n; out->n++) {
        cells += pair_cells(plan, out->pair[out->n].curve);
        if (cells > MAX_CANDIDATE_CELLS) break;
    }
    return st;
}

/* Returns by how much the pair whose block begins at column p->first of the wide sums would reduce the squared error of
 * the fit, whose coefficients are b (columns of the wide sums, outputs). */
static double score_candidate(const trial *wide, const sg_additive_fit *fit, const sg_penalty *p, double lambda,
                              const double *b, double *work)
{
    const size_t n = wide->sums.columns, m = p->columns, outputs = wide->sums.outputs;
    sg_normal_equations e = sg_additive_sums_at(&wide->sums, SG_ADDITIVE_FOLDS);
    double *a = work, *g = work + m * m, score = 0;
    for (size_t i = 0; i < m; i++)
        for (size_t j = 0; j <= i; j++) a[i * m + j] = e.gram[(p->first + i) * n + p->first + j] + (i == j ? 1e-3 : 0);
    for (size_t k = 0; k < p->elements; k++)
        a[(p->element[k].row - p->first) * m + p->element[k].column - p->first] += lambda * p->element[k].value;
    if (!sg_cholesky(a, m)) return 0;
    for (size_t o = 0; o < outputs; o++) {
        for (size_t i = 0; i < m; i++) {
            size_t r = p->first + i;
            g[i] = g[m + i] = 0;
            double sum = e.cross[r * outputs + o];
            for (size_t j = 0; j < n; j++) {
                if (b[j * outputs + o] == 0) continue;
                sum -= (j <= r ? e.gram[r * n + j] : e.gram[j * n + r]) * b[j * outputs + o];
            }
            g[i] = g[m + i] = sum;
        }
        sg_cholesky_solve(a, m, g, 1);
        for (size_t i = 0; i < m; i++) score += g[i] * g[m + i] / fit->noise[o];
    }
    return score;
}

/* Writes the coefficients of a fit with some of the pairs to the columns of the wide sums. */
static void spread_coefficients(const sg_additive_fit *from, const trial *wide, double *b)
{
    const size_t outputs = wide->sums.outputs;
    const sg_additive *s = from->layout, *t = wide->layout.part;
    const sg_additive_fit *to = &wide->fit;
    memset(b, 0, wide->sums.columns * outputs * sizeof *b);
    memcpy(b, from->coefficients, outputs * sizeof *b);
    for (size_t i = 0; i < s->curves; i++)
        memcpy(b + to->penalty[i].first * outputs, from->coefficients + from->penalty[i].first * outputs,
               from->penalty[i].columns * outputs * sizeof *b);
    for (size_t i = 0; i < s->pairs; i++)
        for (size_t k = 0; k < t->pairs; k++)
            if (s->pair[i].curve[0] == t->pair[k].curve[0] && s->pair[i].curve[1] == t->pair[k].curve[1])
                memcpy(b + to->penalty[t->curves + k].first * outputs,
                       from->coefficients + from->penalty[s->curves + i].first * outputs,
                       to->penalty[t->curves + k].columns * outputs * sizeof *b);
}

/* Returns the untried candidate with the largest score, or SIZE_MAX if all were tried. */
static size_t best_candidate(const trial *wide, const sg_additive_fit *fit, double lambda, const candidates *c,
                             double *work)
{
    double best = -1;
    size_t found = SIZE_MAX;
    double *b = work, *rest = work + wide->sums.columns * wide->sums.outputs;
    spread_coefficients(fit, wide, b);
    for (size_t i = 0; i < c->n; i++) {
        const sg_penalty *p = &wide->fit.penalty[wide->layout.part->curves + i];
        if (c->tried[i]) continue;
        double score = score_candidate(wide, fit, p, lambda, b, rest);
        if (score > best) {
            best = score;
            found = i;
        }
    }
    return found;
}

/* The state of the forward selection of pairs. */
typedef struct forward {
    const sg_structure_search *s;
    candidates *candidates;
    trial wide;            /* trial with all candidate pairs    */
    sg_additive_plan plan; /* plan with the pairs chosen so far */
    trial now;             /* the fit of this plan              */
    double *work;
} forward;

static sg_status start_forward(forward *w, const sg_additive_plan *plan)
{
    sg_additive_plan all = {0};
    size_t largest = 1;
    sg_status st = sg_additive_plan_copy(plan, &all);
    for (size_t i = 0; st == SG_OK && i < w->candidates->n; i++) {
        const size_t *pair = w->candidates->pair[i].curve;
        st = sg_additive_plan_add_pair(&all, pair[0], pair[1]);
        if (pair_cells(plan, pair) > largest) largest = pair_cells(plan, pair);
    }
    if (st == SG_OK) st = sum_plan(w->s, &all, &w->wide);
    if (st == SG_OK) st = sg_additive_fit_init(&w->wide.fit, w->wide.layout.part, &w->wide.sums);
    if (all.curve) sg_additive_plan_release(&all);
    /* Curves in candidate pairs keep their terms, so that the columns of all fits are columns of the wide sums. */
    for (size_t i = 0; st == SG_OK && i < w->candidates->n; i++)
        for (size_t k = 0; k < 2; k++) {
            sg_curve_plan *c = &w->plan.curve[w->candidates->pair[i].curve[k]];
            c->used = true;
            for (size_t j = 0; j < w->plan.fine->curve[w->candidates->pair[i].curve[k]].cells; j++)
                c->knot[j] |= c->term[j];
        }
    if (st == SG_OK) st = project_plan(&w->wide, &w->plan, &w->now);
    if (st == SG_OK) st = fit_trial(&w->plan, &w->now);
    if (st != SG_OK) return st;
    size_t outputs = w->wide.sums.outputs;
    w->work = sg_calloc(w->wide.sums.columns * outputs + largest * (largest + 2), sizeof *w->work);
    return w->work ? SG_OK : sg_fail_out_of_memory("pairs");
}

static void release_forward(forward *w)
{
    release_trial(&w->wide);
    release_trial(&w->now);
    if (w->plan.curve) sg_additive_plan_release(&w->plan);
    free(w->work);
}

/* Improves the strength of the penalties of pairs. */
static sg_status choose_pair_lambda(const forward *w, const sg_additive *layout, const sg_additive_sums *sums,
                                    sg_additive_plan *plan)
{
    sg_additive_fit f;
    if (w->s->smoothing > 0) return SG_OK;
    sg_status st = init_plan_fit(plan, layout, sums, &f);
    if (st != SG_OK) return st;
    st = sg_additive_fit_choose_factor(&f, true);
    if (st == SG_OK) plan->pair_lambda = f.penalty[layout->curves].lambda;
    sg_additive_fit_release(&f);
    return st;
}

/* How a plan differs from that of the last fit. */
typedef enum plan_change { ANOTHER_PLAN, ONE_MORE_PAIR } plan_change;

/* Fits the plan. If `tunes` is set, first improves the strength of the penalties of pairs. */
static sg_status fit_plan(forward *w, plan_change change, bool tunes)
{
    trial next;
    sg_status st = project_plan(&w->wide, &w->plan, &next);
    if (st != SG_OK) return st;
    if (tunes) st = choose_pair_lambda(w, next.layout.part, &next.sums, &w->plan);
    if (st == SG_OK) st = init_plan_fit(&w->plan, next.layout.part, &next.sums, &next.fit);
    if (st == SG_OK)
        st = sg_additive_fit_reuse_factors(&next.fit, change == ONE_MORE_PAIR && !tunes ? &w->now.fit : NULL);
    if (st == SG_OK) st = run_plan_fit(&next.fit);
    if (st != SG_OK) {
        release_trial(&next);
        return st;
    }
    release_trial(&w->now);
    move_trial(&next, &w->now);
    return SG_OK;
}

/* Adds pairs, the most promising first. Keeps as few as give almost the smallest error, or all if they are forced. */
static sg_status add_pairs(forward *w)
{
    const sg_structure_search *s = w->s;
    double error[MAX_CANDIDATES + 1] = {0}, lambda[MAX_CANDIDATES + 1] = {0}, best;
    size_t chosen = 0;
    sg_status st = SG_OK;
    w->plan.pair_lambda = PAIR_LAMBDA * sg_additive_sums_at(&w->wide.sums, SG_ADDITIVE_FOLDS).gram[0];
    if (s->smoothing > 0) w->plan.pair_lambda *= s->smoothing;
    best = error[0] = w->now.fit.error;
    for (size_t n = 1; n <= s->max_pairs && n - chosen <= MAX_USELESS && !report_work(s, 16); n++) {
        size_t i = best_candidate(&w->wide, &w->now.fit, w->plan.pair_lambda, w->candidates, w->work);
        if (i == SIZE_MAX) break;
        w->candidates->tried[i] = true;
        st = sg_additive_plan_add_pair(&w->plan, w->candidates->pair[i].curve[0], w->candidates->pair[i].curve[1]);
        if (st == SG_OK) st = fit_plan(w, ONE_MORE_PAIR, (n & (n - 1)) == 0);
        if (st != SG_OK) return st;
        error[n] = w->now.fit.error;
        lambda[n] = w->plan.pair_lambda;
        if (error[n] < best) chosen = n;
        best = fmin(best, error[n]);
    }
    if (s->forced_pairs) return SG_OK;
    for (chosen = 0; chosen < w->plan.pairs && error[chosen] > (1 + PAIR_TOLERANCE) * best;) chosen++;
    if (chosen == w->plan.pairs) return SG_OK;
    w->plan.pairs = chosen;
    if (chosen) w->plan.pair_lambda = lambda[chosen];
    return fit_plan(w, ANOTHER_PLAN, false);
}

/* Replaces the plan with one that has pairs, and *t with the fit of that plan. */
static sg_status select_pairs(const sg_structure_search *s, candidates *c, sg_additive_plan *plan, trial *t)
{
    forward w = {.s = s, .candidates = c};
    sg_status st = sg_additive_plan_copy(plan, &w.plan);
    if (st == SG_OK) st = start_forward(&w, plan);
    if (st == SG_OK) st = add_pairs(&w);
    if (st == SG_OK) {
        sg_additive_plan_release(plan);
        *plan = w.plan;
        w.plan = (sg_additive_plan){0};
        release_trial(t);
        move_trial(&w.now, t);
    }
    release_forward(&w);
    return st;
}

/* --- the whole --- */

static sg_status use_forced_pairs(const sg_structure_search *s, const sg_additive_plan *plan, candidates *c)
{
    size_t cells = 0;
    *c = (candidates){0};
    for (; c->n < s->forced_pairs && c->n < MAX_CANDIDATES; c->n++) {
        size_t own = pair_cells(plan, s->forced[c->n]);
        cells += own;
        memcpy(c->pair[c->n].curve, s->forced[c->n], sizeof c->pair[c->n].curve);
    }
    if (cells <= MAX_CANDIDATE_CELLS) return SG_OK;
    return sg_fail(SG_EINVAL, "--pairs: the tables of these pairs have %zu cells in all; expected at most %d", cells,
                   MAX_CANDIDATE_CELLS);
}

/* Replaces *t with a fit that has all knots and finer tables of the chosen pairs. */
static sg_status refine_plan(const sg_structure_search *s, sg_additive_plan *plan, trial *t)
{
    trial next;
    sg_additive_plan_refine(plan);
    sg_status st = sum_plan(s, plan, &next);
    if (st == SG_OK) st = fit_trial(plan, &next);
    if (st != SG_OK) return st;
    release_trial(t);
    move_trial(&next, t);
    return SG_OK;
}

/* Finds candidate pairs, reduces the knots except for the terms of these candidates, and selects pairs. */
static sg_status add_pairs_to_plan(const sg_structure_search *s, sg_additive_plan *plan, trial *t)
{
    candidates c;
    sg_status st = SG_OK;
    if (s->forced_pairs) st = use_forced_pairs(s, plan, &c);
    else st = find_candidates(s, plan, t, &c);
    if (st != SG_OK || c.n == 0) return st;
    bool *forced = sg_calloc(plan->fine->curves, sizeof *forced);
    if (!forced) return sg_fail_out_of_memory("pairs");
    for (size_t i = 0; i < c.n; i++) forced[c.pair[i].curve[0]] = forced[c.pair[i].curve[1]] = true;
    st = reduce_knots(s, t, forced, plan);
    if (st == SG_OK) st = select_pairs(s, &c, plan, t);
    if (st == SG_OK) st = refine_plan(s, plan, t);
    free(forced);
    return st;
}

sg_status sg_additive_structure_choose(const sg_structure_search *s, sg_additive_plan *out)
{
    sg_additive_plan plan;
    trial t = {0};
    sg_status st = sg_additive_plan_init(s->fine, &plan);
    if (st != SG_OK) return st;
    for (size_t i = 0; i < s->fine->curves; i++) plan.curve[i].monotone = s->monotone[i];
    st = sum_plan(s, &plan, &t);
    if (st == SG_OK) st = choose_curve_lambda(t.layout.part, &t.sums, s->smoothing, &plan);
    if (st == SG_OK) st = fit_trial(&plan, &t);
    bool stopped = report_work(s, 1);
    if (st == SG_OK && s->max_pairs && !stopped) st = add_pairs_to_plan(s, &plan, &t);
    if (st == SG_OK) st = reduce_knots(s, &t, NULL, &plan);
    release_trial(&t);
    if (st == SG_OK) *out = plan;
    else sg_additive_plan_release(&plan);
    return st;
}
