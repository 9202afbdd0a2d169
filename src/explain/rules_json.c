/* rules_json.c: the rule base as JSON, in the data's own units, every digit. */
#include "base/memory.h"
#include "base/text.h"
#include "explain/conditions.h"
#include "explain/effects_shown.h"
#include "explain/joint.h"
#include "explain/limits.h"
#include "explain/sentences.h"

#include <math.h>
#include <stdlib.h>

/* Original units may take what a model file can hold beyond the doubles; JSON has no infinity. */
static void number(sg_text *t, double value)
{
    if (isfinite(value)) sg_text_number(t, value);
    else sg_text_add(t, "null");
}

static void level_name(sg_text *t, const sg_coded *category, size_t level)
{
    char *name = sg_coded_level(category, level);
    if (name) sg_text_json(t, name);
    else t->failed = true;
    free(name);
}

/* Of a category: which level, and whether it is that one; null where the rule fires either way. */
static void condition_on_level(sg_text *t, const sg_coded *category, size_t level, sg_verdict verdict)
{
    sg_text_json(t, category->name);
    sg_text_add(t, ", \"level\": ");
    level_name(t, category, level);
    sg_text_format(t, ", \"is\": %s", verdict == SG_EITHER ? "null" : verdict > SG_EITHER ? "true" : "false");
}

static void condition(sg_text *t, const sg_units *u, const sg_block *b, size_t i, size_t mf)
{
    char name[32];
    double p[SG_MF_PARAMETERS];
    size_t level;
    const sg_coded *category = sg_units_level(u, i, &level);
    const char *label = category ? NULL : sg_condition_label(u, b, mf);
    sg_text_add(t, "{\"input\": ");
    if (category) condition_on_level(t, category, level, sg_units_verdict(u, b, mf));
    else sg_text_json(t, sg_units_name(u, i, name, sizeof name));
    if (label) sg_text_format(t, ", \"is\": \"%s\"", label);
    if (!sg_units_matters(u, b, mf)) sg_text_add(t, ", \"matters\": false");
    sg_text_format(t, ", \"mf\": \"%s\"", b->kind->name);
    sg_units_mf(u, b, mf, p);
    for (size_t k = 0; k < b->kind->arity; k++) {
        sg_text_format(t, ", \"%s\": ", b->kind->parameter[k]);
        number(t, p[k]);
    }
    sg_text_add(t, "}");
}

/* A number, or those of all levels: by name, or as a list. */
static void slopes_of_input(sg_text *t, const sg_coded *in, bool named, const double *slope)
{
    if (in->levels) sg_text_add(t, named ? "{" : "[");
    for (size_t i = 0; i < sg_coded_features(in); i++) {
        if (i) sg_text_add(t, ", ");
        if (in->levels && named) {
            level_name(t, in, i);
            sg_text_add(t, ": ");
        }
        number(t, slope[in->first + i]);
    }
    if (in->levels) sg_text_add(t, named ? "}" : "]");
}

/* After these come effects. */
static size_t plain_features(const sg_model *m) { return m->coding ? sg_coding_plain(m->coding) : m->inputs; }

static void conclusion(sg_text *t, const sg_units *u, const sg_block *b, size_t r, size_t o, double *slope)
{
    const sg_model *m = u->model;
    double constant;
    sg_units_consequent(u, b, r, o, &constant, slope);
    sg_text_add(t, "{\"target\": ");
    sg_text_json(t, m->output_name[o]);
    sg_text_add(t, ", \"constant\": ");
    number(t, constant);
    sg_text_add(t, ", \"slopes\": {");
    for (size_t k = 0; k < sg_model_inputs(m); k++) {
        if (k) sg_text_add(t, ", ");
        sg_text_json(t, sg_model_input_name(m, k));
        sg_text_add(t, ": ");
        if (m->coding) slopes_of_input(t, &m->coding->input[k], true, slope);
        else number(t, slope[k]);
    }
    for (size_t k = plain_features(m); k < m->inputs; k++) {
        sg_text_add(t, ", ");
        sg_text_json(t, m->input_name[k]);
        sg_text_add(t, ": ");
        number(t, slope[k]);
    }
    sg_text_add(t, "}}");
}

static void combination(sg_text *t, const sg_units *u, const sg_block *b, const sg_combination *c)
{
    char name[32];
    size_t n = 0, level;
    sg_text_add(t, "{\"sum\": [");
    for (size_t i = 0; i < b->inputs; i++) {
        if (c->weight[i] == 0) continue;
        const sg_coded *category = sg_units_level(u, i, &level);
        sg_text_add(t, n++ ? ", {\"input\": " : "{\"input\": ");
        sg_text_json(t, category ? category->name : sg_units_name(u, i, name, sizeof name));
        if (category) sg_text_add(t, ", \"level\": ");
        if (category) level_name(t, category, level);
        sg_text_add(t, ", \"weight\": ");
        number(t, c->weight[i]);
        sg_text_add(t, "}");
    }
    sg_text_add(t, "], \"about\": ");
    number(t, c->about);
    sg_text_add(t, ", \"sigma\": ");
    number(t, c->sigma);
    sg_text_add(t, "}");
}

