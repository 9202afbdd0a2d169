/* rules_json.c: the rule base as JSON, in the data's own units, every digit. */
#include "base/memory.h"
#include "base/text.h"
#include "explain/global/interactions.h"
#include "explain/global/trend_text.h"
#include "explain/rules/clip_text.h"
#include "explain/rules/conditions_text.h"
#include "explain/rules/effects_text.h"

#include <math.h>
#include <stdlib.h>

/* Original units may take what a model file can hold beyond the doubles; JSON has no infinity. */
static void add_number(sg_text *t, double value)
{
    if (isfinite(value)) sg_text_append_number(t, value);
    else sg_text_append(t, "null");
}

static void add_level_name(sg_text *t, const sg_encoded_input *category, size_t level)
{
    char *name = sg_encoded_input_level_name(category, level);
    if (name) sg_text_append_json(t, name);
    else t->failed = true;
    free(name);
}

/* Of a category: which level, and whether it is that one; null where the rule fires either way. */
static void add_level_condition(sg_text *t, const sg_encoded_input *category, size_t level, sg_level_answer verdict)
{
    sg_text_append_json(t, category->name);
    sg_text_append(t, ", \"level\": ");
    add_level_name(t, category, level);
    sg_text_append_format(t, ", \"is\": %s",
                          verdict == SG_ANSWER_EITHER  ? "null"
                          : verdict > SG_ANSWER_EITHER ? "true"
                                                       : "false");
}

static void add_condition(sg_text *t, const sg_original_units *u, const sg_block *b, size_t i, size_t mf)
{
    char name[32];
    double p[SG_MF_MAX_PARAMETERS];
    size_t level;
    const sg_encoded_input *category = sg_original_units_category(u, i, &level);
    const char *label = category ? NULL : sg_condition_label(u, b, mf);
    sg_text_append(t, "{\"input\": ");
    if (category) add_level_condition(t, category, level, sg_original_units_level_answer(u, b, mf));
    else sg_text_append_json(t, sg_original_units_name(u, i, name, sizeof name));
    if (label) sg_text_append_format(t, ", \"is\": \"%s\"", label);
    if (!sg_original_units_condition_matters(u, b, mf)) sg_text_append(t, ", \"matters\": false");
    sg_text_append_format(t, ", \"mf\": \"%s\"", b->kind->name);
    sg_original_units_mf(u, b, mf, p);
    for (size_t k = 0; k < b->kind->arity; k++) {
        sg_text_append_format(t, ", \"%s\": ", b->kind->parameter[k]);
        add_number(t, p[k]);
    }
    sg_text_append(t, "}");
}

/* A number, or those of all levels: by name, or as a list. */
static void add_input_slopes(sg_text *t, const sg_encoded_input *in, bool named, const double *slope)
{
    if (in->levels) sg_text_append(t, named ? "{" : "[");
    for (size_t i = 0; i < sg_encoded_input_features(in); i++) {
        if (i) sg_text_append(t, ", ");
        if (in->levels && named) {
            add_level_name(t, in, i);
            sg_text_append(t, ": ");
        }
        add_number(t, slope[in->first_feature + i]);
    }
    if (in->levels) sg_text_append(t, named ? "}" : "]");
}

/* After these come effects. */
static size_t plain_features(const sg_model *m)
{
    return m->encoder ? sg_encoder_base_features(m->encoder) : m->features;
}

static void add_consequent(sg_text *t, const sg_original_units *u, const sg_block *b, size_t r, size_t o, double *slope)
{
    const sg_model *m = u->model;
    double constant;
    sg_original_units_consequent(u, b, r, o, &constant, slope);
    sg_text_append(t, "{\"target\": ");
    sg_text_append_json(t, m->output_name[o]);
    sg_text_append(t, ", \"constant\": ");
    add_number(t, constant);
    sg_text_append(t, ", \"slopes\": {");
    for (size_t k = 0; k < sg_model_inputs(m); k++) {
        if (k) sg_text_append(t, ", ");
        sg_text_append_json(t, sg_model_input_name(m, k));
        sg_text_append(t, ": ");
        if (m->encoder) add_input_slopes(t, &m->encoder->input[k], true, slope);
        else add_number(t, slope[k]);
    }
    for (size_t k = plain_features(m); k < m->features; k++) {
        sg_text_append(t, ", ");
        sg_text_append_json(t, m->feature_name[k]);
        sg_text_append(t, ": ");
        add_number(t, slope[k]);
    }
    sg_text_append(t, "}}");
}

