/* ensemble.c: see ensemble.h. */
#include "auto/ensemble/ensemble.h"

#include "base/memory.h"
#include "base/random/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum {
    SELECTION_STEPS = 25,
    MIN_SELECTIONS = 3,
    BAGS = 10
};                                     /* a member that was added less often is not worth its time */
static const double MIN_WEIGHT = 0.03; /* nor one with less weight, where halves chose             */

static sg_status out_of_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for a committee"); }

/* --- who is in it --- */

/* Error of (sum + y) / n, on rows that count: all, or those of a half. */
static double error_with_candidate(const sg_search_data *g, const bool *in, const double *sum, const double *y,
                                   double n)
{
    double total = 0, weight = 0;
    for (size_t i = 0; i < g->rows; i++) {
        double squares = 0;
        if (in && !in[i]) continue;
        for (size_t o = 0; o < g->outputs; o++) {
            size_t k = i * g->outputs + o;
            double d = (sum[k] + y[k]) / n - g->targets[k];
            squares += d * d / g->variance[o];
        }
        total += g->row_weight[i] * squares;
        weight += g->row_weight[i];
    }
    return total / (weight * (double)g->outputs);
}

static const double *best_predictions(const sg_search_data *g, const sg_candidate *c)
{
    return c->oof_predictions + c->best_eval * g->rows * g->outputs;
}

/* Where candidates are looked at. */
typedef struct selection {
    const sg_search_data *ground;
    const bool *in; /* (rows), or NULL: all of them */
    double *sum;    /* (rows, outputs): room        */
} selection;

/* The one with which the committee errs least, or `count` where none can be used. */
static size_t select_next(const selection *f, const sg_candidate *c, size_t count, size_t step, double *error)
{
    size_t chosen = count;
    *error = INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(c[i].error)) continue;
        double e = error_with_candidate(f->ground, f->in, f->sum, best_predictions(f->ground, &c[i]), (double)step);
        if (e < *error) {
            *error = e;
            chosen = i;
        }
    }
    return chosen;
}

/* How often each is added. */
static void select_greedily(const selection *f, const sg_candidate *c, size_t count, double *times, double *error)
{
    size_t cells = f->ground->rows * f->ground->outputs;
    memset(f->sum, 0, cells * sizeof *f->sum);
    for (size_t step = 1; step <= SELECTION_STEPS; step++) {
        size_t chosen = select_next(f, c, count, step, error);
        if (chosen == count) break;
        times[chosen]++;
        const double *y = best_predictions(f->ground, &c[chosen]);
        for (size_t k = 0; k < cells; k++) f->sum[k] += y[k];
    }
}

/* Those that were added less often leave, if anyone stays; weights add up to 1. */
static void normalize_weights(double *weight, size_t count, double fewest)
{
    size_t kept = 0;
    double total = 0;
    for (size_t i = 0; i < count; i++) kept += weight[i] >= fewest;
    for (size_t i = 0; i < count; i++) total += weight[i] = kept && weight[i] < fewest ? 0 : weight[i];
    for (size_t i = 0; i < count && total > 0; i++) weight[i] /= total;
}

sg_status sg_ensemble_select(const sg_search_data *g, const sg_candidate *c, size_t count, double *weight,
                             double *error)
{
    selection f = {.ground = g, .sum = sg_calloc(g->rows, g->outputs * sizeof *f.sum)};
    if (!f.sum) return out_of_memory();
    memset(weight, 0, count * sizeof *weight);
    select_greedily(&f, c, count, weight, error);
    free(f.sum);
    normalize_weights(weight, count, MIN_SELECTIONS);
    return SG_OK;
}

/* *error: INFINITY where nobody counts. */
static void ensemble_error(const selection *f, const sg_candidate *c, size_t count, const double *weight, double *error)
{
    size_t cells = f->ground->rows * f->ground->outputs;
    double *zero = f->sum + cells, all = 0;
    memset(f->sum, 0, cells * sizeof *f->sum);
    for (size_t i = 0; i < count; i++) {
        if (!(weight[i] > 0)) continue;
        const double *y = best_predictions(f->ground, &c[i]);
        for (size_t k = 0; k < cells; k++) f->sum[k] += weight[i] * y[k];
        all += weight[i];
    }
    *error = all > 0 ? error_with_candidate(f->ground, NULL, f->sum, zero, 1) : (double)INFINITY;
}

