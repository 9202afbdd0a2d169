/* thin_additive.c: additive parts from which some pairs, curves and terms are removed. */
#include "explain/simplify/thin_additive.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static const sg_additive *full_part(const sg_thinning *t) { return t->model->additive; }

sg_status sg_thinning_init(sg_thinning *t, const sg_model *m)
{
    const sg_additive *s = m->additive;
    *t = (sg_thinning){.model = m,
                       .pair = sg_calloc(s->pairs, sizeof *t->pair),
                       .curve = sg_calloc(s->curves, sizeof *t->curve),
                       .cell = sg_calloc(s->curves, sizeof *t->cell)};
    bool ok = t->pair && t->curve && t->cell;
    for (size_t i = 0; ok && i < s->curves; i++) {
        ok = (t->cell[i] = sg_calloc(s->curve[i].cells, sizeof **t->cell)) != NULL;
        if (ok) memset(t->cell[i], true, s->curve[i].cells);
    }
    if (!ok) {
        sg_thinning_release(t);
        return sg_fail_out_of_memory("simplification");
    }
    memset(t->pair, true, s->pairs);
    memset(t->curve, true, s->curves);
    return SG_OK;
}

void sg_thinning_release(sg_thinning *t)
{
    for (size_t i = 0; t->cell && i < full_part(t)->curves; i++) free(t->cell[i]);
    free(t->cell);
    free(t->pair);
    free(t->curve);
    *t = (sg_thinning){0};
}

/* --- what can be removed --- */

static bool is_in_pair(const sg_thinning *t, size_t curve)
{
    const sg_additive *s = full_part(t);
    for (size_t i = 0; i < s->pairs; i++)
        if (t->pair[i] && (s->pair[i].curve[0] == curve || s->pair[i].curve[1] == curve)) return true;
    return false;
}

static bool is_term(const sg_curve *c, size_t cell)
{
    for (size_t k = 0; k < c->terms; k++)
        if (c->term[k] == cell) return true;
    return false;
}

static size_t count_true(const bool *flag, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += flag[i];
    return count;
}

bool sg_thinning_allows(const sg_thinning *t, const sg_removal *r)
{
    const sg_additive *s = full_part(t);
    const sg_curve *c = &s->curve[r->part];
    switch (r->kind) {
    case SG_REMOVE_PAIR:
        return t->pair[r->part];
    case SG_REMOVE_CURVE:
        return t->curve[r->part] && !is_in_pair(t, r->part) && count_true(t->curve, s->curves) > 1;
    case SG_REMOVE_KNOT:
        return t->curve[r->part] && t->cell[r->part][r->cell] && count_true(t->cell[r->part], c->cells) > 2 &&
               !(is_term(c, r->cell) && is_in_pair(t, r->part));
    case SG_REMOVE_LEVEL:
        return t->curve[r->part] && t->cell[r->part][r->cell];
    }
    return false;
}

void sg_thinning_set(sg_thinning *t, const sg_removal *r, bool remains)
{
    if (r->kind == SG_REMOVE_PAIR) t->pair[r->part] = remains;
    else if (r->kind == SG_REMOVE_CURVE) t->curve[r->part] = remains;
    else t->cell[r->part][r->cell] = remains;
}

/* Returns whether any value of a cell is not 0. */
static bool has_number(const double *value, size_t cell, size_t outputs)
{
    for (size_t o = 0; o < outputs; o++)
        if (value[cell * outputs + o] != 0) return true;
    return false;
}

static size_t count_numbers(const double *value, size_t cells, size_t outputs)
{
    size_t n = 0;
    for (size_t k = 0; k < cells; k++) n += has_number(value, k, outputs);
    return n;
}

static size_t list_curve(const sg_additive *s, size_t i, sg_removal *out)
{
    const sg_curve *c = &s->curve[i];
    const sg_removal_kind kind = c->is_category ? SG_REMOVE_LEVEL : SG_REMOVE_KNOT;
    size_t n = 0;
    if (out)
        out[n] = (sg_removal){
            .kind = SG_REMOVE_CURVE, .part = i, .saves = c->cells + count_numbers(c->value, c->cells + 1, s->outputs)};
    n++;
    for (size_t k = 0; k < c->cells; k++) {
        bool number = has_number(c->value, k, s->outputs);
        if (c->is_category && !number) continue;
        if (out) out[n] = (sg_removal){.kind = kind, .part = i, .cell = k, .saves = c->is_category ? 1 : 1 + number};
        n++;
    }
    return n;
}

