/* explainer.c: making and freeing what explains rows. */
#include "base/memory.h"
#include "explain/explain.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME = 64 }; /* "block 12 rule 345" */

/* --- terms --- */

static bool clips(const sg_model *m)
{
    for (size_t o = 0; o < m->outputs; o++)
        if (sg_model_is_clipped(m, o)) return true;
    return false;
}

/* Clip, where the model limits predictions, and rounding. */
static void end_terms(sg_explainer *e, sg_grouping by, size_t n)
{
    if (clips(e->model)) e->term[by][n++] = (sg_term){.kind = SG_TERM_CLIP, .name = "clip"};
    e->term[by][n++] = (sg_term){.kind = SG_TERM_ROUNDING, .name = "rounding"};
    e->terms[by] = n;
}

static void rule_terms(sg_explainer *e)
{
    const sg_model *m = e->model;
    sg_term *to = e->term[SG_BY_RULE];
    char *name = e->names;
    if (m->blocks != 1) *to++ = (sg_term){.kind = SG_TERM_OFFSET, .name = "offset"};
    for (size_t b = 0; b < m->blocks; b++)
        for (size_t r = 0; r < m->block[b].rules; r++, name += NAME) {
            if (m->blocks == 1) snprintf(name, NAME, "rule %zu", r + 1);
            else snprintf(name, NAME, "block %zu rule %zu", b + 1, r + 1);
            *to++ = (sg_term){.kind = SG_TERM_RULE, .name = name, .block = b, .rule = r};
        }
    end_terms(e, SG_BY_RULE, (size_t)(to - e->term[SG_BY_RULE]));
}

/* Where the features of a model without a coding are shown: one by one. */
static void feature_terms(sg_explainer *e, sg_term *to)
{
    const sg_model *m = e->model;
    for (size_t k = 0; k < m->inputs; k++) {
        e->shown_of[k] = k;
        to[k] = (sg_term){.kind = SG_TERM_INPUT, .name = m->input_name[k], .input = k, .mean = m->input_mean[k]};
    }
}

static void coded_terms(sg_explainer *e, sg_term *to)
{
    const sg_model *m = e->model;
    const sg_coding *c = m->coding;
    for (size_t i = 0; i < c->inputs; i++) {
        const sg_coded *in = &c->input[i];
        to[i] = (sg_term){.kind = SG_TERM_INPUT,
                          .name = in->name,
                          .input = i,
                          .mean = in->levels ? (double)NAN : m->input_mean[in->first]};
        for (size_t k = 0; k < sg_coded_features(in); k++) e->shown_of[in->first + k] = i;
    }
    for (size_t i = 0; i < c->effects; i++) {
        size_t feature = sg_coding_plain(c) + i;
        to[c->inputs + i] = (sg_term){.kind = SG_TERM_INPUT,
                                      .name = m->input_name[feature],
                                      .input = c->effect[i].input,
                                      .mean = m->input_mean[feature]};
        e->shown_of[feature] = c->inputs + i;
    }
}

static void input_terms(sg_explainer *e)
{
    sg_term *to = e->term[SG_BY_INPUT];
    to[0] = (sg_term){.kind = SG_TERM_BASE, .name = "base"};
    to[1] = (sg_term){.kind = SG_TERM_RULES, .name = "rules"};
    if (e->model->coding) coded_terms(e, to + 2);
    else feature_terms(e, to + 2);
    end_terms(e, SG_BY_INPUT, 2 + e->shown);
}

size_t sg_explainer_terms(const sg_explainer *e, sg_grouping by) { return e->terms[by]; }

const sg_term *sg_explainer_term(const sg_explainer *e, sg_grouping by, size_t i)
{
    return i < e->terms[by] ? &e->term[by][i] : NULL;
}

/* --- room --- */

static double *part(double **memory, size_t n)
{
    double *p = *memory;
    *memory += n;
    return p;
}

