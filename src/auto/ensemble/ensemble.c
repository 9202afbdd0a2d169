/* ensemble.c: selects the members of an ensemble by their out-of-fold predictions, trains them, and averages their
 * predictions. */
#include "auto/search/search.h"
#include "base/memory.h"
#include "base/random/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Members selected fewer than MIN_SELECTIONS times, or with a weight below MIN_WEIGHT after bagging, are dropped. */
enum { SELECTION_STEPS = 25, MIN_SELECTIONS = 3, BAGS = 10 };
static const double MIN_WEIGHT = 0.03;

/* --- selection --- */

typedef struct selection {
    const sg_search_data *data;
    const bool *in_bag; /* (rows), or NULL for all rows                   */
    double *sum;        /* (rows, outputs): sum of the predictions so far */
} selection;

/* Returns the error of the predictions (sum + y) / n. If y is NULL, it is taken as 0. */
static double error_with_candidate(const selection *sel, const double *y, double n)
{
    const sg_search_data *data = sel->data;
    double total = 0, weight = 0;
    for (size_t i = 0; i < data->rows; i++) {
        double squares = 0;
        if (sel->in_bag && !sel->in_bag[i]) continue;
        for (size_t o = 0; o < data->outputs; o++) {
            size_t k = i * data->outputs + o;
            double d = (sel->sum[k] + (y ? y[k] : 0)) / n - data->targets[k];
            squares += d * d / data->variance[o];
        }
        total += data->row_weight[i] * squares;
        weight += data->row_weight[i];
    }
    return total / (weight * (double)data->outputs);
}

static void add_predictions(const selection *sel, const sg_candidate *c, double weight)
{
    const double *y = sg_candidate_prediction(c, sel->data, c->best_eval, 0);
    for (size_t k = 0; k < sel->data->rows * sel->data->outputs; k++) sel->sum[k] += weight * y[k];
}

static void clear_predictions(const selection *sel)
{
    memset(sel->sum, 0, sel->data->rows * sel->data->outputs * sizeof *sel->sum);
}

/* Returns the candidate that makes the ensemble's error smallest, or `count` if no candidate is usable. */
static size_t select_next(const selection *sel, const sg_candidate *c, size_t count, size_t step, double *error)
{
    size_t chosen = count;
    *error = INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(c[i].error)) continue;
        double e =
            error_with_candidate(sel, sg_candidate_prediction(&c[i], sel->data, c[i].best_eval, 0), (double)step);
        if (e < *error) {
            *error = e;
            chosen = i;
        }
    }
    return chosen;
}

/* Adds to `times` how often each candidate is selected. */
static void select_greedily(const selection *sel, const sg_candidate *c, size_t count, double *times, double *error)
{
    clear_predictions(sel);
    for (size_t step = 1; step <= SELECTION_STEPS; step++) {
        size_t chosen = select_next(sel, c, count, step, error);
        if (chosen == count) break;
        times[chosen]++;
        add_predictions(sel, &c[chosen], 1);
    }
}

/* Sets weights below `least` to 0, unless all are below it, and scales the weights so that they sum to 1. */
static void normalise_weights(double *weight, size_t count, double least)
{
    size_t kept = 0;
    double total = 0;
    for (size_t i = 0; i < count; i++) kept += weight[i] >= least;
    for (size_t i = 0; i < count; i++) total += weight[i] = kept && weight[i] < least ? 0 : weight[i];
    for (size_t i = 0; i < count && total > 0; i++) weight[i] /= total;
}

/* Returns the ensemble's error on all rows, or INFINITY if all weights are 0. */
static double ensemble_error(selection *sel, const sg_candidate *c, size_t count, const double *weight)
{
    double all = 0;
    clear_predictions(sel);
    for (size_t i = 0; i < count; i++) {
        if (!(weight[i] > 0)) continue;
        add_predictions(sel, &c[i], weight[i]);
        all += weight[i];
    }
    sel->in_bag = NULL;
    return all > 0 ? error_with_candidate(sel, NULL, 1) : (double)INFINITY;
}

sg_status sg_ensemble_select(const sg_search_data *data, const sg_candidate *c, size_t count, bool bagged,
                             double *weight, double *error)
{
    bool *in_bag = sg_calloc(data->rows, sizeof *in_bag);
    selection sel = {data, bagged ? in_bag : NULL, sg_calloc(data->rows, data->outputs * sizeof *sel.sum)};
    bool ok = in_bag && sel.sum;
    memset(weight, 0, count * sizeof *weight);
    for (size_t k = 0; ok && k < (bagged ? BAGS : 1); k++) {
        sg_random_stream random = sg_random_stream_at(k / 2, SG_RANDOM_ENSEMBLE_SPLIT, 0, 0);
        for (size_t i = 0; bagged && i < data->rows; i++) in_bag[i] = sg_random_stream_next(&random) % 2 == k % 2;
        select_greedily(&sel, c, count, weight, error);
    }
    normalise_weights(weight, count, bagged ? MIN_WEIGHT * SELECTION_STEPS * BAGS : MIN_SELECTIONS);
    if (ok && bagged) *error = ensemble_error(&sel, c, count, weight);
    free(sel.sum);
    free(in_bag);
    return ok ? SG_OK : sg_fail_out_of_memory("an ensemble");
}