size_t sg_thinning_list(const sg_thinning *t, sg_removal *out)
{
    const sg_additive *s = full_part(t);
    size_t n = 0;
    for (size_t i = 0; i < s->pairs; i++, n++)
        if (out)
            out[n] = (sg_removal){.kind = SG_REMOVE_PAIR,
                                  .part = i,
                                  .saves = count_numbers(s->pair[i].value, sg_pair_cells(s, &s->pair[i]), s->outputs)};
    for (size_t i = 0; i < s->curves; i++) n += list_curve(s, i, out ? out + n : NULL);
    return n;
}

/* --- values --- */

/* Sets the value of a removed knot to that of the thinned curve at this knot: linear between the nearest remaining
 * knots, clamped to the range of their values, and constant beyond the outer remaining knots. */
static void interpolate_knot(const bool *remains, const sg_curve *c, size_t outputs, size_t k, double *value)
{
    size_t before = k, after = k;
    while (before > 0 && !remains[before]) before--;
    while (after + 1 < c->cells && !remains[after]) after++;
    if (!remains[before]) before = after;
    if (!remains[after]) after = before;
    double width = c->knot[after] - c->knot[before], part = width > 0 ? (c->knot[k] - c->knot[before]) / width : 0;
    for (size_t o = 0; o < outputs; o++) {
        double from = c->value[before * outputs + o], to = c->value[after * outputs + o], v = from + part * (to - from);
        value[k * outputs + o] = from <= to ? (v < to ? v : to) : (v > to ? v : to);
    }
}

static void apply_curve(const sg_thinning *t, size_t i, sg_curve *to)
{
    const sg_curve *c = &full_part(t)->curve[i];
    const size_t outputs = full_part(t)->outputs;
    memcpy(to->value, c->value, (c->cells + 1) * outputs * sizeof *c->value);
    if (!t->curve[i]) memset(to->value, 0, (c->cells + 1) * outputs * sizeof *c->value);
    for (size_t k = 0; t->curve[i] && k < c->cells; k++) {
        if (t->cell[i][k]) continue;
        if (c->is_category) memset(to->value + k * outputs, 0, outputs * sizeof *c->value);
        else interpolate_knot(t->cell[i], c, outputs, k, to->value);
    }
}

void sg_thinning_apply(const sg_thinning *t, sg_model *trial)
{
    const sg_additive *s = full_part(t);
    for (size_t i = 0; i < s->curves; i++) apply_curve(t, i, &trial->additive->curve[i]);
    for (size_t i = 0; i < s->pairs; i++) {
        size_t bytes = sg_pair_cells(s, &s->pair[i]) * s->outputs * sizeof *s->pair[i].value;
        if (t->pair[i]) memcpy(trial->additive->pair[i].value, s->pair[i].value, bytes);
        else memset(trial->additive->pair[i].value, 0, bytes);
    }
}

/* --- the thinned model --- */

/* Returns whether the thinned curve i has this cell. A category keeps all its cells, because they belong to
 * features. */
static bool is_kept(const sg_thinning *t, size_t i, size_t cell)
{
    return full_part(t)->curve[i].is_category || t->cell[i][cell];
}

static size_t kept_cells(const sg_thinning *t, size_t i)
{
    size_t n = 0;
    for (size_t k = 0; k < full_part(t)->curve[i].cells; k++) n += is_kept(t, i, k);
    return n;
}

/* Renumbers the terms of pairs. */
static bool copy_terms(const sg_thinning *t, size_t i, sg_curve *to)
{
    const sg_curve *c = &full_part(t)->curve[i];
    uint32_t *term = sg_calloc(c->terms, sizeof *term);
    for (size_t j = 0; term && j < c->terms; j++)
        for (size_t k = 0; k < c->term[j]; k++) term[j] += is_kept(t, i, k);
    bool ok = term && sg_curve_set_terms(to, term, c->terms);
    free(term);
    return ok;
}

/* Adds the share of each removed knot to its remaining neighbours, in proportion to their memberships at the knot. */
static void move_shares(const sg_thinning *t, size_t i, const size_t *place, sg_curve *to)
{
    const sg_curve *c = &full_part(t)->curve[i];
    for (size_t k = 0; k < c->cells; k++) {
        size_t before = k, after = k;
        while (before > 0 && !is_kept(t, i, before)) before--;
        while (after + 1 < c->cells && !is_kept(t, i, after)) after++;
        if (!is_kept(t, i, before)) before = after;
        if (!is_kept(t, i, after)) after = before;
        double width = after > before ? c->knot[after] - c->knot[before] : 0,
               part = width > 0 ? (c->knot[k] - c->knot[before]) / width : 0;
        to->share[place[before]] += (1 - part) * c->share[k];
        to->share[place[after]] += part * c->share[k];
    }
    to->share[to->cells] = c->share[c->cells];
}

