/* committee.c: see committee.h. */
#include "auto/committee.h"

#include "base/memory.h"
#include "base/random.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { STEPS = 25, FEWEST = 3, HALVES = 10 }; /* a member that was added less often is not worth its time */
static const double LEAST = 0.03;             /* nor one with less weight, where halves chose             */

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for a committee"); }

/* --- who is in it --- */

/* Error of (sum + y) / n, on rows that count: all, or those of a half. */
static double error_with(const sg_ground *g, const bool *in, const double *sum, const double *y, double n)
{
    double total = 0, weight = 0;
    for (size_t i = 0; i < g->rows; i++) {
        double squares = 0;
        if (in && !in[i]) continue;
        for (size_t o = 0; o < g->outputs; o++) {
            size_t k = i * g->outputs + o;
            double d = (sum[k] + y[k]) / n - g->y[k];
            squares += d * d / g->variance[o];
        }
        total += g->weight[i] * squares;
        weight += g->weight[i];
    }
    return total / (weight * (double)g->outputs);
}

static const double *best_of(const sg_ground *g, const sg_candidate *c)
{
    return c->y + c->best * g->rows * g->outputs;
}

/* Where candidates are looked at. */
typedef struct field {
    const sg_ground *ground;
    const bool *in; /* (rows), or NULL: all of them */
    double *sum;    /* (rows, outputs): room        */
} field;

/* The one with which the committee errs least, or `count` where none can be used. */
static size_t choose_next(const field *f, const sg_candidate *c, size_t count, size_t step, double *error)
{
    size_t who = count;
    *error = INFINITY;
    for (size_t i = 0; i < count; i++) {
        if (!isfinite(c[i].error)) continue;
        double e = error_with(f->ground, f->in, f->sum, best_of(f->ground, &c[i]), (double)step);
        if (e < *error) {
            *error = e;
            who = i;
        }
    }
    return who;
}

/* How often each is added. */
static void choose(const field *f, const sg_candidate *c, size_t count, double *times, double *error)
{
    size_t cells = f->ground->rows * f->ground->outputs;
    memset(f->sum, 0, cells * sizeof *f->sum);
    for (size_t step = 1; step <= STEPS; step++) {
        size_t who = choose_next(f, c, count, step, error);
        if (who == count) break;
        times[who]++;
        const double *y = best_of(f->ground, &c[who]);
        for (size_t k = 0; k < cells; k++) f->sum[k] += y[k];
    }
}

/* Those that were added less often leave, if anyone stays; weights add up to 1. */
static void settle(double *weight, size_t count, double fewest)
{
    size_t kept = 0;
    double total = 0;
    for (size_t i = 0; i < count; i++) kept += weight[i] >= fewest;
    for (size_t i = 0; i < count; i++) total += weight[i] = kept && weight[i] < fewest ? 0 : weight[i];
    for (size_t i = 0; i < count && total > 0; i++) weight[i] /= total;
}

sg_status sg_committee_choose(const sg_ground *g, const sg_candidate *c, size_t count, double *weight, double *error)
{
    field f = {.ground = g, .sum = sg_alloc(g->rows, g->outputs * sizeof *f.sum)};
    if (!f.sum) return no_memory();
    memset(weight, 0, count * sizeof *weight);
    choose(&f, c, count, weight, error);
    free(f.sum);
    settle(weight, count, FEWEST);
    return SG_OK;
}

/* *error: INFINITY where nobody counts. */
static void judge(const field *f, const sg_candidate *c, size_t count, const double *weight, double *error)
{
    size_t cells = f->ground->rows * f->ground->outputs;
    double *zero = f->sum + cells, all = 0;
    memset(f->sum, 0, cells * sizeof *f->sum);
    for (size_t i = 0; i < count; i++) {
        if (!(weight[i] > 0)) continue;
        const double *y = best_of(f->ground, &c[i]);
        for (size_t k = 0; k < cells; k++) f->sum[k] += weight[i] * y[k];
        all += weight[i];
    }
    *error = all > 0 ? error_with(f->ground, NULL, f->sum, zero, 1) : (double)INFINITY;
}

