/* explain_json.c: an explanation as JSON, every digit of every term. */
#include "base/text.h"
#include "explain/row/explainer.h"

#include <math.h>
#include <stdlib.h>

static void add_member(sg_text *t, const char *name, double value)
{
    sg_text_append_format(t, ", \"%s\": ", name);
    if (isnan(value)) sg_text_append(t, "null");
    else sg_text_append_number(t, value);
}

static void add_level(sg_text *t, const sg_encoded_input *in, double value)
{
    bool listed = value < (double)sg_encoded_input_features(in); /* not where it is missing */
    char *name = listed ? sg_encoded_input_level_name(in, (size_t)value) : NULL;
    sg_text_append(t, ", \"value\": ");
    if (name) sg_text_append_json(t, name);
    else sg_text_append(t, "null");
    if (isnan(value)) sg_text_append(t, ", \"missing\": true");
    if (listed && !name) t->failed = true;
    free(name);
}

static void add_input(sg_text *t, const sg_explainer *e, const sg_explanation *x, const sg_term *term, size_t k)
{
    if (isnan(term->mean)) {
        add_level(t, &e->model->encoder->input[term->input], x->value[k]);
        return;
    }
    add_member(t, "value", x->value[k]);
    if (x->effective_value[k] != x->value[k]) add_member(t, "counts_as", x->effective_value[k]);
    add_member(t, "mean", term->mean);
    add_member(t, "slope", x->slope[k]);
}

static void add_rule(sg_text *t, const sg_explanation *x, const sg_term *term, size_t number)
{
    sg_text_append_format(t, ", \"block\": %zu, \"rule\": %zu", term->block + 1, term->rule + 1);
    add_member(t, "firing", x->firing[number]);
    add_member(t, "says", x->rule_output[number]);
}

/* Rules that do not fire add nothing. */
static void add_terms(sg_text *t, const sg_explainer *e, const sg_explanation *x, sg_grouping by)
{
    const double *value = by == SG_BY_RULE ? x->by_rule : x->by_input;
    size_t told = 0, number = 0;
    for (size_t i = 0; i < e->terms[by]; i++) {
        const sg_term *term = &e->term[by][i];
        size_t here = term->kind == SG_TERM_RULE || term->kind == SG_TERM_INPUT ? number++ : 0;
        if (term->kind == SG_TERM_RULE && x->firing[here] == 0 && value[i] == 0) continue;
        sg_text_append(t, told++ ? ",\n      {\"term\": " : "\n      {\"term\": ");
        sg_text_append_json(t, term->name);
        if (term->kind == SG_TERM_RULE) add_rule(t, x, term, here);
        if (term->kind == SG_TERM_INPUT) add_input(t, e, x, term, here);
        add_member(t, "adds", value[i]);
        sg_text_append(t, "}");
    }
}

static void add_output(sg_text *t, const sg_explainer *e, size_t o)
{
    const sg_explanation *x = &e->out[o];
    sg_text_append(t, "    {\"target\": ");
    sg_text_append_json(t, e->model->output_name[o]);
    add_member(t, "prediction", x->prediction);
    sg_text_append(t, ",\n    \"by_rule\": [");
    add_terms(t, e, x, SG_BY_RULE);
    sg_text_append(t, "],\n    \"by_input\": [");
    add_terms(t, e, x, SG_BY_INPUT);
    sg_text_append(t, "]}");
}

sg_status sg_explainer_json(const sg_explainer *e, size_t row, char **out)
{
    sg_text t = {0};
    sg_text_append(&t, "{");
    if (row) sg_text_append_format(&t, "\"row\": %zu,", row);
    sg_text_append(&t, row ? " \"targets\": [\n" : "\"targets\": [\n");
    for (size_t o = 0; o < e->model->outputs; o++) {
        add_output(&t, e, o);
        sg_text_append(&t, o + 1 < e->model->outputs ? ",\n" : "\n");
    }
    sg_text_append(&t, "  ]}\n");
    if (t.failed) {
        sg_text_release(&t);
        return sg_fail(SG_ENOMEM, "out of memory for an explanation");
    }
    *out = t.bytes;
    return SG_OK;
}