static void add_combination(sg_text *t, const sg_original_units *u, const sg_block *b, const sg_combination *c)
{
    char name[32];
    size_t n = 0, level;
    sg_text_append(t, "{\"sum\": [");
    for (size_t i = 0; i < b->inputs; i++) {
        if (c->weight[i] == 0) continue;
        const sg_encoded_input *category = sg_original_units_category(u, i, &level);
        sg_text_append(t, n++ ? ", {\"input\": " : "{\"input\": ");
        sg_text_append_json(t, category ? category->name : sg_original_units_name(u, i, name, sizeof name));
        if (category) sg_text_append(t, ", \"level\": ");
        if (category) add_level_name(t, category, level);
        sg_text_append(t, ", \"weight\": ");
        add_number(t, c->weight[i]);
        sg_text_append(t, "}");
    }
    sg_text_append(t, "], \"about\": ");
    add_number(t, c->centre);
    sg_text_append(t, ", \"sigma\": ");
    add_number(t, c->sigma);
    sg_text_append(t, "}");
}

/* Those that say something, where the block has any; with "ranks" they are of what the inputs' ranks are in a. */
static void add_combinations(sg_text *t, const sg_original_units *u, const sg_block *b, size_t r)
{
    sg_combination c = {.weight = sg_calloc(b->inputs, sizeof *c.weight)};
    size_t n = 0;
    if (!c.weight) t->failed = true;
    sg_text_append(t, sg_pipeline_is_affine(sg_block_pipeline(u->model, b)) ? "\"combinations\": ["
                                                                            : "\"ranks\": true, \"combinations\": [");
    for (size_t k = 0; c.weight && k < b->rank; k++) {
        if (!sg_original_units_combination(u, b, r, k, &c)) continue;
        if (n++) sg_text_append(t, ", ");
        add_combination(t, u, b, &c);
    }
    sg_text_append(t, "], ");
    free(c.weight);
}

static void add_rule(sg_text *t, const sg_original_units *u, const sg_ranked_rule *g, double *slope)
{
    const sg_block *b = &u->model->block[g->block];
    size_t n = 0, r = g->rule;
    sg_text_append_format(t, "    {\"block\": %zu, \"rule\": %zu, \"if\": [", g->block + 1, r + 1);
    for (size_t i = 0; i < b->inputs; i++) {
        int32_t mf = b->mf_of[r * b->inputs + i];
        if (mf < 0) continue;
        if (n++) sg_text_append(t, ", ");
        add_condition(t, u, b, i, (size_t)mf);
    }
    sg_text_append(t, "], ");
    if (b->rank) add_combinations(t, u, b, r);
    sg_text_append(t, "\"then\": [");
    for (size_t o = 0; o < b->outputs; o++) {
        if (o) sg_text_append(t, ", ");
        add_consequent(t, u, b, r, o, slope);
    }
    sg_text_append(t, "]");
}

/* Those that govern most come first. */
static sg_status add_rules(sg_text *t, const sg_original_units *u, sg_centroid_pd *f, double *slope)
{
    enum { SOME = 64 }; /* are told in detail where all would take too long */
    bool cheap = sg_centroid_pd_affords_rules(f, f->rules);
    sg_status st = SG_OK;
    sg_text_append(t, "  \"rules\": [\n");
    for (size_t i = 0; st == SG_OK && i < f->rules; i++) {
        add_rule(t, u, &f->ranked[i], slope);
        st = sg_rule_trends_json(t, f, &f->ranked[i], cheap || i < SOME);
        sg_text_append(t, i + 1 < f->rules ? "},\n" : "}\n");
    }
    sg_text_append(t, "  ]\n");
    return st;
}

typedef const char *name_fn(const sg_model *m, size_t i);