sg_status sg_committee_blend(const sg_ground *g, const sg_candidate *c, size_t count, double *weight, double *error)
{
    bool *in = sg_alloc(g->rows, sizeof *in);
    field f = {g, in, sg_alloc(2 * g->rows, g->outputs * sizeof *f.sum)};
    memset(weight, 0, count * sizeof *weight);
    for (size_t k = 0; f.sum && in && k < HALVES; k++) {
        sg_stream random = sg_stream_at(k / 2, SG_RANDOM_HALVES, 0, 0);
        for (size_t i = 0; i < g->rows; i++) in[i] = sg_stream_word(&random) % 2 == k % 2;
        choose(&f, c, count, weight, error);
    }
    settle(weight, count, LEAST * STEPS * HALVES);
    if (f.sum && in) judge(&f, c, count, weight, error);
    sg_status st = f.sum && in ? SG_OK : no_memory();
    free(f.sum);
    free(in);
    return st;
}

/* --- its members --- */

sg_status sg_committee_add(sg_committee *c, const sg_member *m)
{
    if (!sg_grow(&c->member, &c->room, c->members + 1, sizeof *c->member)) {
        sg_model_free(m->model);
        sg_boost_free(m->boost);
        return no_memory();
    }
    c->member[c->members++] = *m;
    return SG_OK;
}

void sg_committee_release(sg_committee *c)
{
    for (size_t i = 0; i < c->members; i++) {
        sg_model_free(c->member[i].model);
        sg_boost_free(c->member[i].boost);
    }
    free(c->member);
    *c = (sg_committee){0};
}

sg_status sg_candidate_join(const sg_candidate *c, size_t part, double weight, sg_committee *to)
{
    sg_member m = {.weight = weight, .trees = sg_candidate_stop(c)};
    sg_status st = c->trees ? sg_boost_share(c->grown[part], &m.boost) : sg_candidate_model(c, part, &m.model);
    return st == SG_OK ? sg_committee_add(to, &m) : st;
}

sg_status sg_candidate_again(const sg_candidate *c, const sg_ground *g, const sg_source *rows, uint64_t seed,
                             sg_watch *w, sg_member *out)
{
    out->trees = sg_candidate_stop(c);
    if (!c->trees) return sg_candidate_refit(c, g, rows, seed, w, &out->model);
    return sg_boost_train(c->options, c->trees, out->trees, g, rows, seed, w, &out->boost);
}

/* --- what it says --- */

typedef struct sum {
    double *y, weight;
    size_t outputs;
} sum;

static sg_status add(void *arg, size_t first, size_t rows, const double *y)
{
    const sum *s = arg;
    double *to = s->y + first * s->outputs;
    for (size_t k = 0; k < rows * s->outputs; k++) to[k] += s->weight * y[k];
    return SG_OK;
}

static sg_status add_boost(const sg_member *m, const sg_source *rows, sum *s)
{
    double *y = sg_alloc(2 * rows->rows, s->outputs * sizeof *y);
    sg_status st = y ? sg_boost_predict(m->boost, rows, m->trees, 1, y) : no_memory();
    if (st == SG_OK) st = add(s, 0, rows->rows, y + rows->rows * s->outputs);
    free(y);
    return st;
}

sg_status sg_committee_predict(const sg_committee *c, const sg_ground *g, const sg_source *rows, double *y)
{
    sg_status st = SG_OK;
    memset(y, 0, rows->rows * g->outputs * sizeof *y);
    for (size_t i = 0; st == SG_OK && i < c->members; i++) {
        const sg_member *m = &c->member[i];
        sum s = {y, m->weight, g->outputs};
        st = m->model ? sg_model_predict_source(m->model, rows, 1, add, &s) : add_boost(m, rows, &s);
    }
    sg_ground_clip(g, y, rows->rows);
    return st;
}

size_t sg_committee_cost(const sg_committee *c, size_t rows)
{
    size_t trees = 0;
    for (size_t i = 0; i < c->members; i++) trees += c->member[i].trees * (c->member[i].boost != NULL);
    return rows * trees * 100;
}
