/* candidate.c: see candidate.h. */
#include "auto/candidate.h"

#include "base/memory.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for a search"); }

sg_status sg_candidate_init(sg_candidate *c, const sg_choices *choices, const sg_setting *s)
{
    *c = (sg_candidate){.setting = *s, .error = INFINITY};
    return sg_setting_options(choices, s, &c->options);
}

sg_status sg_candidate_trees(sg_candidate *c, const sg_options *user, const sg_boost_plan *trees)
{
    *c = (sg_candidate){.trees = trees, .error = INFINITY};
    return sg_options_clone(user, &c->options);
}

sg_status sg_candidate_with(const sg_candidate *of, sg_candidate *c)
{
    *c = (sg_candidate){.setting = of->setting, .error = INFINITY};
    return sg_options_clone(of->options, &c->options);
}

void sg_candidate_reset(sg_candidate *c)
{
    for (size_t i = 0; c->theta && i < c->parts * (c->looks + 1); i++) free(c->theta[i]);
    for (size_t i = 0; c->shape && i < c->parts; i++) sg_model_free(c->shape[i]);
    for (size_t i = 0; c->grown && i < c->parts; i++) sg_boost_free(c->grown[i]);
    free(c->theta);
    free(c->shape);
    free(c->grown);
    free(c->y);
    free(c->curve);
    c->theta = NULL;
    c->shape = NULL;
    c->grown = NULL;
    c->y = c->curve = NULL;
    c->best = 0;
    c->error = INFINITY;
}

void sg_candidate_release(sg_candidate *c)
{
    sg_candidate_reset(c);
    sg_options_free(c->options);
    c->options = NULL;
}

/* --- a round of trials --- */

static sg_status make_room(const sg_round *r, sg_candidate *c)
{
    size_t cells = (r->looks + 1) * r->ground->outputs;
    sg_candidate_reset(c);
    c->length = r->length;
    c->looks = r->looks;
    c->parts = r->parts;
    c->y = sg_alloc(r->ground->rows, cells * sizeof *c->y);
    c->curve = sg_alloc(r->looks + 1, sizeof *c->curve);
    c->theta = r->keep ? sg_alloc(r->parts * (r->looks + 1), sizeof *c->theta) : NULL;
    c->shape = sg_alloc(r->parts, sizeof *c->shape);
    c->grown = sg_alloc(r->parts, sizeof *c->grown);
    for (size_t i = 0; c->y && i < r->ground->rows * cells; i++) c->y[i] = NAN;
    return c->y && c->curve && c->shape && c->grown && (c->theta || !r->keep) ? SG_OK : no_memory();
}

/* From the order of the part's rows to that of the ground's. */
static void put_back(const sg_ground *g, const sg_part *p, sg_candidate *c, double *y)
{
    size_t n = p->valid.rows, width = g->outputs;
    sg_ground_clip(g, y, (c->looks + 1) * n);
    for (size_t k = 0; k <= c->looks; k++)
        for (size_t i = 0; i < n; i++)
            memcpy(c->y + (k * g->rows + p->row[i]) * width, y + (k * n + i) * width, width * sizeof *y);
}

/* Looks are numbers of trees. */
static sg_status grow(const sg_round *r, const sg_candidate *c, const sg_part *p, double *y, sg_boost **out)
{
    const sg_ground *g = r->ground;
    sg_status st = sg_boost_train(c->options, c->trees, c->trees->stages, g, &p->train, 0, r->watch, out);
    return st == SG_OK ? sg_boost_predict(*out, &p->valid, c->trees->stages, r->looks, y) : st;
}

static sg_status one_trial(void *arg, size_t i, size_t worker)
{
    const sg_round *r = arg;
    const sg_ground *g = r->ground;
    size_t part = i % r->parts;
    sg_candidate *c = &r->candidate[i / r->parts];
    const sg_part *p = &g->part[part];
    sg_trial t = {.options = c->options,
                  .train = &p->train,
                  .valid = &p->valid,
                  .length = r->length,
                  .stop = r->length,
                  .looks = r->looks,
                  .outputs = g->outputs,
                  .features = g->features,
                  .theta = c->theta ? c->theta + part * (r->looks + 1) : NULL};
    (void)worker;
    sg_status st = r->rows ? r->rows(r->arg, part, &t.train) : SG_OK;
    if (st != SG_OK || sg_watch_stopped(r->watch)) return st;
    t.y = sg_alloc(p->valid.rows, (r->looks + 1) * g->outputs * sizeof *t.y);
    if (!t.y) return no_memory();
    st = c->trees ? grow(r, c, p, t.y, &c->grown[part]) : sg_trial_run(&t, r->watch);
    if (st == SG_OK) put_back(g, p, c, t.y);
    if (st == SG_EDATA && c->trees) st = SG_OK; /* it can't be used */
    free(t.y);
    c->shape[part] = t.model;
    return st;
}

