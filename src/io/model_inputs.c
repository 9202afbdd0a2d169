/* model_inputs.c: see model_inputs.h. */
#include "io/model_inputs.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_category(const sg_json_value *item) { return sg_json_has(item, "levels"); }

/* --- the coding --- */

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
        if (!*level[i]) st = sg_fail(SG_EDATA, "%s: expected a text that is not empty", text.path);
    }
    if (st != SG_OK) return st;
    st = sg_encoder_add_category(c, name, level, n, pooled);
    if (st == SG_OK) return SG_OK;
    snprintf(why, sizeof why, "%s", sg_errmsg()); /* it knows no place */
    return sg_fail(st, "%s: %s", levels.path, why);
}

static sg_status check_others(const sg_json_value *item)
{
    json_t *others = json_object_get(item->value, "others");
    if (!others || json_is_boolean(others)) return SG_OK;
    return sg_fail(SG_EDATA, "%s.others: expected true or false", item->path);
}

static sg_status add_encoder_input(const sg_json_value *list, size_t i, sg_encoder *c)
{
    sg_json_value item;
    const char *name;
    sg_status st = sg_json_item(list, i, JSON_OBJECT, &item);
    if (st == SG_OK) st = sg_json_string(&item, "name", &name);
    if (st != SG_OK) return st;
    if (!is_category(&item)) return sg_encoder_add_number(c, name);
    st = check_others(&item);
    return st == SG_OK ? read_levels(&item, name, c) : st;
}

static bool any_category(const sg_json_value *list)
{
    for (size_t i = 0; i < sg_json_array_size(list); i++)
        if (json_object_get(json_array_get(list->value, i), "levels")) return true;
    return false;
}

sg_status sg_model_inputs_read_encoder(const sg_json_value *list, bool needed, sg_encoder **out)
{
    *out = NULL;
    if (!needed && !any_category(list)) return SG_OK;
    sg_encoder *c = sg_encoder_new();
    sg_status st = c ? SG_OK : sg_fail(SG_ENOMEM, "%s: out of memory", list->path);
    for (size_t i = 0; st == SG_OK && i < sg_json_array_size(list); i++) st = add_encoder_input(list, i, c);
    if (st == SG_OK) *out = c;
    else sg_encoder_free(c);
    return st;
}

/* --- names --- */

static sg_status read_input_name(const sg_json_value *list, size_t i, char **out)
{
    sg_json_value item;
    const char *name;
    sg_status st = sg_json_item(list, i, JSON_OBJECT, &item);
    if (st == SG_OK) st = sg_json_string(&item, "name", &name);
    if (st == SG_OK) *out = sg_strdup(name);
    return st;
}

sg_status sg_model_inputs_read_names(const sg_json_value *list, const sg_encoder *c, char ***out, size_t *count)
{
    size_t n = c ? c->features : sg_json_array_size(list);
    char **name = sg_calloc(n, sizeof *name);
    sg_status st = name ? SG_OK : sg_fail(SG_ENOMEM, "%s: out of memory", list->path);
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        if (c) name[i] = sg_encoder_feature_name(c, i);
        else st = read_input_name(list, i, &name[i]);
        if (st == SG_OK && !name[i]) st = sg_fail(SG_ENOMEM, "%s: out of memory", list->path);
    }
    *out = name;
    *count = n;
    return st;
}

/* --- ranges and means --- */

static size_t first_feature(const sg_model *m, size_t input)
{
    return m->encoder ? m->encoder->input[input].first_feature : input;
}

sg_status sg_json_range(const sg_json_value *item, double *low, double *high)
{
    sg_status st = sg_json_number(item, "low", low);
    if (st == SG_OK) st = sg_json_number(item, "high", high);
    if (st == SG_OK && *low > *high) st = sg_fail(SG_EDATA, "%s: low must not be above high", item->path);
    return st;
}

sg_status sg_model_inputs_read_ranges(const sg_json_value *list, sg_model *m)
{
    sg_json_value item;
    sg_status st = SG_OK;
    for (size_t i = 0; i < m->features; i++) m->high[i] = 1; /* of the features of categories */
    for (size_t i = 0; st == SG_OK && i < sg_model_inputs(m); i++) {
        size_t at = first_feature(m, i);
        st = sg_json_item(list, i, JSON_OBJECT, &item);
        if (st == SG_OK && !sg_model_levels(m, i)) st = sg_json_range(&item, &m->low[at], &m->high[at]);
    }
    return st;
}

static sg_status read_shares(const sg_json_value *item, const sg_encoded_input *in, double *mean)
{
    sg_json_value shares;
    sg_status st = sg_json_member(item, "shares", JSON_ARRAY, &shares);
    if (st == SG_OK) st = sg_json_numbers(&shares, sg_encoded_input_features(in), mean, 1);
    for (size_t i = 0; st == SG_OK && i < sg_encoded_input_features(in); i++)
        if (!(mean[i] >= 0 && mean[i] <= 1))
            st = sg_fail(SG_EDATA, "%s[%zu]: expected a number from 0 to 1", shares.path, i);
    return st;
}

sg_status sg_model_inputs_read_means(const sg_json_value *list, sg_model *m)
{
    sg_json_value item;
    sg_status st = SG_OK;
    const sg_transform *zscore = m->a.steps && m->a.step->kind == &sg_transform_zscore ? m->a.step : NULL;
    for (size_t i = 0; i < m->features; i++)
        m->feature_mean[i] = zscore ? zscore->parameter[0][i] : m->low[i] / 2 + m->high[i] / 2;
    for (size_t i = 0; st == SG_OK && i < sg_model_inputs(m); i++) {
        double *mean = m->feature_mean + first_feature(m, i);
        st = sg_json_item(list, i, JSON_OBJECT, &item);
        if (st != SG_OK) break;
        if (sg_model_levels(m, i)) st = read_shares(&item, &m->encoder->input[i], mean);
        else if (sg_json_has(&item, "mean")) st = sg_json_number(&item, "mean", mean);
    }
    return st;
}

/* --- quantiles --- */

static bool any_quantiles(const sg_json_value *list)
{
    for (size_t i = 0; i < sg_json_array_size(list); i++)
        if (json_object_get(json_array_get(list->value, i), "quantiles")) return true;
    return false;
}

static sg_status read_quantiles(const sg_json_value *item, double *q)
{
    sg_json_value array;
    sg_status st = sg_json_member(item, "quantiles", JSON_ARRAY, &array);
    if (st == SG_OK) st = sg_json_numbers(&array, SG_QUANTILE_COUNT, q, 1);
    for (size_t k = 1; st == SG_OK && k < SG_QUANTILE_COUNT; k++)
        if (q[k] < q[k - 1])
            st = sg_fail(SG_EDATA, "%s[%zu]: expected a number that is not below the one before it", array.path, k);
    return st;
}

sg_status sg_model_inputs_read_quantiles(const sg_json_value *list, sg_model *m)
{
    sg_json_value item;
    sg_status st = SG_OK;
    if (!any_quantiles(list)) return SG_OK;
    if (!sg_model_alloc_quantiles(m)) return sg_fail(SG_ENOMEM, "%s: out of memory", list->path);
    for (size_t i = 0; st == SG_OK && i < sg_model_inputs(m); i++) {
        if (sg_model_levels(m, i)) continue;
        st = sg_json_item(list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = read_quantiles(&item, m->quantile + first_feature(m, i) * SG_QUANTILE_COUNT);
    }
    return st;
}
