/* outside.c: see outside.h. --limit range changes no row that is trained on, so what the parts trained without it is
 * what they would have trained with it: only the model around these parameters is another. */
#include "auto/outside.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* Few rows that are left out lie outside, so a tie is the rule, and the limit protects from those that lie far. */
static const double TIE = 1.004; /* squared error */

typedef struct ask {
    sg_search *search;
    sg_options *options;              /* with the limit     */
    size_t look;                      /* whose parameters these are */
    double *as_is, *limited, *weight; /* (parts): sums */
} ask;

/* Those that the part has at the look: of the start they are the model's own. */
static const double *parameters(const ask *a, size_t part)
{
    const sg_candidate *best = &a->search->final[a->search->best];
    if (a->look == 0) return NULL;
    return best->theta ? best->theta[part * (best->looks + 1) + a->look] : best->shape[part]->theta;
}

static sg_status make_model(const ask *a, size_t part, sg_model **out)
{
    const sg_candidate *best = &a->search->final[a->search->best];
    const double *theta = parameters(a, part);
    sg_trial t = {.options = a->options,
                  .train = &a->search->ground.part[part].train,
                  .length = best->length,
                  .looks = 1,
                  .outputs = a->search->ground.outputs};
    sg_status st = sg_trial_run(&t, &a->search->watch);
    if (st == SG_OK && !t.model)
        st = sg_fail(SG_EDATA, "%s: the training that was chosen failed", sg_source_name(t.train));
    if (st != SG_OK) return st;
    if (theta) memcpy(t.model->theta, theta, t.model->parameters * sizeof *theta);
    *out = t.model;
    return SG_OK;
}

static void add_up(const ask *a, size_t part, const double *y)
{
    const sg_ground *g = &a->search->ground;
    const sg_candidate *best = &a->search->final[a->search->best];
    const sg_part *p = &g->part[part];
    for (size_t i = 0; i < p->valid.rows; i++) {
        a->as_is[part] += sg_ground_error(g, p->row[i], best->y + (a->look * g->rows + p->row[i]) * g->outputs);
        a->limited[part] += sg_ground_error(g, p->row[i], y + i * g->outputs);
        a->weight[part] += g->weight[p->row[i]];
    }
}

static sg_status one_part(void *arg, size_t part, size_t worker)
{
    const ask *a = arg;
    const sg_ground *g = &a->search->ground;
    const sg_part *p = &g->part[part];
    sg_committee alone = {0};
    sg_member m = {.weight = 1};
    double *y = sg_alloc(p->valid.rows, g->outputs * sizeof *y);
    (void)worker;
    sg_status st = y ? make_model(a, part, &m.model) : sg_fail(SG_ENOMEM, "out of memory for a search");
    if (st == SG_OK) st = sg_committee_add(&alone, &m);
    if (st == SG_OK) st = sg_committee_predict(&alone, g, &p->valid, y);
    if (st == SG_OK) add_up(a, part, y);
    sg_committee_release(&alone);
    free(y);
    return st;
}

static sg_status ask_parts(ask *a, sg_outside *out)
{
    sg_search *s = a->search;
    double weight = 0;
    sg_status st = sg_pool_run_long(s->pool, s->final[s->best].parts, one_part, a);
    for (size_t i = 0; st == SG_OK && i < s->final[s->best].parts; i++) {
        out->as_is += a->as_is[i];
        out->limited += a->limited[i];
        weight += a->weight[i] * (double)s->ground.outputs;
    }
    out->as_is /= weight;
    out->limited /= weight;
    return st;
}

sg_status sg_outside_choose(sg_search *s, sg_options *user, sg_outside *out)
{
    const sg_candidate *best = &s->final[s->best];
    size_t parts = best->parts;
    *out = (sg_outside){0};
    if (sg_options_given(user, "limit") || sg_watch_stopped(&s->watch) || !isfinite(best->error)) return SG_OK;
    ask a = {.search = s,
             .look = best->theta || best->best == 0 ? best->best : best->looks,
             .as_is = sg_alloc(3 * parts, sizeof(double))};
    if (!a.as_is) return sg_fail(SG_ENOMEM, "out of memory for a search");
    a.limited = a.as_is + parts;
    a.weight = a.limited + parts;
    sg_status st = sg_options_clone(best->options, &a.options);
    if (st == SG_OK) st = sg_options_set(a.options, "limit", "range");
    if (st == SG_OK) st = ask_parts(&a, out);
    out->taken = st == SG_OK && out->limited <= TIE * out->as_is;
    for (size_t i = 0; out->taken && st == SG_OK && i < s->finals; i++)
        st = sg_options_set(s->final[i].options, "limit", "range");
    if (out->taken && st == SG_OK) st = sg_options_set(user, "limit", "range");
    sg_options_free(a.options);
    free(a.as_is);
    return st;
}
