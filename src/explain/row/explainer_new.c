/* explainer_new.c: making and freeing what explains rows. */
#include "base/memory.h"
#include "explain/row/explainer.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64 }; /* "block 12 rule 345" */

/* --- terms --- */

static bool has_clipped_output(const sg_model *m)
{
    for (size_t o = 0; o < m->outputs; o++)
        if (sg_model_is_clipped(m, o)) return true;
    return false;
}

/* Clip, where the model limits predictions, and rounding. */
static void add_closing_terms(sg_explainer *e, sg_grouping by, size_t n)
{
    if (has_clipped_output(e->model)) e->term[by][n++] = (sg_term){.kind = SG_TERM_CLIP, .name = "clip"};
    e->term[by][n++] = (sg_term){.kind = SG_TERM_ROUNDING, .name = "rounding"};
    e->terms[by] = n;
}

static void make_rule_terms(sg_explainer *e)
{
    const sg_model *m = e->model;
    sg_term *to = e->term[SG_BY_RULE];
    char *name = e->names;
    if (m->blocks != 1) *to++ = (sg_term){.kind = SG_TERM_OFFSET, .name = "offset"};
    for (size_t b = 0; b < m->blocks; b++)
        for (size_t r = 0; r < m->block[b].rules; r++, name += NAME_SIZE) {
            if (m->blocks == 1) snprintf(name, NAME_SIZE, "rule %zu", r + 1);
            else snprintf(name, NAME_SIZE, "block %zu rule %zu", b + 1, r + 1);
            *to++ = (sg_term){.kind = SG_TERM_RULE, .name = name, .block = b, .rule = r};
        }
    add_closing_terms(e, SG_BY_RULE, (size_t)(to - e->term[SG_BY_RULE]));
}

/* Where the features of a model without a coding are shown: one by one. */
static void make_feature_terms(sg_explainer *e, sg_term *to)
{
    const sg_model *m = e->model;
    for (size_t k = 0; k < m->features; k++) {
        e->input_term_of[k] = k;
        to[k] = (sg_term){.kind = SG_TERM_INPUT, .name = m->feature_name[k], .input = k, .mean = m->feature_mean[k]};
    }
}

static void make_encoded_terms(sg_explainer *e, sg_term *to)
{
    const sg_model *m = e->model;
    const sg_encoder *c = m->encoder;
    for (size_t i = 0; i < c->inputs; i++) {
        const sg_encoded_input *in = &c->input[i];
        to[i] = (sg_term){.kind = SG_TERM_INPUT,
                          .name = in->name,
                          .input = i,
                          .mean = in->levels ? (double)NAN : m->feature_mean[in->first_feature]};
        for (size_t k = 0; k < sg_encoded_input_features(in); k++) e->input_term_of[in->first_feature + k] = i;
    }
    for (size_t i = 0; i < c->effects; i++) {
        size_t feature = sg_encoder_base_features(c) + i;
        to[c->inputs + i] = (sg_term){.kind = SG_TERM_INPUT,
                                      .name = m->feature_name[feature],
                                      .input = c->effect[i].input,
                                      .mean = m->feature_mean[feature]};
        e->input_term_of[feature] = c->inputs + i;
    }
}

static void make_input_terms(sg_explainer *e)
{
    sg_term *to = e->term[SG_BY_INPUT];
    to[0] = (sg_term){.kind = SG_TERM_BASE, .name = "base"};
    to[1] = (sg_term){.kind = SG_TERM_RULES, .name = "rules"};
    if (e->model->encoder) make_encoded_terms(e, to + 2);
    else make_feature_terms(e, to + 2);
    add_closing_terms(e, SG_BY_INPUT, 2 + e->input_terms);
}

size_t sg_explainer_terms(const sg_explainer *e, sg_grouping by) { return e->terms[by]; }

const sg_term *sg_explainer_term(const sg_explainer *e, sg_grouping by, size_t i)
{
    return i < e->terms[by] ? &e->term[by][i] : NULL;
}

/* --- room --- */

static double *take_doubles(double **memory, size_t n)
{
    double *p = *memory;
    *memory += n;
    return p;
}

