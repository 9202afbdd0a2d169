/* rules_json.c: the rule base as JSON, in the data's own units, every digit. */
#include "base/memory.h"
#include "base/text.h"
#include "explain/units.h"

#include <math.h>
#include <stdlib.h>

/* Original units may take what a model file can hold beyond the doubles; JSON has no infinity. */
static void number(sg_text *t, double value)
{
    if (isfinite(value)) sg_text_number(t, value);
    else sg_text_add(t, "null");
}

static void condition(sg_text *t, const sg_units *u, const sg_block *b, size_t i, size_t mf)
{
    char name[32];
    double p[SG_MF_PARAMETERS];
    const char *label = sg_term_label(b, mf);
    sg_text_add(t, "{\"input\": ");
    sg_text_json(t, sg_units_name(u, i, name, sizeof name));
    if (label) sg_text_format(t, ", \"is\": \"%s\"", label);
    sg_text_format(t, ", \"mf\": \"%s\"", b->kind->name);
    sg_units_mf(u, b, mf, p);
    for (size_t k = 0; k < b->kind->arity; k++) {
        sg_text_format(t, ", \"%s\": ", b->kind->parameter[k]);
        number(t, p[k]);
    }
    sg_text_add(t, "}");
}

static void conclusion(sg_text *t, const sg_units *u, const sg_block *b, size_t r, size_t o,
                       double *slope)
{
    const sg_model *m = u->model;
    double constant;
    sg_units_consequent(u, b, r, o, &constant, slope);
    sg_text_add(t, "{\"target\": ");
    sg_text_json(t, m->output_name[o]);
    sg_text_add(t, ", \"constant\": ");
    number(t, constant);
    sg_text_add(t, ", \"slopes\": {");
    for (size_t k = 0; k < m->inputs; k++) {
        if (k) sg_text_add(t, ", ");
        sg_text_json(t, m->input_name[k]);
        sg_text_add(t, ": ");
        number(t, slope[k]);
    }
    sg_text_add(t, "}}");
}

static void rule(sg_text *t, const sg_units *u, size_t block, size_t r, double *slope)
{
    const sg_block *b = &u->model->block[block];
    size_t n = 0;
    sg_text_format(t, "    {\"block\": %zu, \"rule\": %zu, \"if\": [", block + 1, r + 1);
    for (size_t i = 0; i < b->inputs; i++) {
        int32_t mf = b->mf_of[r * b->inputs + i];
        if (mf < 0) continue;
        if (n++) sg_text_add(t, ", ");
        condition(t, u, b, i, (size_t)mf);
    }
    sg_text_add(t, "], \"then\": [");
    for (size_t o = 0; o < b->outputs; o++) {
        if (o) sg_text_add(t, ", ");
        conclusion(t, u, b, r, o, slope);
    }
    sg_text_add(t, "]}");
}

static void names(sg_text *t, const char *key, char *const *name, size_t n)
{
    sg_text_format(t, "  \"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        if (i) sg_text_add(t, ", ");
        sg_text_json(t, name[i]);
    }
    sg_text_add(t, "],\n");
}

/* What the components mean, where there are any: constant + slopes over the inputs. */
static void components(sg_text *t, const sg_units *u)
{
    const sg_model *m = u->model;
    size_t n = 0;
    sg_text_add(t, "  \"components\": [");
    for (size_t i = 0; i < m->a.out; i++) {
        if (sg_units_input(u, i) >= 0) continue;
        sg_text_format(t, "%s\n    {\"name\": \"component %zu\", \"constant\": ", n++ ? "," : "", i + 1);
        number(t, u->a_shift[i]);
        sg_text_add(t, ", \"slopes\": [");
        for (size_t k = 0; k < m->inputs; k++) {
            if (k) sg_text_add(t, ", ");
            number(t, u->a[i * m->inputs + k]);
        }
        sg_text_add(t, "]}");
    }
    sg_text_add(t, n ? "\n  ],\n" : "],\n");
}

static void start_value(sg_text *t, const sg_model *m)
{
    sg_text_add(t, "  \"offset\": [");
    for (size_t o = 0; o < m->outputs; o++) {
        if (o) sg_text_add(t, ", ");
        number(t, m->blocks == 1 ? 0 : m->mean[o] + m->scale[o] * m->y0[o]);
    }
    sg_text_add(t, "],\n");
}

sg_status sg_model_describe_json(const sg_model *m, char **out)
{
    sg_units u;
    sg_text t = {0};
    double *slope = sg_alloc(m->inputs, sizeof *slope);
    sg_status st = slope ? sg_units_init(&u, m) : sg_fail(SG_ENOMEM, "out of memory for rules");
    if (st != SG_OK) {
        free(slope);
        return st;
    }
    sg_text_add(&t, "{\n");
    names(&t, "inputs", m->input_name, m->inputs);
    names(&t, "targets", m->output_name, m->outputs);
    components(&t, &u);
    start_value(&t, m);
    sg_text_add(&t, "  \"rules\": [\n");
    for (size_t b = 0, left = sg_model_rules(m); b < m->blocks; b++)
        for (size_t r = 0; r < m->block[b].rules; r++) {
            rule(&t, &u, b, r, slope);
            sg_text_add(&t, --left ? ",\n" : "\n");
        }
    sg_text_add(&t, "  ]\n}\n");
    sg_units_release(&u);
    free(slope);
    if (t.failed) {
        sg_text_release(&t);
        return sg_fail(SG_ENOMEM, "out of memory for rules");
    }
    *out = t.bytes;
    return SG_OK;
}