static void share_out(sg_explainer *e, size_t scratch)
{
    const sg_model *m = e->model;
    double *at = e->memory, *value, *counts;
    e->coded = part(&at, m->inputs);
    e->x = part(&at, m->inputs);
    e->missing = part(&at, m->inputs);
    e->moved = part(&at, m->inputs);
    e->a = part(&at, m->a.out);
    e->z_seen = part(&at, sg_model_terms(m));
    e->z = part(&at, sg_model_terms(m));
    e->at = part(&at, sg_model_terms(m));
    e->weight = part(&at, sg_model_terms(m));
    e->scratch = part(&at, scratch);
    e->base = part(&at, m->outputs);
    e->y = part(&at, m->outputs);
    value = part(&at, e->shown);
    counts = part(&at, e->shown);
    for (size_t o = 0; o < m->outputs; o++) {
        sg_explanation *to = &e->out[o];
        *to = (sg_explanation){.value = value, .counts = counts};
        to->by_input = part(&at, e->terms[SG_BY_INPUT]);
        to->by_rule = part(&at, e->terms[SG_BY_RULE]);
        to->firing = part(&at, e->rules);
        to->says = part(&at, e->rules);
        to->slope = part(&at, e->shown);
    }
}

static sg_status make_room(sg_explainer *e)
{
    const sg_model *m = e->model;
    size_t sa = sg_view_scratch(&m->a), sz = sg_view_scratch(&m->z), scratch = sa > sz ? sa : sz, each;
    size_t once = 4 * m->inputs + m->a.out + 4 * sg_model_terms(m) + scratch + 2 * m->outputs + 2 * e->shown;
    bool fits = sg_mul(e->terms[0] + e->terms[1] + 2 * e->rules + e->shown, m->outputs, &each);
    e->memory = fits ? sg_alloc(once + each, sizeof *e->memory) : NULL;
    e->out = sg_alloc(m->outputs, sizeof *e->out);
    if (!e->memory || !e->out) return sg_fail(SG_ENOMEM, "out of memory for an explanation");
    share_out(e, scratch);
    return SG_OK;
}

static sg_status make_terms(sg_explainer *e)
{
    const sg_model *m = e->model;
    enum { MORE = 4 }; /* base, rules or offset; clip; rounding */
    e->rules = sg_model_rules(m);
    e->shown = sg_model_inputs(m) + (m->coding ? m->coding->effects : 0);
    e->shown_of = sg_alloc(m->inputs, sizeof *e->shown_of);
    e->term[SG_BY_INPUT] = sg_alloc(e->shown + MORE, sizeof *e->term[0]);
    e->term[SG_BY_RULE] = sg_alloc(e->rules + MORE, sizeof *e->term[0]);
    e->names = sg_alloc(e->rules, NAME);
    e->work = sg_alloc(m->blocks, sizeof *e->work);
    bool ok = e->shown_of && e->term[0] && e->term[1] && e->names && e->work;
    for (size_t b = 0; ok && b < m->blocks; b++) ok = sg_work_of_block(&e->work[b], &m->block[b]);
    if (!ok) return sg_fail(SG_ENOMEM, "out of memory for an explanation");
    input_terms(e);
    rule_terms(e);
    return SG_OK;
}

sg_status sg_explainer_new(const sg_model *m, sg_explainer **out)
{
    sg_explainer *e = sg_alloc(1, sizeof *e);
    if (!e) return sg_fail(SG_ENOMEM, "out of memory for an explanation");
    e->model = m;
    sg_status st = sg_seer_init(&e->seer, m, "f64");
    if (st == SG_OK) st = sg_units_init(&e->units, m);
    if (st == SG_OK) st = sg_parts_init(&e->parts, m);
    if (st == SG_OK) st = make_terms(e);
    if (st == SG_OK) st = make_room(e);
    if (st != SG_OK) {
        sg_explainer_free(e);
        return st;
    }
    sg_explain_base(e);
    *out = e;
    return SG_OK;
}

void sg_explainer_free(sg_explainer *e)
{
    if (!e) return;
    for (size_t b = 0; e->work && b < e->model->blocks; b++) sg_work_release(&e->work[b]);
    sg_seer_release(&e->seer);
    sg_units_release(&e->units);
    sg_parts_release(&e->parts);
    free(e->work);
    free(e->shown_of);
    free(e->term[0]);
    free(e->term[1]);
    free(e->names);
    free(e->memory);
    free(e->out);
    free(e);
}
