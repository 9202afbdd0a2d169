/* model_sections.c: reads the inputs of a model file (names, ranges, means, quantiles, levels of categories), and reads
 * and writes its effects (piecewise constant tables per input) and its calibration: "intervals" holds the quantiles of
 * out-of-sample absolute errors, "covered" the firing level below which a row counts as outside the support. */
#include "io/model_sections.h"
#include "base/json_writer.h"
#include "base/memory.h"

#include <stdio.h>
#include <string.h>

/* --- encoder --- */

static sg_status read_levels(const sg_json_value *item, const char *name, sg_encoder *c)
{
    sg_json_value levels, text;
    const char *level[SG_ONE_HOT_MAX];
    char why[256];
    bool pooled = json_is_true(json_object_get(item->value, "others"));
    sg_status st = sg_json_member(item, "levels", JSON_ARRAY, &levels);
    if (st != SG_OK) return st;
    size_t n = sg_json_array_size(&levels);
    for (size_t i = 0; st == SG_OK && i < n && i < SG_ONE_HOT_MAX; i++) {
        st = sg_json_item(&levels, i, JSON_STRING, &text);
        if (st != SG_OK) break;
        level[i] = json_string_value(text.value);
        if (!*level[i]) st = sg_fail(SG_EDATA, "%s: expected a non-empty string", text.path);
    }
    if (st != SG_OK) return st;
    st = sg_encoder_add_category(c, name, level, n, pooled);
    if (st == SG_OK) return SG_OK;
    snprintf(why, sizeof why, "%s", sg_errmsg()); /* a message without a position */
    return sg_fail(st, "%s: %s", levels.path, why);
}

static sg_status add_encoder_input(const sg_json_value *list, size_t i, sg_encoder *c)
{
    sg_json_value item;
    const char *name;
    sg_status st = sg_json_item(list, i, JSON_OBJECT, &item);
    if (st == SG_OK) st = sg_json_string(&item, "name", &name);
    if (st != SG_OK) return st;
    if (!sg_json_has(&item, "levels")) return sg_encoder_add_number(c, name);
    json_t *others = json_object_get(item.value, "others");
    if (others && !json_is_boolean(others)) return sg_fail(SG_EDATA, "%s.others: expected true or false", item.path);
    return read_levels(&item, name, c);
}

sg_status sg_model_inputs_read_encoder(const sg_json_value *list, bool needed, sg_encoder **out)
{
    *out = NULL;
    if (!needed && !sg_json_any_has(list, "levels")) return SG_OK;
    sg_encoder *c = sg_encoder_new();
    sg_status st = c ? SG_OK : sg_fail(SG_ENOMEM, "%s: out of memory", list->path);
    for (size_t i = 0; st == SG_OK && i < sg_json_array_size(list); i++) st = add_encoder_input(list, i, c);
    if (st == SG_OK) *out = c;
    else sg_encoder_free(c);
    return st;
}

/* --- statistics of the training rows --- */

static sg_status read_shares(const sg_json_value *item, const sg_encoded_input *in, double *share)
{
    sg_status st = sg_json_member_numbers(item, "shares", sg_encoded_input_features(in), share);
    for (size_t i = 0; st == SG_OK && i < sg_encoded_input_features(in); i++)
        if (!(share[i] >= 0 && share[i] <= 1))
            st = sg_fail(SG_EDATA, "%s.shares[%zu]: expected a number from 0 to 1", item->path, i);
    return st;
}

static sg_status read_quantiles(const sg_json_value *item, double *q)
{
    sg_status st = sg_json_member_numbers(item, "quantiles", SG_QUANTILE_COUNT, q);
    for (size_t k = 1; st == SG_OK && k < SG_QUANTILE_COUNT; k++)
        if (q[k] < q[k - 1])
            st = sg_fail(SG_EDATA, "%s.quantiles[%zu]: expected non-decreasing numbers", item->path, k);
    return st;
}

/* k is the feature of a numeric input. */
static sg_status read_number_stats(const sg_json_value *item, size_t k, sg_model *m)
{
    const sg_transform *zscore = m->a.steps && m->a.step->kind == &sg_transform_zscore ? m->a.step : NULL;
    sg_status st = sg_json_range(item, &m->low[k], &m->high[k]);
    if (st != SG_OK) return st;
    m->feature_mean[k] = zscore ? zscore->parameter[0][k] : m->low[k] / 2 + m->high[k] / 2;
    if (sg_json_has(item, "mean")) st = sg_json_number(item, "mean", &m->feature_mean[k]);
    return st == SG_OK && m->quantile ? read_quantiles(item, m->quantile + k * SG_QUANTILE_COUNT) : st;
}

sg_status sg_model_inputs_read_stats(const sg_json_value *list, sg_model *m)
{
    sg_json_value item;
    sg_status st = SG_OK;
    if (sg_json_any_has(list, "quantiles") && !sg_model_alloc_quantiles(m))
        return sg_fail(SG_ENOMEM, "%s: out of memory", list->path);
    for (size_t i = 0; i < m->features; i++) m->high[i] = 1; /* for the features of categories */
    for (size_t i = 0; st == SG_OK && i < sg_model_inputs(m); i++) {
        size_t k = sg_model_first_feature(m, i);
        st = sg_json_item(list, i, JSON_OBJECT, &item);
        if (st != SG_OK) break;
        if (sg_model_levels(m, i)) st = read_shares(&item, &m->encoder->input[i], m->feature_mean + k);
        else st = read_number_stats(&item, k, m);
    }
    return st;
}

