/* parts.c: see parts.h. */
#include "explain/parts.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static bool mixes(const sg_step *s) { return s->kind->each == 0; }

static double bounded(double x) { return fmin(fmax(x, -SG_FARTHEST), SG_FARTHEST); }

const double *sg_parts_at_mean(const sg_parts *p) { return p->mean + (p->view->steps + 1) * p->widest; }

static void follow_means(const sg_parts *p, const double *mean)
{
    const sg_view *v = p->view;
    double *at = p->mean;
    memcpy(at, mean, v->in * sizeof *at);
    for (size_t i = 0; i < v->steps; i++, at += p->widest)
        v->step[i].kind->apply(&v->step[i], 1, 1, at, at + p->widest);
    for (size_t k = 0; k < v->out; k++) at[p->widest + k] = bounded(at[k]);
}

sg_status sg_parts_init(sg_parts *p, const sg_model *m)
{
    const sg_view *v = m->one_view ? &m->a : &m->z;
    *p = (sg_parts){.view = v, .widest = sg_view_scratch(v) / 2};
    for (size_t i = 0; i < v->steps; i++) p->mixes = p->mixes || mixes(&v->step[i]);
    size_t columns = p->mixes ? p->widest : 0;
    p->mean = sg_alloc(v->steps + 2, p->widest * sizeof *p->mean);
    p->row = sg_alloc(2, p->widest * sizeof *p->row);
    p->part = sg_alloc(columns, v->in * sizeof *p->part);
    p->spare = sg_alloc(columns, v->in * sizeof *p->spare);
    if (!p->mean || !p->row || !p->part || !p->spare) {
        sg_parts_release(p);
        return sg_fail(SG_ENOMEM, "out of memory for an explanation");
    }
    follow_means(p, m->input_mean);
    return SG_OK;
}

void sg_parts_release(sg_parts *p)
{
    free(p->mean);
    free(p->row);
    free(p->part);
    free(p->spare);
    *p = (sg_parts){0};
}

static void swap(double **a, double **b)
{
    double *t = *a;
    *a = *b;
    *b = t;
}

/* Components: their parts are those of what they are made of. */
static void mix(sg_parts *p, const sg_step *s, const double *mean)
{
    const size_t features = p->view->in;
    const double *c = s->number[0];
    for (size_t o = 0; o < s->out; o++, c += s->in) {
        double *to = p->spare + o * features;
        memset(to, 0, features * sizeof *to);
        for (size_t i = 0; i < s->in; i++) {
            if (!p->mixed) to[i] = c[i] * (bounded(p->now[i]) - bounded(mean[i]));
            for (size_t k = 0; p->mixed && k < features; k++) to[k] += c[i] * p->part[i * features + k];
        }
    }
    swap(&p->spare, &p->part);
    p->mixed = true;
}

/* From `now` to `next`, each column by itself. */
static void stretch(sg_parts *p, size_t columns, const double *mean)
{
    const size_t features = p->view->in;
    const double *next_mean = mean + p->widest;
    for (size_t i = 0; p->mixed && i < columns; i++) {
        double before = p->now[i] - mean[i], factor = before == 0 ? 0 : (p->next[i] - next_mean[i]) / before;
        for (size_t k = 0; k < features; k++) p->part[i * features + k] *= factor;
    }
}

void sg_parts_row(sg_parts *p, const double *x)
{
    const sg_view *v = p->view;
    const double *mean = p->mean;
    p->now = p->row;
    p->next = p->row + p->widest;
    p->mixed = false;
    memcpy(p->now, x, v->in * sizeof *x);
    for (size_t i = 0; i < v->steps; i++, mean += p->widest) {
        const sg_step *s = &v->step[i];
        s->kind->apply(s, 1, 1, p->now, p->next);
        if (mixes(s)) mix(p, s, mean);
        else stretch(p, s->out, mean);
        swap(&p->now, &p->next);
    }
    for (size_t k = 0; k < v->out; k++) p->next[k] = bounded(p->now[k]);
    stretch(p, v->out, mean);
    swap(&p->now, &p->next);
}

void sg_parts_sum(const sg_parts *p, const double *weight, double *out)
{
    const sg_view *v = p->view;
    const double *mean = sg_parts_at_mean(p);
    memset(out, 0, v->in * sizeof *out);
    for (size_t t = 0; t < v->out; t++) {
        if (!p->mixed) out[t] = weight[t] * (p->now[t] - mean[t]);
        for (size_t k = 0; p->mixed && k < v->in; k++) out[k] += weight[t] * p->part[t * v->in + k];
    }
}
