/* additive.c: memory and parameters of the additive part of a model. */
#include "model/additive.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

sg_additive *sg_additive_new(size_t outputs, size_t curves, size_t pairs)
{
    sg_additive *s = sg_calloc(1, sizeof *s);
    if (!s) return NULL;
    s->outputs = outputs;
    s->curve = sg_calloc(curves, sizeof *s->curve);
    s->pair = sg_calloc(pairs, sizeof *s->pair);
    if (s->curve && s->pair) return s;
    sg_additive_free(s);
    return NULL;
}

void sg_additive_free(sg_additive *s)
{
    if (!s) return;
    for (size_t i = 0; s->curve && i < s->curves; i++) {
        free(s->curve[i].term);
        free(s->curve[i].band);
    }
    for (size_t i = 0; s->pair && i < s->pairs; i++) free(s->pair[i].deviation);
    free(s->curve);
    free(s->pair);
    free(s);
}

void sg_additive_add_curve(sg_additive *s, size_t input, size_t feature, size_t cells, bool is_category)
{
    s->curve[s->curves++] = (sg_curve){.input = input, .feature = feature, .cells = cells, .is_category = is_category};
}

void sg_additive_add_pair(sg_additive *s, size_t first, size_t second)
{
    s->pair[s->pairs++] = (sg_pair){.curve = {first, second}};
}

bool sg_curve_set_terms(sg_curve *c, const uint32_t *term, size_t terms)
{
    uint32_t *copy = sg_calloc(terms, sizeof *copy);
    if (!copy) return false;
    memcpy(copy, term, terms * sizeof *copy);
    free(c->term);
    c->term = copy;
    c->terms = terms;
    return true;
}

/* All arrays share one allocation, which band points to. */
bool sg_curve_alloc_stats(sg_curve *c, size_t outputs)
{
    size_t values = (c->cells + 1) * outputs;
    free(c->band);
    c->band = sg_calloc(values + c->cells + 1 + outputs, sizeof *c->band);
    c->share = c->band ? c->band + values : NULL;
    c->deviation = c->band ? c->share + c->cells + 1 : NULL;
    return c->band != NULL;
}

bool sg_pair_alloc_stats(sg_pair *p, size_t outputs)
{
    free(p->deviation);
    p->deviation = sg_calloc(outputs, sizeof *p->deviation);
    return p->deviation != NULL;
}

static bool copy_curve(const sg_curve *from, size_t outputs, sg_curve *to)
{
    if (from->terms && !sg_curve_set_terms(to, from->term, from->terms)) return false;
    if (!from->band) return true;
    if (!sg_curve_alloc_stats(to, outputs)) return false;
    memcpy(to->band, from->band, ((from->cells + 1) * (outputs + 1) + outputs) * sizeof *to->band);
    return true;
}

static bool copy_pair(const sg_pair *from, size_t outputs, sg_pair *to)
{
    if (!from->deviation) return true;
    if (!sg_pair_alloc_stats(to, outputs)) return false;
    memcpy(to->deviation, from->deviation, outputs * sizeof *to->deviation);
    return true;
}

sg_additive *sg_additive_copy(const sg_additive *s)
{
    sg_additive *copy = sg_additive_new(s->outputs, s->curves, s->pairs);
    bool ok = copy;
    for (size_t i = 0; ok && i < s->curves; i++) {
        const sg_curve *c = &s->curve[i];
        sg_additive_add_curve(copy, c->input, c->feature, c->cells, c->is_category);
        copy->curve[i].monotone = c->monotone;
        ok = copy_curve(c, s->outputs, &copy->curve[i]);
    }
    for (size_t i = 0; ok && i < s->pairs; i++) {
        sg_additive_add_pair(copy, s->pair[i].curve[0], s->pair[i].curve[1]);
        ok = copy_pair(&s->pair[i], s->outputs, &copy->pair[i]);
    }
    if (ok) return copy;
    sg_additive_free(copy);
    return NULL;
}

static size_t curve_parameters(const sg_additive *s, const sg_curve *c)
{
    return (c->is_category ? 0 : c->cells) + (c->cells + 1) * s->outputs;
}

size_t sg_additive_parameters(const sg_additive *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->curves; i++) n += curve_parameters(s, &s->curve[i]);
    for (size_t i = 0; i < s->pairs; i++) n += sg_pair_cells(s, &s->pair[i]) * s->outputs;
    return n;
}

void sg_additive_bind(sg_additive *s, double *theta)
{
    for (size_t i = 0; i < s->curves; i++) {
        sg_curve *c = &s->curve[i];
        c->knot = theta;
        c->value = theta + (c->is_category ? 0 : c->cells);
        theta += curve_parameters(s, c);
    }
    for (size_t i = 0; i < s->pairs; i++) {
        s->pair[i].value = theta;
        theta += sg_pair_cells(s, &s->pair[i]) * s->outputs;
    }
}

size_t sg_additive_rules(const sg_additive *s)
{
    size_t n = 0;
    for (size_t i = 0; i < s->curves; i++) n += s->curve[i].cells;
    for (size_t i = 0; i < s->pairs; i++) n += sg_pair_cells(s, &s->pair[i]);
    return n;
}

const char *sg_curve_validate(const sg_curve *c)
{
    for (size_t k = 1; !c->is_category && k < c->cells; k++)
        if (!(c->knot[k] > c->knot[k - 1])) return "expected numbers in ascending order";
    return NULL;
}

/* Returns whether each of n values and the value `step` places later are in order. */
static bool is_ordered(const double *value, size_t n, size_t step, int monotone)
{
    for (size_t i = 0; monotone && i < n; i++)
        if (monotone > 0 ? value[i + step] < value[i] : value[i + step] > value[i]) return false;
    return true;
}

bool sg_curve_is_ordered(const sg_additive *s, const sg_curve *c)
{
    return is_ordered(c->value, (c->cells - 1) * s->outputs, s->outputs, c->monotone);
}

bool sg_pair_is_ordered(const sg_additive *s, const sg_pair *p)
{
    const sg_curve *first = &s->curve[p->curve[0]], *second = &s->curve[p->curve[1]];
    size_t stride = second->terms * s->outputs;
    bool ordered = is_ordered(p->value, (first->terms - 1) * stride, stride, first->monotone);
    for (size_t i = 0; ordered && i < first->terms; i++)
        ordered = is_ordered(p->value + i * stride, stride - s->outputs, s->outputs, second->monotone);
    return ordered;
}
