/* effect_tables_json.c: reads and writes the effects in a model file, which are piecewise constant tables. */
#include "base/json_append.h"
#include "io/model_json_parts.h"

#include <string.h>

bool sg_model_effects_exist(const sg_json_value *root) { return sg_json_has(root, "effects"); }

/* --- effects: reading --- */

/* Finds the numeric input that an effect names. Fails if it already has an effect. */
static sg_status find_input(const sg_json_value *item, const sg_encoder *c, size_t *out)
{
    const char *name;
    sg_status st = sg_json_string(item, "of", &name);
    if (st != SG_OK) return st;
    for (*out = 0; *out < c->inputs && strcmp(c->input[*out].name, name) != 0;) ++*out;
    if (*out == c->inputs || c->input[*out].levels)
        return sg_fail(SG_EDATA, "%s.of: expected the name of a numeric input", item->path);
    for (size_t i = 0; i < c->effects; i++)
        if (c->effect[i].input == *out) return sg_fail(SG_EDATA, "%s.of: this input already has an effect", item->path);
    return SG_OK;
}

static sg_status read_effect(const sg_json_value *item, sg_encoder *c)
{
    sg_json_value edges, values;
    sg_effect e;
    size_t input;
    sg_status st = find_input(item, c, &input);
    if (st == SG_OK) st = sg_json_array(item, "edges", 0, SG_EFFECT_MAX_BINS - 1, "numbers", &edges);
    if (st == SG_OK) st = sg_json_array(item, "values", 0, SG_EFFECT_MAX_VALUES, "numbers", &values);
    if (st != SG_OK) return st;
    size_t n = sg_json_array_size(&values), k = sg_json_array_size(&edges);
    if (!sg_effect_init(&e, input, k + 1, n)) return sg_fail(SG_ENOMEM, "%s: out of memory", item->path);
    st = sg_json_numbers(&edges, k, e.edge, 1);
    if (st == SG_OK) st = sg_json_member_numbers(item, "bins", k + 1, e.bin_effect);
    if (st == SG_OK) st = sg_json_numbers(&values, n, e.value, 1);
    if (st == SG_OK) st = sg_json_member_numbers(item, "effects", n, e.value_effect);
    const char *wrong = st == SG_OK ? sg_effect_validate(&e) : NULL;
    if (wrong) st = sg_fail(SG_EDATA, "%s: %s", item->path, wrong);
    if (st == SG_OK) return sg_encoder_add_effect(c, &e);
    sg_effect_release(&e);
    return st;
}

sg_status sg_model_effects_read(const sg_json_value *root, sg_encoder *c)
{
    sg_json_value list, item;
    if (!sg_model_effects_exist(root)) return SG_OK;
    sg_status st = sg_json_member(root, "effects", JSON_ARRAY, &list);
    for (size_t i = 0; st == SG_OK && i < sg_json_array_size(&list); i++) {
        st = sg_json_item(&list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = read_effect(&item, c);
    }
    return st;
}

sg_status sg_model_effects_read_ranges(const sg_json_value *root, sg_model *m)
{
    sg_json_value list, item;
    size_t n = m->encoder ? m->encoder->effects : 0;
    sg_status st = n ? sg_json_member(root, "effects", JSON_ARRAY, &list) : SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        size_t k = sg_encoder_base_features(m->encoder) + i;
        st = sg_json_item(&list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = sg_json_range(&item, &m->low[k], &m->high[k]);
        if (st == SG_OK) st = sg_json_number(&item, "mean", &m->feature_mean[k]);
    }
    return st;
}

/* --- effects: writing --- */

static void write_list(sg_text *t, const char *name, const double *x, size_t n)
{
    sg_text_append(t, ",\n    ");
    sg_json_append(t, " %s: ", name);
    sg_json_append_numbers(t, x, n, 1);
}

void sg_model_effects_write(sg_text *t, const sg_model *m)
{
    size_t n = m->encoder ? m->encoder->effects : 0;
    if (!n) return;
    sg_text_append(t, "  \"effects\": [\n");
    for (size_t i = 0; i < n; i++) {
        const sg_effect *e = &m->encoder->effect[i];
        size_t k = sg_encoder_base_features(m->encoder) + i;
        sg_json_append(t, "    {\"of\": %s, \"low\": %g, \"high\": %g, \"mean\": %g", m->encoder->input[e->input].name,
                       m->low[k], m->high[k], m->feature_mean[k]);
        write_list(t, "edges", e->edge, e->bins - 1);
        write_list(t, "bins", e->bin_effect, e->bins);
        write_list(t, "values", e->value, e->values);
        write_list(t, "effects", e->value_effect, e->values);
        sg_text_append(t, i + 1 < n ? "},\n" : "}\n");
    }
    sg_text_append(t, "  ],\n");
}