static void assign_buffers(sg_explainer *e, size_t scratch)
{
    const sg_model *m = e->model;
    double *at = e->buffer, *value, *counts;
    e->encoded = take_doubles(&at, m->features);
    e->x = take_doubles(&at, m->features);
    e->missing = take_doubles(&at, m->features);
    e->feature_contribution = take_doubles(&at, m->features);
    e->a = take_doubles(&at, m->a.out);
    e->z_seen = take_doubles(&at, sg_model_terms(m));
    e->z = take_doubles(&at, sg_model_terms(m));
    e->z_mean = take_doubles(&at, sg_model_terms(m));
    e->weight = take_doubles(&at, sg_model_terms(m));
    e->scratch = take_doubles(&at, scratch);
    e->base = take_doubles(&at, m->outputs);
    e->y = take_doubles(&at, m->outputs);
    value = take_doubles(&at, e->input_terms);
    counts = take_doubles(&at, e->input_terms);
    for (size_t o = 0; o < m->outputs; o++) {
        sg_explanation *to = &e->out[o];
        *to = (sg_explanation){.value = value, .effective_value = counts};
        to->by_input = take_doubles(&at, e->terms[SG_BY_INPUT]);
        to->by_rule = take_doubles(&at, e->terms[SG_BY_RULE]);
        to->firing = take_doubles(&at, e->rules);
        to->rule_output = take_doubles(&at, e->rules);
        to->slope = take_doubles(&at, e->input_terms);
    }
}

static sg_status alloc_buffers(sg_explainer *e)
{
    const sg_model *m = e->model;
    size_t sa = sg_pipeline_scratch_size(&m->a), sz = sg_pipeline_scratch_size(&m->z), scratch = sa > sz ? sa : sz,
           each;
    size_t once = 4 * m->features + m->a.out + 4 * sg_model_terms(m) + scratch + 2 * m->outputs + 2 * e->input_terms;
    bool fits = sg_checked_mul(e->terms[0] + e->terms[1] + 2 * e->rules + e->input_terms, m->outputs, &each);
    e->buffer = fits ? sg_calloc(once + each, sizeof *e->buffer) : NULL;
    e->out = sg_calloc(m->outputs, sizeof *e->out);
    if (!e->buffer || !e->out) return sg_fail(SG_ENOMEM, "out of memory for an explanation");
    assign_buffers(e, scratch);
    return SG_OK;
}

static sg_status make_terms(sg_explainer *e)
{
    const sg_model *m = e->model;
    enum { MORE = 4 }; /* base, rules or offset; clip; rounding */
    e->rules = sg_model_rules(m);
    e->input_terms = sg_model_inputs(m) + (m->encoder ? m->encoder->effects : 0);
    e->input_term_of = sg_calloc(m->features, sizeof *e->input_term_of);
    e->term[SG_BY_INPUT] = sg_calloc(e->input_terms + MORE, sizeof *e->term[0]);
    e->term[SG_BY_RULE] = sg_calloc(e->rules + MORE, sizeof *e->term[0]);
    e->names = sg_calloc(e->rules, NAME_SIZE);
    e->work = sg_calloc(m->blocks, sizeof *e->work);
    bool ok = e->input_term_of && e->term[0] && e->term[1] && e->names && e->work;
    for (size_t b = 0; ok && b < m->blocks; b++) ok = sg_block_workspace_init(&e->work[b], &m->block[b]);
    if (!ok) return sg_fail(SG_ENOMEM, "out of memory for an explanation");
    make_input_terms(e);
    make_rule_terms(e);
    return SG_OK;
}

sg_status sg_explainer_new(const sg_model *m, sg_explainer **out)
{
    sg_explainer *e = sg_calloc(1, sizeof *e);
    if (!e) return sg_fail(SG_ENOMEM, "out of memory for an explanation");
    e->model = m;
    sg_status st = sg_predict_worker_init(&e->worker, m, "f64");
    if (st == SG_OK) st = sg_original_units_init(&e->units, m);
    if (st == SG_OK) st = sg_contributions_init(&e->contributions, m);
    if (st == SG_OK) st = make_terms(e);
    if (st == SG_OK) st = alloc_buffers(e);
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
    for (size_t b = 0; e->work && b < e->model->blocks; b++) sg_block_workspace_release(&e->work[b]);
    sg_predict_worker_release(&e->worker);
    sg_original_units_release(&e->units);
    sg_contributions_release(&e->contributions);
    free(e->work);
    free(e->input_term_of);
    free(e->term[0]);
    free(e->term[1]);
    free(e->names);
    free(e->buffer);
    free(e->out);
    free(e);
}
