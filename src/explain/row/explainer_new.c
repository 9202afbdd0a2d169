/* explainer_new.c: creates explainers, with their lists of terms and buffers, and frees them. */
#include "base/memory.h"
#include "base/text.h"
#include "explain/row/additive_terms.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

enum { NAME_SIZE = 64 }; /* fits "block 12 rule 345" */

/* --- terms --- */

static void add_closing_terms(sg_explainer *e, sg_grouping by, size_t n)
{
    bool clips = false;
    n = sg_additive_terms_append(e, by, n);
    for (size_t o = 0; o < e->model->outputs; o++) clips = clips || sg_model_is_clipped(e->model, o);
    if (clips) e->term[by][n++] = (sg_term){.kind = SG_TERM_CLIP, .name = "clip"};
    e->term[by][n++] = (sg_term){.kind = SG_TERM_ROUNDING, .name = "rounding"};
    e->terms[by] = n;
}

static void make_rule_terms(sg_explainer *e)
{
    const sg_model *m = e->model;
    sg_term *to = e->term[SG_BY_RULE];
    char *name = e->names;
    if (sg_model_is_sum(m)) *to++ = (sg_term){.kind = SG_TERM_OFFSET, .name = "offset"};
    for (size_t b = 0; b < m->blocks; b++)
        for (size_t r = 0; r < m->block[b].rules; r++, name += NAME_SIZE) {
            if (m->blocks == 1) snprintf(name, NAME_SIZE, "rule %zu", r + 1);
            else snprintf(name, NAME_SIZE, "block %zu rule %zu", b + 1, r + 1);
            *to++ = (sg_term){.kind = SG_TERM_RULE, .name = name, .block = b, .rule = r};
        }
    add_closing_terms(e, SG_BY_RULE, (size_t)(to - e->term[SG_BY_RULE]));
}

/* In a model with curves, the terms of the inputs are called "age (rest)", because "age" is the curve. */
static bool rename_input_terms(sg_explainer *e)
{
    sg_text names = {0};
    sg_term *term = e->term[SG_BY_INPUT] + 1;
    for (size_t i = 0; i < e->input_terms; i++) {
        sg_text_append(&names, term[i].name);
        sg_text_append_bytes(&names, " (rest)", sizeof " (rest)");
    }
    const char *name = e->input_names = names.bytes;
    if (names.failed) return false;
    for (size_t i = 0; i < e->input_terms; i++, name += strlen(name) + 1) term[i].name = name;
    return true;
}

/* An input has one term for all its features, and another for its effect if it has one. Without blocks, inputs act
 * through curves only. */
static void make_input_terms(sg_explainer *e)
{
    const sg_model *m = e->model;
    const size_t inputs = sg_model_inputs(m);
    sg_term *to = e->term[SG_BY_INPUT];
    *to++ = (sg_term){.kind = SG_TERM_BASE, .name = "base"};
    for (size_t i = 0; m->blocks && i < inputs; i++) {
        size_t first = sg_model_first_feature(m, i), n = 1;
        if (m->encoder) n = sg_encoded_input_features(&m->encoder->input[i]);
        *to++ = (sg_term){.kind = SG_TERM_INPUT,
                          .name = sg_model_input_name(m, i),
                          .input = i,
                          .mean = sg_model_levels(m, i) ? (double)NAN : m->feature_mean[first]};
        for (size_t k = 0; k < n; k++) e->input_term_of[first + k] = i;
    }
    for (size_t i = inputs; m->encoder && i < e->input_terms; i++) {
        size_t feature = sg_encoder_base_features(m->encoder) + i - inputs;
        *to++ = (sg_term){.kind = SG_TERM_INPUT,
                          .name = m->feature_name[feature],
                          .input = m->encoder->effect[i - inputs].input,
                          .mean = m->feature_mean[feature]};
        e->input_term_of[feature] = i;
    }
    add_closing_terms(e, SG_BY_INPUT, 1 + e->input_terms);
}

size_t sg_explainer_terms(const sg_explainer *e, sg_grouping by) { return e->terms[by]; }

const sg_term *sg_explainer_term(const sg_explainer *e, sg_grouping by, size_t i)
{
    return i < e->terms[by] ? &e->term[by][i] : NULL;
}

/* --- buffers --- */