sg_status sg_ensemble_select_bagged(const sg_search_data *g, const sg_candidate *c, size_t count, double *weight,
                                    double *error)
{
    bool *in = sg_calloc(g->rows, sizeof *in);
    selection f = {g, in, sg_calloc(2 * g->rows, g->outputs * sizeof *f.sum)};
    memset(weight, 0, count * sizeof *weight);
    for (size_t k = 0; f.sum && in && k < BAGS; k++) {
        sg_random_stream random = sg_random_stream_at(k / 2, SG_RANDOM_ENSEMBLE_SPLIT, 0, 0);
        for (size_t i = 0; i < g->rows; i++) in[i] = sg_random_stream_next(&random) % 2 == k % 2;
        select_greedily(&f, c, count, weight, error);
    }
    normalize_weights(weight, count, MIN_WEIGHT * SELECTION_STEPS * BAGS);
    if (f.sum && in) ensemble_error(&f, c, count, weight, error);
    sg_status st = f.sum && in ? SG_OK : out_of_memory();
    free(f.sum);
    free(in);
    return st;
}

/* --- its members --- */

sg_status sg_ensemble_add(sg_ensemble *c, const sg_ensemble_member *m)
{
    if (!sg_array_reserve(&c->member, &c->capacity, c->members + 1, sizeof *c->member)) {
        sg_model_free(m->model);
        sg_tree_ensemble_free(m->tree_ensemble);
        return out_of_memory();
    }
    c->member[c->members++] = *m;
    return SG_OK;
}

void sg_ensemble_release(sg_ensemble *c)
{
    for (size_t i = 0; i < c->members; i++) {
        sg_model_free(c->member[i].model);
        sg_tree_ensemble_free(c->member[i].tree_ensemble);
    }
    free(c->member);
    *c = (sg_ensemble){0};
}

sg_status sg_candidate_add_fold_member(const sg_candidate *c, size_t part, double weight, sg_ensemble *to)
{
    sg_ensemble_member m = {.weight = weight, .trees = sg_candidate_best_steps(c)};
    sg_status st = c->tree_config ? sg_tree_ensemble_ref(c->fold_trees[part], &m.tree_ensemble)
                                  : sg_candidate_fold_model(c, part, &m.model);
    return st == SG_OK ? sg_ensemble_add(to, &m) : st;
}

sg_status sg_candidate_retrain(const sg_candidate *c, const sg_search_data *g, const sg_source *rows, uint64_t seed,
                               sg_search_progress *w, sg_ensemble_member *out)
{
    out->trees = sg_candidate_best_steps(c);
    if (!c->tree_config) return sg_candidate_refit(c, g, rows, seed, w, &out->model);
    return sg_tree_ensemble_train(c->options, c->tree_config, out->trees, g, rows, seed, w, &out->tree_ensemble);
}

/* --- what it says --- */

typedef struct sum {
    double *y, weight;
    size_t outputs;
} sum;

static sg_status add_weighted(void *arg, size_t first, size_t rows, const double *y)
{
    const sum *s = arg;
    double *to = s->y + first * s->outputs;
    for (size_t k = 0; k < rows * s->outputs; k++) to[k] += s->weight * y[k];
    return SG_OK;
}

static sg_status add_tree_ensemble(const sg_ensemble_member *m, const sg_source *rows, sum *s)
{
    double *y = sg_calloc(2 * rows->rows, s->outputs * sizeof *y);
    sg_status st = y ? sg_tree_ensemble_predict(m->tree_ensemble, rows, m->trees, 1, y) : out_of_memory();
    if (st == SG_OK) st = add_weighted(s, 0, rows->rows, y + rows->rows * s->outputs);
    free(y);
    return st;
}

sg_status sg_ensemble_predict(const sg_ensemble *c, const sg_search_data *g, const sg_source *rows, double *y)
{
    sg_status st = SG_OK;
    memset(y, 0, rows->rows * g->outputs * sizeof *y);
    for (size_t i = 0; st == SG_OK && i < c->members; i++) {
        const sg_ensemble_member *m = &c->member[i];
        sum s = {y, m->weight, g->outputs};
        st = m->model ? sg_model_predict_source(m->model, rows, 1, add_weighted, &s) : add_tree_ensemble(m, rows, &s);
    }
    sg_search_data_clip(g, y, rows->rows);
    return st;
}

size_t sg_ensemble_predict_cost(const sg_ensemble *c, size_t rows)
{
    size_t trees = 0;
    for (size_t i = 0; i < c->members; i++) trees += c->member[i].trees * (c->member[i].tree_ensemble != NULL);
    return rows * trees * 100;
}