static void add_names(sg_text *t, const char *key, const sg_model *m, name_fn *name, size_t n)
{
    sg_text_append_format(t, "  \"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        if (i) sg_text_append(t, ", ");
        sg_text_append_json(t, name(m, i));
    }
    sg_text_append(t, "],\n");
}

/* Of the categories, where there are any. */
static void add_levels(sg_text *t, const sg_model *m)
{
    size_t n = 0;
    if (!m->encoder || !sg_encoder_category_count(m->encoder)) return;
    sg_text_append(t, "  \"levels\": {");
    for (size_t i = 0; i < m->encoder->inputs; i++) {
        const sg_encoded_input *in = &m->encoder->input[i];
        if (!in->levels) continue;
        if (n++) sg_text_append(t, ", ");
        sg_text_append_json(t, in->name);
        for (size_t k = 0; k < sg_encoded_input_features(in); k++) {
            sg_text_append(t, k ? ", " : ": [");
            add_level_name(t, in, k);
        }
        sg_text_append(t, "]");
    }
    sg_text_append(t, "},\n");
}

/* What the components mean, where there are any: constant + slopes over the inputs. */
static void add_components(sg_text *t, const sg_original_units *u)
{
    const sg_model *m = u->model;
    size_t n = 0;
    sg_text_append(t, "  \"components\": [");
    for (size_t i = 0; i < m->a.out; i++) {
        if (sg_original_units_input(u, i) >= 0) continue;
        sg_text_append_format(t, "%s\n    {\"name\": \"component %zu\", \"constant\": ", n++ ? "," : "", i + 1);
        add_number(t, u->a_shift[i]);
        sg_text_append(t, ", \"slopes\": [");
        for (size_t k = 0; k < sg_model_inputs(m); k++) {
            const double *slope = u->a + i * m->features;
            if (k) sg_text_append(t, ", ");
            if (m->encoder) add_input_slopes(t, &m->encoder->input[k], false, slope);
            else add_number(t, slope[k]);
        }
        for (size_t k = plain_features(m); k < m->features; k++) {
            sg_text_append(t, ", ");
            add_number(t, u->a[i * m->features + k]);
        }
        sg_text_append(t, "]}");
    }
    sg_text_append(t, n ? "\n  ],\n" : "],\n");
}

static void add_offset(sg_text *t, const sg_model *m)
{
    sg_text_append(t, "  \"offset\": [");
    for (size_t o = 0; o < m->outputs; o++) {
        if (o) sg_text_append(t, ", ");
        add_number(t, m->blocks == 1 ? 0 : m->mean[o] + m->scale[o] * m->y0[o]);
    }
    sg_text_append(t, "],\n");
}

static sg_status write_all(sg_text *t, const sg_original_units *u, sg_centroid_pd *f)
{
    const sg_model *m = u->model;
    double *slope = sg_calloc(m->features, sizeof *slope);
    if (!slope) return sg_fail(SG_ENOMEM, "out of memory for rules");
    sg_text_append(t, "{\n");
    add_names(t, "inputs", m, sg_model_input_name, sg_model_inputs(m));
    add_levels(t, m);
    add_names(t, "targets", m, sg_model_output_name, m->outputs);
    add_components(t, u);
    add_offset(t, m);
    sg_effects_json(t, m);
    sg_clip_json(t, m);
    sg_status st = sg_global_trends_json(t, f);
    if (st == SG_OK) st = sg_interactions_json(t, f);
    if (st == SG_OK) st = add_rules(t, u, f, slope);
    sg_text_append(t, "}\n");
    free(slope);
    if (st != SG_OK) return st;
    return t->failed ? sg_fail(SG_ENOMEM, "out of memory for rules") : SG_OK;
}

sg_status sg_model_describe_json(const sg_model *m, char **out)
{
    sg_original_units u;
    sg_centroid_pd f;
    sg_text t = {0};
    sg_status st = sg_original_units_init(&u, m);
    if (st != SG_OK) return st;
    st = sg_centroid_pd_init(&f, m);
    if (st == SG_OK) st = write_all(&t, &u, &f);
    if (st == SG_OK) *out = t.bytes;
    else sg_text_release(&t);
    sg_centroid_pd_release(&f);
    sg_original_units_release(&u);
    return st;
}