bool sg_model_effects_exist(const sg_json_value *root) { return sg_json_has(root, "effects"); }

/* --- effects: reading --- */

/* Finds the numeric input by name; it must not have an effect yet. */
static sg_status find_input(const sg_json_value *item, const sg_encoder *c, size_t *out)
{
    const char *name;
    sg_status st = sg_json_string(item, "of", &name);
    if (st != SG_OK) return st;
    for (*out = 0; *out < c->inputs && strcmp(c->input[*out].name, name) != 0;) ++*out;
    if (*out == c->inputs || c->input[*out].levels)
        return sg_fail(SG_EDATA, "%s.of: expected the name of a numeric input", item->path);
    for (size_t i = 0; i < c->effects; i++)
        if (c->effect[i].input == *out) return sg_fail(SG_EDATA, "%s.of: this input has an effect already", item->path);
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

/* --- calibration: reading --- */

/* Reads n numbers from 0 to `most` that do not decrease. */
static sg_status read_nondecreasing(const sg_json_value *of, const char *key, size_t n, double most, double *x)
{
    sg_status st = sg_json_member_numbers(of, key, n, x);
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        if (!(x[i] >= 0 && x[i] <= most))
            st = sg_fail(SG_EDATA, "%s.%s[%zu]: expected a number from 0 to %g", of->path, key, i, most);
        else if (i && x[i] < x[i - 1])
            st = sg_fail(SG_EDATA, "%s.%s[%zu]: expected non-decreasing numbers", of->path, key, i);
    }
    return st;
}

static sg_status read_errors(const sg_json_value *item, double rows, sg_error_quantiles *e)
{
    sg_json_value ranks;
    sg_status st = sg_json_array(item, "ranks", 1, SG_ERROR_QUANTILES_MAX, "numbers", &ranks);
    if (st != SG_OK) return st;
    size_t n = sg_json_array_size(&ranks);
    if (!sg_error_quantiles_init(e, n)) return sg_fail(SG_ENOMEM, "%s: out of memory", item->path);
    st = read_nondecreasing(item, "ranks", n, rows, e->rank);
    return st == SG_OK ? read_nondecreasing(item, "sizes", n, SG_MODEL_MAX_ABS, e->abs_error) : st;
}

static sg_status read_intervals(const sg_json_value *root, sg_model *m)
{
    sg_json_value of, list, item;
    long rows;
    sg_status st = sg_json_member(root, "intervals", JSON_OBJECT, &of);
    if (st == SG_OK) st = sg_json_integer(&of, "rows", 1, 1L << 53, &rows);
    if (st == SG_OK) st = sg_json_member(&of, "errors", JSON_ARRAY, &list);
    if (st == SG_OK) st = sg_json_check_size(&list, m->outputs, "items, one per target");
    if (st != SG_OK) return st;
    m->calibration.errors = sg_calloc(m->outputs, sizeof *m->calibration.errors);
    if (!m->calibration.errors) return sg_fail(SG_ENOMEM, "%s: out of memory", list.path);
    m->calibration.outputs = m->outputs;
    m->calibration.effective_rows = (size_t)rows;
    for (size_t o = 0; st == SG_OK && o < m->outputs; o++) {
        st = sg_json_item(&list, o, JSON_OBJECT, &item);
        if (st == SG_OK) st = read_errors(&item, (double)rows, &m->calibration.errors[o]);
    }
    return st;
}

static sg_status read_support(const sg_json_value *root, sg_calibration *s)
{
    sg_json_value of;
    long rows;
    sg_status st = sg_json_member(root, "covered", JSON_OBJECT, &of);
    if (st == SG_OK) st = sg_json_integer(&of, "rows", 1, 1L << 53, &rows);
    if (st == SG_OK) st = sg_json_number(&of, "log_firing", &s->min_log_firing);
    if (st == SG_OK) s->support_rows = (size_t)rows;
    return st;
}

sg_status sg_model_calibration_read(const sg_json_value *root, sg_model *m)
{
    sg_status st = sg_json_has(root, "intervals") ? read_intervals(root, m) : SG_OK;
    return st == SG_OK && sg_json_has(root, "covered") ? read_support(root, &m->calibration) : st;
}

/* --- calibration: writing --- */

void sg_model_calibration_write(sg_text *t, const sg_model *m)
{
    const sg_calibration *s = &m->calibration;
    if (s->errors) sg_json_append(t, "  \"intervals\": {\"rows\": %zu, \"errors\": [\n", s->effective_rows);
    for (size_t o = 0; s->errors && o < s->outputs; o++) {
        sg_text_append(t, "    {\"ranks\": ");
        sg_json_append_numbers(t, s->errors[o].rank, s->errors[o].points, 1);
        sg_text_append(t, ",\n     \"sizes\": ");
        sg_json_append_numbers(t, s->errors[o].abs_error, s->errors[o].points, 1);
        sg_text_append(t, o + 1 < s->outputs ? "},\n" : "}\n  ]},\n");
    }
    if (s->support_rows)
        sg_json_append(t, "  \"covered\": {\"rows\": %zu, \"log_firing\": %g},\n", s->support_rows, s->min_log_firing);
}