/* Those that say something, where the block has any; with "ranks" they are of what the inputs' ranks are in a. */
static void combinations(sg_text *t, const sg_units *u, const sg_block *b, size_t r)
{
    sg_combination c = {.weight = sg_alloc(b->inputs, sizeof *c.weight)};
    size_t n = 0;
    if (!c.weight) t->failed = true;
    sg_text_add(t, sg_view_is_affine(sg_block_view(u->model, b)) ? "\"combinations\": ["
                                                                 : "\"ranks\": true, \"combinations\": [");
    for (size_t k = 0; c.weight && k < b->rank; k++) {
        if (!sg_units_combination(u, b, r, k, &c)) continue;
        if (n++) sg_text_add(t, ", ");
        combination(t, u, b, &c);
    }
    sg_text_add(t, "], ");
    free(c.weight);
}

static void rule(sg_text *t, const sg_units *u, const sg_governor *g, double *slope)
{
    const sg_block *b = &u->model->block[g->block];
    size_t n = 0, r = g->rule;
    sg_text_format(t, "    {\"block\": %zu, \"rule\": %zu, \"if\": [", g->block + 1, r + 1);
    for (size_t i = 0; i < b->inputs; i++) {
        int32_t mf = b->mf_of[r * b->inputs + i];
        if (mf < 0) continue;
        if (n++) sg_text_add(t, ", ");
        condition(t, u, b, i, (size_t)mf);
    }
    sg_text_add(t, "], ");
    if (b->rank) combinations(t, u, b, r);
    sg_text_add(t, "\"then\": [");
    for (size_t o = 0; o < b->outputs; o++) {
        if (o) sg_text_add(t, ", ");
        conclusion(t, u, b, r, o, slope);
    }
    sg_text_add(t, "]");
}

/* Those that govern most come first. */
static sg_status rules(sg_text *t, const sg_units *u, sg_findings *f, double *slope)
{
    enum { SOME = 64 }; /* are told in detail where all would take too long */
    bool cheap = sg_findings_cheap(f, f->rules);
    sg_status st = SG_OK;
    sg_text_add(t, "  \"rules\": [\n");
    for (size_t i = 0; st == SG_OK && i < f->rules; i++) {
        rule(t, u, &f->rule[i], slope);
        st = sg_there_json(t, f, &f->rule[i], cheap || i < SOME);
        sg_text_add(t, i + 1 < f->rules ? "},\n" : "}\n");
    }
    sg_text_add(t, "  ]\n");
    return st;
}

typedef const char *name_fn(const sg_model *m, size_t i);

static void names(sg_text *t, const char *key, const sg_model *m, name_fn *name, size_t n)
{
    sg_text_format(t, "  \"%s\": [", key);
    for (size_t i = 0; i < n; i++) {
        if (i) sg_text_add(t, ", ");
        sg_text_json(t, name(m, i));
    }
    sg_text_add(t, "],\n");
}

/* Of the categories, where there are any. */
static void levels(sg_text *t, const sg_model *m)
{
    size_t n = 0;
    if (!m->coding || !sg_coding_categories(m->coding)) return;
    sg_text_add(t, "  \"levels\": {");
    for (size_t i = 0; i < m->coding->inputs; i++) {
        const sg_coded *in = &m->coding->input[i];
        if (!in->levels) continue;
        if (n++) sg_text_add(t, ", ");
        sg_text_json(t, in->name);
        for (size_t k = 0; k < sg_coded_features(in); k++) {
            sg_text_add(t, k ? ", " : ": [");
            level_name(t, in, k);
        }
        sg_text_add(t, "]");
    }
    sg_text_add(t, "},\n");
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
        for (size_t k = 0; k < sg_model_inputs(m); k++) {
            const double *slope = u->a + i * m->inputs;
            if (k) sg_text_add(t, ", ");
            if (m->coding) slopes_of_input(t, &m->coding->input[k], false, slope);
            else number(t, slope[k]);
        }
        for (size_t k = plain_features(m); k < m->inputs; k++) {
            sg_text_add(t, ", ");
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

static sg_status write_all(sg_text *t, const sg_units *u, sg_findings *f)
{
    const sg_model *m = u->model;
    double *slope = sg_alloc(m->inputs, sizeof *slope);
    if (!slope) return sg_fail(SG_ENOMEM, "out of memory for rules");
    sg_text_add(t, "{\n");
    names(t, "inputs", m, sg_model_input_name, sg_model_inputs(m));
    levels(t, m);
    names(t, "targets", m, sg_model_output_name, m->outputs);
    components(t, u);
    start_value(t, m);
    sg_effects_json(t, m);
    sg_limits_json(t, m);
    sg_status st = sg_overall_json(t, f);
    if (st == SG_OK) st = sg_joint_json(t, f);
    if (st == SG_OK) st = rules(t, u, f, slope);
    sg_text_add(t, "}\n");
    free(slope);
    if (st != SG_OK) return st;
    return t->failed ? sg_fail(SG_ENOMEM, "out of memory for rules") : SG_OK;
}

sg_status sg_model_describe_json(const sg_model *m, char **out)
{
    sg_units u;
    sg_findings f;
    sg_text t = {0};
    sg_status st = sg_units_init(&u, m);
    if (st != SG_OK) return st;
    st = sg_findings_init(&f, m);
    if (st == SG_OK) st = write_all(&t, &u, &f);
    if (st == SG_OK) *out = t.bytes;
    else sg_text_release(&t);
    sg_findings_release(&f);
    sg_units_release(&u);
    return st;
}
