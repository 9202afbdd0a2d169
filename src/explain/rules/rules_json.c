/* rules_json.c: writes the rule base as JSON, in original units and at full precision. */
#include "base/json_append.h"
#include "base/memory.h"
#include "explain/additive/additive_text.h"
#include "explain/global/interaction_tables.h"
#include "explain/global/trends_text.h"
#include "explain/rules/rules_text.h"

#include <stdlib.h>

static void add_level_name(sg_text *t, const sg_encoded_input *category, size_t level)
{
    char *name = sg_encoded_input_level_name(category, level);
    if (name) sg_text_append_json(t, name);
    else t->failed = true;
    free(name);
}

/* --- rules --- */

/* Writes "is" as null if the rule fires about equally for this level and for the others. */
static void add_level_condition(sg_text *t, const sg_encoded_input *category, size_t level, sg_level_answer answer)
{
    sg_json_append(t, "%s, \"level\": ", category->name);
    add_level_name(t, category, level);
    sg_text_append_format(t, ", \"is\": %s",
                          answer == SG_ANSWER_EITHER  ? "null"
                          : answer > SG_ANSWER_EITHER ? "true"
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
    if (label) sg_json_append(t, ", \"is\": %s", label);
    if (!sg_original_units_condition_matters(u, b, mf)) sg_text_append(t, ", \"matters\": false");
    sg_json_append(t, ", \"mf\": %s", b->kind->name);
    sg_original_units_mf(u, b, mf, p);
    for (size_t k = 0; k < b->kind->arity; k++) sg_json_append(t, ", %s: %g", b->kind->parameter[k], p[k]);
    sg_text_append(t, "}");
}

/* Writes a number or, for a category, an object with a member per level (if `named`) or an array. */
static void add_input_slope(sg_text *t, const sg_model *m, size_t input, bool named, const double *slope)
{
    const sg_encoded_input *in = sg_model_levels(m, input) ? &m->encoder->input[input] : NULL;
    slope += sg_model_first_feature(m, input);
    if (!in) sg_json_append(t, "%g", *slope);
    else if (!named) sg_json_append_numbers(t, slope, sg_encoded_input_features(in), 1);
    for (size_t i = 0; in && named && i < sg_encoded_input_features(in); i++) {
        sg_text_append(t, i ? ", " : "{");
        add_level_name(t, in, i);
        sg_json_append(t, ": %g", slope[i]);
    }
    if (in && named) sg_text_append(t, "}");
}

/* Writes the slopes of all inputs, then those of the effects. */
static void add_slopes(sg_text *t, const sg_model *m, bool named, const double *slope)
{
    for (size_t k = 0; k < sg_model_inputs(m); k++) {
        if (k) sg_text_append(t, ", ");
        if (named) sg_json_append(t, "%s: ", sg_model_input_name(m, k));
        add_input_slope(t, m, k, named, slope);
    }
    for (size_t k = m->encoder ? sg_encoder_base_features(m->encoder) : m->features; k < m->features; k++) {
        sg_text_append(t, ", ");
        if (named) sg_json_append(t, "%s: ", m->feature_name[k]);
        sg_json_append(t, "%g", slope[k]);
    }
}

static void add_consequent(sg_text *t, const sg_original_units *u, const sg_block *b, size_t r, size_t o, double *slope)
{
    double constant;
    sg_original_units_consequent(u, b, r, o, &constant, slope);
    sg_json_append(t, "{\"target\": %s, \"constant\": %g, \"slopes\": {", u->model->output_name[o], constant);
    add_slopes(t, u->model, true, slope);
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
        sg_json_append(t, ", \"weight\": %g}", c->weight[i]);
    }
    sg_json_append(t, "], \"about\": %g, \"sigma\": %g}", c->centre, c->sigma);
}

