/* curve_shape.c: the range, importance and drawing of curves and pairs, for one output. */
#include "explain/additive/curve_shape.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>

/* --- range and importance --- */

static sg_value_range value_range(const double *value, size_t n, size_t stride)
{
    sg_value_range r = {value[0], value[0]};
    for (size_t i = 1; i < n; i++) {
        r.low = fmin(r.low, value[i * stride]);
        r.high = fmax(r.high, value[i * stride]);
    }
    return r;
}

sg_value_range sg_curve_range(const sg_additive *s, const sg_curve *c, size_t o)
{
    return value_range(c->value + o, c->cells, s->outputs);
}

sg_value_range sg_pair_range(const sg_additive *s, const sg_pair *p, size_t o)
{
    return value_range(p->value + o, sg_pair_cells(s, p), s->outputs);
}

/* Returns the standard deviation of n values, weighted by share unless it is NULL. */
static double value_deviation(const double *value, size_t n, size_t stride, const double *share)
{
    double sum = 0, mean = 0, square = 0;
    for (size_t i = 0; i < n; i++) sum += share ? share[i] : 1;
    for (size_t i = 0; i < n && sum > 0; i++) mean += (share ? share[i] : 1) / sum * value[i * stride];
    for (size_t i = 0; i < n && sum > 0; i++) {
        double d = value[i * stride] - mean;
        square += (share ? share[i] : 1) / sum * d * d;
    }
    return sqrt(square);
}

double sg_curve_importance(const sg_additive *s, const sg_curve *c, size_t o)
{
    if (c->deviation && c->deviation[o] > 0) return c->deviation[o];
    bool shares = false;
    for (size_t i = 0; c->share && i <= c->cells; i++) shares = shares || c->share[i] > 0;
    return shares ? value_deviation(c->value + o, c->cells + 1, s->outputs, c->share)
                  : value_deviation(c->value + o, c->cells, s->outputs, NULL);
}

double sg_pair_importance(const sg_additive *s, const sg_pair *p, size_t o)
{
    if (p->deviation && p->deviation[o] > 0) return p->deviation[o];
    return value_deviation(p->value + o, sg_pair_cells(s, p), s->outputs, NULL);
}

/* --- order --- */

size_t *sg_importance_order(const double *importance, size_t n)
{
    size_t *order = sg_calloc(n, sizeof *order);
    for (size_t i = 0; order && i < n; i++) {
        size_t at = i;
        for (; at > 0 && importance[i] > importance[order[at - 1]]; at--) order[at] = order[at - 1];
        order[at] = i;
    }
    return order;
}

size_t *sg_curve_order(const sg_additive *s, size_t o)
{
    double *importance = sg_calloc(s->curves, sizeof *importance);
    for (size_t i = 0; importance && i < s->curves; i++) importance[i] = sg_curve_importance(s, &s->curve[i], o);
    size_t *order = importance ? sg_importance_order(importance, s->curves) : NULL;
    free(importance);
    return order;
}

size_t *sg_pair_order(const sg_additive *s, size_t o)
{
    double *importance = sg_calloc(s->pairs, sizeof *importance);
    for (size_t i = 0; importance && i < s->pairs; i++) importance[i] = sg_pair_importance(s, &s->pair[i], o);
    size_t *order = importance ? sg_importance_order(importance, s->pairs) : NULL;
    free(importance);
    return order;
}

/* --- drawing --- */

double sg_curve_at(const sg_additive *s, const sg_curve *c, size_t o, double x)
{
    size_t k = 0;
    while (k + 1 < c->cells && x >= c->knot[k + 1]) k++;
    double low = c->value[k * s->outputs + o];
    if (!(x > c->knot[k]) || k + 1 == c->cells) return low;
    return low + (x - c->knot[k]) / (c->knot[k + 1] - c->knot[k]) * (c->value[(k + 1) * s->outputs + o] - low);
}

static const char *const bars[] = {"\u2581", "\u2582", "\u2583", "\u2584", "\u2585", "\u2586", "\u2587", "\u2588"};
enum { BARS = sizeof bars / sizeof *bars };

void sg_curve_draw(sg_text *t, const sg_model *m, const sg_curve *c, size_t o)
{
    double y[SG_DRAWING_WIDTH], low = m->low[c->feature], high = m->high[c->feature];
    if (!(low < high)) {
        low = c->knot[0];
        high = c->knot[c->cells - 1];
    }
    for (int i = 0; i < SG_DRAWING_WIDTH; i++) {
        double part = (double)i / (SG_DRAWING_WIDTH - 1);
        y[i] = sg_curve_at(m->additive, c, o, low * (1 - part) + high * part);
    }
    sg_value_range r = value_range(y, SG_DRAWING_WIDTH, 1);
    for (int i = 0; i < SG_DRAWING_WIDTH; i++) {
        double height = sg_range_span(r) > 0 ? (y[i] - r.low) / sg_range_span(r) : 0.5;
        sg_text_append(t, bars[height < 1 ? (int)(height * BARS) : BARS - 1]);
    }
}