/* Allocates all buffers. The explanations of all outputs share the values of the inputs. */
static sg_status alloc_buffers(sg_explainer *e)
{
    const sg_model *m = e->model;
    const size_t sa = sg_pipeline_scratch_size(&m->a), sz = sg_pipeline_scratch_size(&m->z), z = sg_model_terms(m);
    double *value, *effective, *each;
    size_t curves = sg_model_curves(m), parts;
    size_t per_output = e->terms[0] + e->terms[1] + 2 * e->rules + e->input_terms, outputs;
    if (!sg_checked_mul(per_output, m->outputs, &outputs) || !sg_checked_mul(e->parts, m->outputs, &parts))
        return sg_fail_out_of_memory("an explanation");
    const sg_double_array arrays[] = {{&e->encoded, m->features},
                                      {&e->x, m->features},
                                      {&e->missing, m->features},
                                      {&e->feature_contribution, m->features},
                                      {&e->a, m->a.out},
                                      {&e->z_seen, z},
                                      {&e->z, z},
                                      {&e->z_mean, z},
                                      {&e->weight, z},
                                      {&e->scratch, sa > sz ? sa : sz},
                                      {&e->base, m->outputs},
                                      {&e->y, m->outputs},
                                      {&e->part, parts},
                                      {&value, e->input_terms + curves},
                                      {&effective, e->input_terms + curves},
                                      {&each, outputs}};
    e->buffer = sg_alloc_doubles(arrays, sizeof arrays / sizeof *arrays);
    e->out = sg_calloc(m->outputs, sizeof *e->out);
    if (!e->buffer || !e->out) return sg_fail_out_of_memory("an explanation");
    for (size_t o = 0; o < m->outputs; o++, each += per_output) {
        double *by_rule = each + e->terms[SG_BY_INPUT], *firing = by_rule + e->terms[SG_BY_RULE];
        e->out[o] = (sg_explanation){.by_input = each,
                                     .by_rule = by_rule,
                                     .firing = firing,
                                     .rule_output = firing + e->rules,
                                     .slope = firing + 2 * e->rules,
                                     .value = value,
                                     .effective_value = effective};
    }
    return SG_OK;
}

static sg_status make_terms(sg_explainer *e)
{
    const sg_model *m = e->model;
    enum { EXTRA_TERMS = 3 }; /* base or offset; clip; rounding */
    e->rules = sg_model_block_rules(m);
    e->input_terms = m->blocks ? sg_model_inputs(m) + (m->encoder ? m->encoder->effects : 0) : 0;
    sg_status st = sg_additive_terms_init(e);
    if (st != SG_OK) return st;
    e->input_term_of = sg_calloc(m->features, sizeof *e->input_term_of);
    e->term[SG_BY_INPUT] = sg_calloc(e->input_terms + e->parts + EXTRA_TERMS, sizeof *e->term[0]);
    e->term[SG_BY_RULE] = sg_calloc(e->rules + e->parts + EXTRA_TERMS, sizeof *e->term[0]);
    e->names = sg_calloc(e->rules, NAME_SIZE);
    e->work = sg_calloc(m->blocks, sizeof *e->work);
    bool ok = e->input_term_of && e->term[0] && e->term[1] && e->names && e->work;
    for (size_t b = 0; ok && b < m->blocks; b++) ok = sg_block_workspace_init(&e->work[b], &m->block[b]);
    if (!ok) return sg_fail_out_of_memory("an explanation");
    make_input_terms(e);
    make_rule_terms(e);
    return m->additive && !rename_input_terms(e) ? sg_fail_out_of_memory("an explanation") : SG_OK;
}

sg_status sg_explainer_new(const sg_model *m, sg_explainer **out)
{
    sg_explainer *e = sg_calloc(1, sizeof *e);
    if (!e) return sg_fail_out_of_memory("an explanation");
    e->model = m;
    sg_status st = sg_predict_worker_init(&e->worker, m, "f64");
    if (st == SG_OK) st = sg_original_units_init(&e->units, m);
    if (st == SG_OK) st = sg_contributions_init(&e->contributions, m->shared_pipeline ? &m->a : &m->z, m->feature_mean);
    if (st == SG_OK) st = sg_path_init(&e->path, m, &e->contributions);
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
    if (e->path.model) sg_path_release(&e->path);
    sg_contributions_release(&e->contributions);
    sg_free_all(e->work, e->input_term_of, e->term[0], e->term[1], e->names, e->part_names, e->input_names, e->buffer,
                e->out, e);
}
