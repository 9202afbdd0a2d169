/* there.c: see there.h. */
#include "explain/there.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MOST_DIRECTIONS = 2 };
static const double least_share = 0.01; /* of rows, below which nobody can say where it goes */
static const double clear = 3.4;        /* how many times its deviation a movement must be; docs/decisions.md */

static bool has_sign(sg_direction d) { return d >= SG_RISES && d <= SG_MOSTLY_FALLS; }

/* All inputs of numbers: (outputs, inputs). Weights of f are the rule's. */
static void find_movements(sg_findings *f, const sg_governor *g, double *y, sg_movement *out)
{
    const sg_model *m = f->model;
    size_t inputs = sg_model_inputs(m);
    double value[SG_COURSE];
    for (size_t i = 0; i < inputs; i++) {
        size_t n = sg_model_levels(m, i) ? 0 : sg_findings_near(m, g, i, value);
        if (n) sg_findings_course(f, i, value, n, y);
        for (size_t o = 0; o < m->outputs; o++) {
            sg_movement *v = &out[o * inputs + i];
            *v = (sg_movement){.input = i, .direction = SG_LEVEL};
            if (n) v->direction = sg_direction_of(y + o * n, n);
            if (n) v->net = sg_course_net(y + o * n, n);
            v->unlike = v->net * f->net[o * inputs + i] < 0;
        }
    }
}

/* The clear ones that move predictions most, these first: moved to the front. Returns how many. */
static size_t choose_movements(sg_movement *v, size_t n)
{
    size_t chosen = 0;
    double most = 0;
    for (size_t i = 0; i < n; i++) most = fmax(most, fabs(v[i].net));
    while (chosen < MOST_DIRECTIONS) {
        size_t best = n;
        for (size_t i = chosen; i < n; i++)
            if (has_sign(v[i].direction) && fabs(v[i].net) >= 0.5 * most &&
                (best == n || fabs(v[i].net) > fabs(v[best].net)))
                best = i;
        if (best == n || !(most > 0)) break;
        sg_movement moved = v[best];
        memmove(v + chosen + 1, v + chosen, (best - chosen) * sizeof *v);
        v[chosen++] = moved;
    }
    return chosen;
}

/* Leaves out those among the chosen ones that are not as clear about the rule's place as at it. Returns how many are
 * left. */
static size_t keep_clear(sg_findings *f, const sg_governor *g, size_t output, sg_movement *v, size_t n, double *margin)
{
    size_t kept = 0;
    for (size_t i = 0; i < n; i++) {
        sg_findings_margin(f, g, v[i].input, margin);
        if ((v[i].net > 0 ? margin[output] : -margin[output]) >= clear) v[kept++] = v[i];
    }
    return kept;
}

/* Whether there are rows enough to say where it goes, and time. */
static bool can_tell(const sg_findings *f, double share)
{
    enum { SHOWN = 64 }; /* rules, as a rule */
    return share >= least_share && sg_findings_cheap(f, f->rules < SHOWN ? f->rules : SHOWN);
}

sg_status sg_there_find(sg_there *t, sg_findings *f, const sg_governor *g)
{
    const sg_model *m = f->model;
    const size_t inputs = sg_model_inputs(m);
    double *course = sg_alloc(m->outputs, SG_COURSE * sizeof *course);
    *t = (sg_there){.mean = sg_alloc(m->outputs, sizeof *t->mean),
                    .movement = sg_alloc(inputs, m->outputs * sizeof *t->movement),
                    .told = sg_alloc(m->outputs, sizeof *t->told)};
    bool ok = course && t->mean && t->movement && t->told;
    if (ok) {
        sg_findings_of(f, g);
        sg_findings_about(f, g, t->mean);
    }
    if (ok && can_tell(f, m->block[g->block].share[g->rule])) {
        find_movements(f, g, course, t->movement);
        for (size_t o = 0; o < m->outputs; o++) {
            sg_movement *v = t->movement + o * inputs;
            t->told[o] = keep_clear(f, g, o, v, choose_movements(v, inputs), course);
        }
    }
    free(course);
    if (!ok) sg_there_release(t);
    return ok ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rules in words");
}

void sg_there_release(sg_there *t)
{
    free(t->mean);
    free(t->movement);
    free(t->told);
    *t = (sg_there){0};
}