/* --- members --- */

static void release_member(const sg_ensemble_member *m)
{
    sg_model_free(m->model);
    sg_tree_ensemble_free(m->tree_ensemble);
}

sg_status sg_ensemble_add(sg_ensemble *e, const sg_ensemble_member *m)
{
    if (!sg_array_reserve(&e->member, &e->capacity, e->members + 1, sizeof *e->member)) {
        release_member(m);
        return sg_fail_out_of_memory("an ensemble");
    }
    e->member[e->members++] = *m;
    return SG_OK;
}

void sg_ensemble_release(sg_ensemble *e)
{
    for (size_t i = 0; i < e->members; i++) release_member(&e->member[i]);
    free(e->member);
    *e = (sg_ensemble){0};
}

/* --- prediction --- */

sg_status sg_ensemble_predict(const sg_ensemble *e, const sg_search_data *data, const sg_source *rows, double *y)
{
    size_t cells = rows->rows * data->outputs;
    double *part = sg_calloc(2 * cells, sizeof *part); /* for trees: the predictions without and then with the trees */
    sg_status st = part ? SG_OK : sg_fail_out_of_memory("an ensemble");
    memset(y, 0, cells * sizeof *y);
    for (size_t i = 0; st == SG_OK && i < e->members; i++) {
        const sg_ensemble_member *m = &e->member[i];
        const double *add = m->model ? part : part + cells;
        st = m->model ? sg_apply_model(m->model, rows, part)
                      : sg_tree_ensemble_predict(m->tree_ensemble, rows, m->trees, 1, part);
        for (size_t k = 0; st == SG_OK && k < cells; k++) y[k] += m->weight * add[k];
    }
    free(part);
    sg_search_data_clip(data, y, rows->rows);
    return st;
}

/* --- training of the members --- */

typedef struct train_job {
    size_t candidate, seed;
    sg_ensemble_member member;
} train_job;

typedef struct train_batch {
    sg_search *search;
    const sg_source *rows;
    train_job *job;
} train_batch;

static sg_status run_job(void *arg, size_t i, size_t worker)
{
    const train_batch *batch = arg;
    sg_search *s = batch->search;
    train_job *job = &batch->job[i];
    sg_ensemble_member *m = &job->member;
    const sg_candidate *c = &s->finalist[job->candidate];
    (void)worker;
    m->trees = sg_candidate_best_steps(c);
    if (c->kind != SG_CANDIDATE_TREES)
        return sg_candidate_refit(c, &s->data, batch->rows, job->seed, &s->progress, &m->model);
    return sg_tree_ensemble_train(c->options, c->tree_config, m->trees, &s->data, batch->rows, job->seed, &s->progress,
                                  &m->tree_ensemble);
}

static bool has_effects(const sg_candidate *c) { return c->kind == SG_CANDIDATE_RULES && *sg_candidate_effects(c); }

/* Returns the number of trainings, each with its own seed: trees differ little between seeds, curves not at all, and a
 * model has at most one table of effects. */
static size_t count_seeds(const sg_candidate *c, size_t seeds)
{
    return c->kind != SG_CANDIDATE_RULES || has_effects(c) ? 1 : seeds;
}

/* A model has one table of effects, but each training computes its own. The candidate with effects and the largest
 * weight therefore gets the weights of all candidates with effects. */
static void merge_effect_weights(const sg_search *s, double *weight)
{
    size_t first = s->finalists;
    double sum = 0;
    for (size_t i = 0; i < s->finalists; i++) {
        if (!has_effects(&s->finalist[i])) continue;
        if (first == s->finalists || weight[i] > weight[first]) first = i;
        sum += weight[i];
    }
    for (size_t i = 0; i < s->finalists; i++)
        if (has_effects(&s->finalist[i])) weight[i] = i == first ? sum : 0;
}

sg_status sg_ensemble_train(sg_search *s, const sg_source *rows, size_t seeds, sg_ensemble *out)
{
    size_t n = 0, most = s->finalists * (seeds > 1 ? seeds : 1);
    train_batch batch = {.search = s, .rows = rows, .job = sg_calloc(most, sizeof *batch.job)};
    double weight[SG_MAX_CANDIDATES];
    if (!batch.job) return sg_fail_out_of_memory("an ensemble");
    memcpy(weight, s->ensemble_weight, sizeof weight);
    if (s->plan.ensemble_seeds) merge_effect_weights(s, weight);
    for (size_t i = 0; i < s->finalists; i++)
        for (size_t k = 0, last = count_seeds(&s->finalist[i], seeds); weight[i] > 0 && k < last; k++)
            batch.job[n++] = (train_job){.candidate = i, .seed = k, .member.weight = weight[i] / (double)last};
    sg_status st = sg_thread_pool_run_long(rows->comm ? NULL : s->pool, n, run_job, &batch);
    for (size_t i = 0; i < n; i++) {
        sg_status added = sg_ensemble_add(out, &batch.job[i].member);
        if (st == SG_OK) st = added;
    }
    free(batch.job);
    return st;
}