static bool copy_stats(const sg_thinning *t, size_t i, sg_curve *to)
{
    const sg_curve *c = &full_part(t)->curve[i];
    const size_t outputs = full_part(t)->outputs;
    size_t n = 0, *place = sg_calloc(c->cells, sizeof *place);
    if (!place || !sg_curve_alloc_stats(to, outputs)) {
        free(place);
        return false;
    }
    for (size_t k = 0; k <= c->cells; k++) {
        if (k < c->cells && !is_kept(t, i, k)) continue;
        if (k < c->cells) place[k] = n;
        memcpy(to->band + n++ * outputs, c->band + k * outputs, outputs * sizeof *c->band);
    }
    move_shares(t, i, place, to);
    memcpy(to->deviation, c->deviation, outputs * sizeof *c->deviation);
    free(place);
    return true;
}

static bool add_curve(const sg_thinning *t, size_t i, sg_additive *to)
{
    const sg_curve *c = &full_part(t)->curve[i];
    sg_additive_add_curve(to, c->input, c->feature, kept_cells(t, i), c->is_category);
    sg_curve *added = &to->curve[to->curves - 1];
    added->monotone = c->monotone;
    if (is_in_pair(t, i) && !copy_terms(t, i, added)) return false;
    return !c->band || copy_stats(t, i, added);
}

static bool add_pair(const sg_pair *p, const size_t *curve, sg_additive *to)
{
    sg_additive_add_pair(to, curve[p->curve[0]], curve[p->curve[1]]);
    if (!p->deviation) return true;
    sg_pair *added = &to->pair[to->pairs - 1];
    if (!sg_pair_alloc_stats(added, to->outputs)) return false;
    memcpy(added->deviation, p->deviation, to->outputs * sizeof *p->deviation);
    return true;
}

/* Returns the additive part without parameters, or NULL if memory is exhausted. */
static sg_additive *make_part(const sg_thinning *t)
{
    const sg_additive *s = full_part(t);
    sg_additive *to = sg_additive_new(s->outputs, s->curves, s->pairs);
    size_t *curve = sg_calloc(s->curves, sizeof *curve); /* the new index of each curve */
    bool ok = to && curve;
    for (size_t i = 0; ok && i < s->curves; i++) {
        if (!t->curve[i]) continue;
        curve[i] = to->curves;
        ok = add_curve(t, i, to);
    }
    for (size_t i = 0; ok && i < s->pairs; i++)
        if (t->pair[i]) ok = add_pair(&s->pair[i], curve, to);
    free(curve);
    if (ok) return to;
    sg_additive_free(to);
    return NULL;
}

static void copy_values(const sg_thinning *t, sg_additive *to)
{
    const sg_additive *s = full_part(t);
    const size_t outputs = s->outputs;
    for (size_t i = 0, at = 0; i < s->curves; i++) {
        const sg_curve *c = &s->curve[i];
        if (!t->curve[i]) continue;
        for (size_t k = 0, n = 0; k <= c->cells; k++) {
            if (k < c->cells && !is_kept(t, i, k)) continue;
            if (k < c->cells && !c->is_category) to->curve[at].knot[n] = c->knot[k];
            if (k == c->cells || t->cell[i][k])
                memcpy(to->curve[at].value + n * outputs, c->value + k * outputs, outputs * sizeof *c->value);
            n++;
        }
        at++;
    }
    for (size_t i = 0, at = 0; i < s->pairs; i++) {
        if (!t->pair[i]) continue;
        memcpy(to->pair[at++].value, s->pair[i].value, sg_pair_cells(s, &s->pair[i]) * outputs * sizeof(double));
    }
}

sg_status sg_thinning_build(const sg_thinning *t, sg_model **out)
{
    sg_model *m;
    sg_status st = sg_model_copy(t->model, &m);
    if (st != SG_OK) return st;
    size_t blocks = m->parameters - sg_additive_parameters(m->additive);
    sg_additive *part = make_part(t);
    if (part) {
        sg_additive_free(m->additive);
        m->additive = part;
        st = sg_model_alloc_theta(m);
    } else st = sg_fail_out_of_memory("simplification");
    if (st != SG_OK) {
        sg_model_free(m);
        return st;
    }
    memcpy(m->theta, t->model->theta, blocks * sizeof *m->theta);
    copy_values(t, m->additive);
    *out = m;
    return SG_OK;
}
