/* rule_trends.c: see rule_trends.h. */
#include "explain/global/rule_trends.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MAX_TRENDS = 2 };
static const double min_coverage = 0.01; /* of rows, below which nobody can say where it goes */
static const double min_margin = 3.4;    /* how many times its deviation a movement must be; docs/decisions.md */

static bool is_monotone(sg_trend d) { return d >= SG_TREND_RISES && d <= SG_TREND_MOSTLY_FALLS; }

/* All inputs of numbers: (outputs, inputs). Weights of f are the rule's. */
static void find_input_trends(sg_centroid_pd *f, const sg_ranked_rule *g, double *y, sg_input_trend *out)
{
    const sg_model *m = f->model;
    size_t inputs = sg_model_inputs(m);
    double value[SG_PD_MAX_POINTS];
    for (size_t i = 0; i < inputs; i++) {
        size_t n = sg_model_levels(m, i) ? 0 : sg_centroid_pd_rule_values(m, g, i, value);
        if (n) sg_centroid_pd_curve(f, i, value, n, y);
        for (size_t o = 0; o < m->outputs; o++) {
            sg_input_trend *v = &out[o * inputs + i];
            *v = (sg_input_trend){.input = i, .trend = SG_TREND_FLAT};
            if (n) v->trend = sg_trend_classify(y + o * n, n);
            if (n) v->net_change = sg_pd_net_change(y + o * n, n);
            v->opposes_global = v->net_change * f->net_change[o * inputs + i] < 0;
        }
    }
}

/* The clear ones that move predictions most, these first: moved to the front. Returns how many. */
static size_t select_trends(sg_input_trend *v, size_t n)
{
    size_t chosen = 0;
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(v[i].net_change));
    while (chosen < MAX_TRENDS) {
        size_t best = n;
        for (size_t i = chosen; i < n; i++)
            if (is_monotone(v[i].trend) && fabs(v[i].net_change) >= 0.5 * most &&
                (best == n || fabs(v[i].net_change) > fabs(v[best].net_change)))
                best = i;
        if (best == n || !(most > 0)) break;
        sg_input_trend moved = v[best];
        memmove(v + chosen + 1, v + chosen, (best - chosen) * sizeof *v);
        v[chosen++] = moved;
    }
    return chosen;
}

/* Leaves out those among the chosen ones that are not as clear about the rule's place as at it. Returns how many are
 * left. */
static size_t keep_significant(sg_centroid_pd *f, const sg_ranked_rule *g, size_t output, sg_input_trend *v, size_t n,
                               double *margin)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        sg_centroid_pd_margin(f, g, v[i].input, margin);
        if ((v[i].net_change > 0 ? margin[output] : -margin[output]) >= min_margin) v[kept++] = v[i];
    }
    return kept;
}

/* Whether there are rows enough to say where it goes, and time. */
static bool is_affordable(const sg_centroid_pd *f, double share)
{
    enum { SHOWN = 64 }; /* rules, as a rule */
    return share >= min_coverage && sg_centroid_pd_affords_rules(f, f->rules < SHOWN ? f->rules : SHOWN);
}

sg_status sg_rule_trends_find(sg_rule_trends *t, sg_centroid_pd *f, const sg_ranked_rule *g)
{
    const sg_model *m = f->model;
    const size_t inputs = sg_model_inputs(m);
    double *course = sg_calloc(m->outputs, SG_PD_MAX_POINTS * sizeof *course);
    *t = (sg_rule_trends){.mean = sg_calloc(m->outputs, sizeof *t->mean),
                          .trend = sg_calloc(inputs, m->outputs * sizeof *t->trend),
                          .shown = sg_calloc(m->outputs, sizeof *t->shown)};
    bool ok = course && t->mean && t->trend && t->shown;
    if (ok) {
        sg_centroid_pd_weight_rule(f, g);
        sg_centroid_pd_rule_mean(f, g, t->mean);
    }
    if (ok && is_affordable(f, m->block[g->block].firing_share[g->rule])) {
        find_input_trends(f, g, course, t->trend);
        for (size_t o = 0; o < m->outputs; o++) {
            sg_input_trend *v = t->trend + o * inputs;
            t->shown[o] = keep_significant(f, g, o, v, select_trends(v, inputs), course);
        }
    }
    free(course);
    if (!ok) sg_rule_trends_release(t);
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rules in words");
}

void sg_rule_trends_release(sg_rule_trends *t)
{
    free(t->mean);
    free(t->trend);
    free(t->shown);
    *t = (sg_rule_trends){0};
}