/* Writes the combinations of a rule. With "ranks", they combine transformed ranks. */
static void add_combinations(sg_text *t, const sg_original_units *u, const sg_block *b, size_t r)
{
    sg_combination c = {.weight = sg_calloc(b->inputs, sizeof *c.weight)};
    size_t n = 0;
    if (!c.weight) t->failed = true;
    if (!sg_pipeline_is_affine(sg_block_pipeline(u->model, b))) sg_text_append(t, "\"ranks\": true, ");
    sg_text_append(t, "\"combinations\": [");
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
    sg_json_append(t, "    {\"block\": %zu, \"rule\": %zu, \"if\": [", g->block + 1, r + 1);
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

static sg_status add_rules(sg_text *t, const sg_original_units *u, sg_centroid_pd *f)
{
    enum { DETAILED_RULES = 64 }; /* rules that get trends if the trends of all rules would take too long */
    bool cheap = sg_centroid_pd_affords_rules(f, f->rules);
    double *slope = sg_calloc(u->model->features, sizeof *slope);
    sg_status st = slope ? SG_OK : sg_fail_out_of_memory("the description of rules");
    sg_text_append(t, "  \"rules\": [\n");
    for (size_t i = 0; st == SG_OK && i < f->rules; i++) {
        add_rule(t, u, &f->ranked[i], slope);
        st = sg_rule_trends_json(t, f, &f->ranked[i], cheap || i < DETAILED_RULES);
        sg_text_append(t, i + 1 < f->rules ? "},\n" : "}\n");
    }
    sg_text_append(t, "  ]\n");
    free(slope);
    return st;
}

/* --- model --- */

typedef const char *name_fn(const sg_model *m, size_t i);

static void add_names(sg_text *t, const char *key, const sg_model *m, name_fn *name, size_t n)
{
    sg_json_append(t, "  %s: [", key);
    for (size_t i = 0; i < n; i++) sg_json_append(t, i ? ", %s" : "%s", name(m, i));
    sg_text_append(t, "],\n");
}

static void add_levels(sg_text *t, const sg_model *m)
{
    size_t n = 0;
    if (!m->encoder || !sg_encoder_category_count(m->encoder)) return;
    sg_text_append(t, "  \"levels\": {");
    for (size_t i = 0; i < m->encoder->inputs; i++) {
        const sg_encoded_input *in = &m->encoder->input[i];
        if (!in->levels) continue;
        sg_json_append(t, n++ ? ", %s" : "%s", in->name);
        for (size_t k = 0; k < sg_encoded_input_features(in); k++) {
            sg_text_append(t, k ? ", " : ": [");
            add_level_name(t, in, k);
        }
        sg_text_append(t, "]");
    }
    sg_text_append(t, "},\n");
}

/* Writes each principal component as a constant and the slopes of the inputs. */
static void add_components(sg_text *t, const sg_original_units *u)
{
    const sg_model *m = u->model;
    size_t n = 0;
    sg_text_append(t, "  \"components\": [");
    for (size_t i = 0; i < m->a.out; i++) {
        if (sg_original_units_input(u, i) >= 0) continue;
        sg_text_append_format(t, "%s\n    {\"name\": \"component %zu\"", n++ ? "," : "", i + 1);
        sg_json_append(t, ", \"constant\": %g, \"slopes\": [", u->a_shift[i]);
        add_slopes(t, m, false, u->a + i * m->features);
        sg_text_append(t, "]}");
    }
    sg_text_append(t, n ? "\n  ],\n" : "],\n");
}

static void add_offset(sg_text *t, const sg_model *m)
{
    sg_text_append(t, "  \"offset\": [");
    for (size_t o = 0; o < m->outputs; o++)
        sg_json_append(t, o ? ", %g" : "%g", sg_model_is_sum(m) ? sg_model_constant(m, o) : 0);
    sg_text_append(t, "],\n");
}

static void add_effects(sg_text *t, const sg_model *m)
{
    if (!m->encoder || !m->encoder->effects) return;
    sg_text_append(t, "  \"effects\": [");
    for (size_t i = 0; i < m->encoder->effects; i++) {
        const sg_effect *e = &m->encoder->effect[i];
        sg_json_append(t, i ? ",\n    {\"of\": %s" : "\n    {\"of\": %s", m->encoder->input[e->input].name);
        sg_json_append_list(t, "edges", e->edge, e->bins - 1);
        sg_json_append_list(t, "bins", e->bin_effect, e->bins);
        sg_json_append_list(t, "values", e->value, e->values);
        sg_json_append_list(t, "effects", e->value_effect, e->values);
        sg_text_append(t, "}");
    }
    sg_text_append(t, "\n  ],\n");
}

static void add_input_clamp(sg_text *t, const sg_model *m)
{
    const sg_transform *clamp = sg_pipeline_input_clamp(&m->a);
    size_t n = 0;
    if (!clamp) return;
    sg_text_append(t, "  \"inputs_within\": {");
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        size_t k = sg_model_first_feature(m, i);
        if (sg_model_levels(m, i)) continue;
        sg_json_append(t, n++ ? ", %s: [%g, %g]" : "%s: [%g, %g]", sg_model_input_name(m, i), clamp->parameter[0][k],
                       clamp->parameter[1][k]);
    }
    sg_text_append(t, "},\n");
}

static void add_output_clip(sg_text *t, const sg_model *m)
{
    bool any = false;
    for (size_t o = 0; o < m->outputs; o++) any = any || sg_model_is_clipped(m, o);
    if (!any) return;
    sg_text_append(t, "  \"predictions_within\": [");
    for (size_t o = 0; o < m->outputs; o++) {
        if (o) sg_text_append(t, ", ");
        if (sg_model_is_clipped(m, o)) sg_json_append(t, "[%g, %g]", m->clip_low[o], m->clip_high[o]);
        else sg_text_append(t, "null");
    }
    sg_text_append(t, "],\n");
}

sg_status sg_rules_json(sg_text *t, const sg_original_units *u, sg_centroid_pd *f)
{
    const sg_model *m = u->model;
    sg_text_append(t, "{\n");
    add_names(t, "inputs", m, sg_model_input_name, sg_model_inputs(m));
    add_levels(t, m);
    add_names(t, "targets", m, sg_model_output_name, m->outputs);
    add_components(t, u);
    add_offset(t, m);
    add_effects(t, m);
    add_input_clamp(t, m);
    add_output_clip(t, m);
    sg_status st = sg_additive_json(t, m);
    if (st == SG_OK) st = sg_global_trends_json(t, f);
    if (st == SG_OK) st = sg_interactions_json(t, f);
    if (st == SG_OK) st = add_rules(t, u, f);
    sg_text_append(t, "}\n");
    return st;
}