double sg_candidate_error_in(const sg_candidate *c, const sg_ground *g, size_t first, size_t last, size_t look)
{
    double sum = 0, weight = 0;
    for (size_t j = first; j < last; j++)
        for (size_t i = 0; i < g->part[j].valid.rows; i++) {
            size_t row = g->part[j].row[i];
            sum += sg_ground_error(g, row, c->y + (look * g->rows + row) * g->outputs);
            weight += g->weight[row];
        }
    return sum / (weight * (double)g->outputs);
}

double sg_candidate_error(const sg_candidate *c, const sg_ground *g, size_t parts)
{
    return sg_candidate_error_in(c, g, 0, parts, c->best);
}

static void judge(const sg_round *r, sg_candidate *c)
{
    for (size_t k = 0; k <= r->looks; k++) {
        c->curve[k] = sg_candidate_error_in(c, r->ground, 0, r->parts, k);
        if (c->curve[k] < c->error) {
            c->error = c->curve[k];
            c->best = k;
        }
    }
}

sg_status sg_round_run(sg_round *r, sg_pool *pool)
{
    sg_status st = SG_OK;
    if (r->looks > r->length) r->looks = r->length;
    for (size_t i = 0; st == SG_OK && i < r->count; i++) st = make_room(r, &r->candidate[i]);
    if (st == SG_OK) st = sg_pool_run_long(pool, r->count * r->parts, one_trial, r);
    for (size_t i = 0; st == SG_OK && i < r->count; i++) judge(r, &r->candidate[i]);
    return st;
}

/* --- models of a candidate --- */

size_t sg_candidate_stop(const sg_candidate *c)
{
    return (c->trees ? c->trees->stages : c->length) * c->best / c->looks;
}

sg_status sg_candidate_model(const sg_candidate *c, size_t part, sg_model **out)
{
    const double *theta = c->theta[part * (c->looks + 1) + c->best];
    sg_status st = sg_model_copy(c->shape[part], out);
    if (st == SG_OK) memcpy((*out)->theta, theta, (*out)->parameters * sizeof *theta);
    return st;
}

static sg_status with_seed(const sg_options *o, uint64_t seed, sg_options **out)
{
    char text[32];
    double most = 9007199254740991.0, sum = sg_options_number(o, "seed") + (double)seed;
    snprintf(text, sizeof text, "%.0f", sum > most ? sum - most : sum);
    sg_status st = sg_options_clone(o, out);
    return st == SG_OK ? sg_options_set(*out, "seed", text) : st;
}

static const char DIVERGED[] =
    "the training on all rows left the finite numbers and ended there, with the parameters that it had before: "
    "try a smaller --rate";

sg_status sg_candidate_refit(const sg_candidate *c, const sg_ground *g, const sg_source *rows, uint64_t seed,
                             sg_watch *w, sg_model **out)
{
    sg_options *o = NULL;
    sg_status st = with_seed(c->options, seed, &o);
    sg_trial t = {.options = o,
                  .train = rows,
                  .length = c->length,
                  .stop = sg_candidate_stop(c),
                  .looks = c->looks,
                  .outputs = g->outputs,
                  .features = g->features};
    if (st == SG_OK) st = sg_trial_run(&t, w);
    if (st == SG_OK && !t.model)
        st = sg_fail(SG_EDATA, "%s: the training that was chosen failed", sg_source_name(rows));
    sg_options_free(o);
    if (st == SG_OK && t.diverged && !sg_record_set(&t.model->record, "note_diverged", DIVERGED)) st = no_memory();
    if (st == SG_OK) *out = t.model;
    else sg_model_free(t.model);
    return st;
}
