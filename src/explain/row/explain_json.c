/* explain_json.c: writes an explanation as JSON, with every term at full precision. */
#include "base/json_append.h"
#include "explain/additive/curve_term_names.h"
#include "explain/row/explainer_state.h"

#include <math.h>
#include <stdlib.h>

static void add_level(sg_text *t, const sg_encoded_input *in, double value)
{
    bool known = value < (double)sg_encoded_input_features(in); /* false if it is missing or an unknown level */
    char *name = known ? sg_encoded_input_level_name(in, (size_t)value) : NULL;
    if (name) sg_json_append(t, ", \"value\": %s", name);
    else sg_text_append(t, ", \"value\": null");
    if (isnan(value)) sg_text_append(t, ", \"missing\": true");
    if (known && !name) t->failed = true;
    free(name);
}

static void add_input(sg_text *t, const sg_explainer *e, const sg_explanation *x, const sg_term *term, size_t k)
{
    if (isnan(term->mean)) {
        add_level(t, &e->model->encoder->input[term->input], x->value[k]);
        return;
    }
    sg_json_append(t, ", \"value\": %g", x->value[k]);
    if (x->effective_value[k] != x->value[k]) sg_json_append(t, ", \"counts_as\": %g", x->effective_value[k]);
    sg_json_append(t, ", \"mean\": %g, \"slope\": %g", term->mean, x->slope[k]);
}

static void add_curve(sg_text *t, const sg_explainer *e, const sg_explanation *x, const sg_term *term)
{
    const sg_curve *c = &e->model->additive->curve[term->part];
    double value = x->value[e->input_terms + term->part], effective = x->effective_value[e->input_terms + term->part];
    sg_text_append(t, ", \"kind\": \"curve\"");
    if (c->is_category) {
        add_level(t, &e->model->encoder->input[c->input], value);
        return;
    }
    sg_json_append(t, ", \"value\": %g", value);
    if (isnan(value)) sg_text_append(t, ", \"missing\": true");
    else if (effective != value) sg_json_append(t, ", \"counts_as\": %g", effective);
    const char *name = isnan(value) ? NULL : sg_curve_cell_name(c, sg_curve_nearest_cell(c, value));
    if (name) sg_json_append(t, ", \"is\": %s", name);
}

static void add_pair(sg_text *t, const sg_model *m, size_t pair)
{
    const sg_pair *p = &m->additive->pair[pair];
    sg_text_append(t, ", \"kind\": \"pair\"");
    sg_json_append(t, ", \"inputs\": [%s, %s]", sg_model_input_name(m, m->additive->curve[p->curve[0]].input),
                   sg_model_input_name(m, m->additive->curve[p->curve[1]].input));
}

/* Adds the terms of a grouping, except those of rules that do not fire. */
static void add_terms(sg_text *t, const sg_explainer *e, const sg_explanation *x, sg_grouping by)
{
    const double *value = by == SG_BY_RULE ? x->by_rule : x->by_input;
    size_t written = 0, number = 0;
    for (size_t i = 0; i < e->terms[by]; i++) {
        const sg_term *term = &e->term[by][i];
        size_t k = term->kind == SG_TERM_RULE || term->kind == SG_TERM_INPUT ? number++ : 0;
        if (term->kind == SG_TERM_RULE && x->firing[k] == 0 && value[i] == 0) continue;
        sg_json_append(t, written++ ? ",\n      {\"term\": %s" : "\n      {\"term\": %s", term->name);
        if (term->kind == SG_TERM_RULE)
            sg_json_append(t, ", \"block\": %zu, \"rule\": %zu, \"firing\": %g, \"says\": %g", term->block + 1,
                           term->rule + 1, x->firing[k], x->rule_output[k]);
        if (term->kind == SG_TERM_INPUT) add_input(t, e, x, term, k);
        if (term->kind == SG_TERM_CURVE) add_curve(t, e, x, term);
        if (term->kind == SG_TERM_PAIR) add_pair(t, e->model, term->part);
        sg_json_append(t, ", \"adds\": %g}", value[i]);
    }
}

sg_status sg_explainer_json(const sg_explainer *e, size_t row, char **out)
{
    sg_text t = {0};
    sg_text_append(&t, "{");
    if (row) sg_json_append(&t, "\"row\": %zu, ", row);
    sg_text_append(&t, "\"targets\": [\n");
    for (size_t o = 0; o < e->model->outputs; o++) {
        const sg_explanation *x = &e->out[o];
        sg_json_append(&t, "    {\"target\": %s, \"prediction\": %g,\n    \"by_rule\": [", e->model->output_name[o],
                       x->prediction);
        add_terms(&t, e, x, SG_BY_RULE);
        sg_text_append(&t, "],\n    \"by_input\": [");
        add_terms(&t, e, x, SG_BY_INPUT);
        sg_text_append(&t, o + 1 < e->model->outputs ? "]},\n" : "]}\n");
    }
    sg_text_append(&t, "  ]}\n");
    return sg_text_finish(&t, "an explanation", out);
}
