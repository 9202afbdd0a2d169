/* inputs_json.c: reads and writes the inputs in a model file: their names, ranges, means, quantiles and levels. */
#include "base/json_append.h"
#include "io/model_json_parts.h"

#include <stdio.h>

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
    snprintf(why, sizeof why, "%s", sg_errmsg()); /* this message has no position */
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

/* Reads the statistics of a numeric input, which is feature k. */
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
    for (size_t i = 0; i < m->features; i++) m->high[i] = 1; /* the range of one-hot features is [0, 1] */
    for (size_t i = 0; st == SG_OK && i < sg_model_inputs(m); i++) {
        size_t k = sg_model_first_feature(m, i);
        st = sg_json_item(list, i, JSON_OBJECT, &item);
        if (st != SG_OK) break;
        if (sg_model_levels(m, i)) st = read_shares(&item, &m->encoder->input[i], m->feature_mean + k);
        else st = read_number_stats(&item, k, m);
    }
    return st;
}

/* --- writing --- */

static void write_levels(sg_text *t, const sg_encoded_input *in, const double *share)
{
    sg_text_append(t, ", \"levels\": [");
    for (size_t i = 0; i < in->levels; i++) sg_json_append(t, i ? ", %s" : "%s", in->level[i]);
    sg_text_append(t, in->pooled ? "], \"others\": true" : "]");
    sg_json_append_list(t, "shares", share, sg_encoded_input_features(in));
}

void sg_model_inputs_write(sg_text *t, const sg_model *m)
{
    size_t n = sg_model_inputs(m);
    sg_text_append(t, "  \"inputs\": [\n");
    for (size_t i = 0; i < n; i++) {
        size_t k = sg_model_first_feature(m, i);
        sg_json_append(t, "    {\"name\": %s", sg_model_input_name(m, i));
        if (m->encoder && sg_model_levels(m, i)) write_levels(t, &m->encoder->input[i], m->feature_mean + k);
        else {
            sg_json_append(t, ", \"low\": %g, \"high\": %g, \"mean\": %g", m->low[k], m->high[k], m->feature_mean[k]);
            if (m->quantile)
                sg_json_append_list(t, "quantiles", m->quantile + k * SG_QUANTILE_COUNT, SG_QUANTILE_COUNT);
        }
        sg_text_append(t, "}");
        sg_json_end_line(t, i, n);
    }
    sg_text_append(t, "  ],\n");
}
