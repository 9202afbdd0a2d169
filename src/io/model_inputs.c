/* model_inputs.c: see model_inputs.h. */
#include "io/model_inputs.h"

#include "base/memory.h"

#include <stdio.h>
#include <stdlib.h>

static bool is_category(const sg_json *item) { return sg_json_has(item, "levels"); }

/* --- the coding --- */

static sg_status read_levels(const sg_json *item, const char *name, sg_coding *c)
{
    sg_json levels, text;
    const char *level[SG_CODED_MOST];
    char why[256];
    bool pooled = json_is_true(json_object_get(item->value, "others"));
    sg_status st = sg_json_member(item, "levels", JSON_ARRAY, &levels);
    if (st != SG_OK) return st;
    size_t n = sg_json_size(&levels);
    for (size_t i = 0; st == SG_OK && i < n && i < SG_CODED_MOST; i++) {
        st = sg_json_item(&levels, i, JSON_STRING, &text);
        if (st != SG_OK) break;
        level[i] = json_string_value(text.value);
        if (!*level[i]) st = sg_fail(SG_EDATA, "%s: expected a text that is not empty", text.where);
    }
    if (st != SG_OK) return st;
    st = sg_coding_category(c, name, level, n, pooled);
    if (st == SG_OK) return SG_OK;
    snprintf(why, sizeof why, "%s", sg_errmsg()); /* it knows no place */
    return sg_fail(st, "%s: %s", levels.where, why);
}

static sg_status read_others(const sg_json *item)
{
    json_t *others = json_object_get(item->value, "others");
    if (!others || json_is_boolean(others)) return SG_OK;
    return sg_fail(SG_EDATA, "%s.others: expected true or false", item->where);
}

static sg_status code_input(const sg_json *list, size_t i, sg_coding *c)
{
    sg_json item;
    const char *name;
    sg_status st = sg_json_item(list, i, JSON_OBJECT, &item);
    if (st == SG_OK) st = sg_json_text(&item, "name", &name);
    if (st != SG_OK) return st;
    if (!is_category(&item)) return sg_coding_number(c, name);
    st = read_others(&item);
    return st == SG_OK ? read_levels(&item, name, c) : st;
}

static bool any_category(const sg_json *list)
{
    for (size_t i = 0; i < sg_json_size(list); i++)
        if (json_object_get(json_array_get(list->value, i), "levels")) return true;
    return false;
}

sg_status sg_inputs_coding(const sg_json *list, bool needed, sg_coding **out)
{
    *out = NULL;
    if (!needed && !any_category(list)) return SG_OK;
    sg_coding *c = sg_coding_new();
    sg_status st = c ? SG_OK : sg_fail(SG_ENOMEM, "%s: out of memory", list->where);
    for (size_t i = 0; st == SG_OK && i < sg_json_size(list); i++) st = code_input(list, i, c);
    if (st == SG_OK) *out = c;
    else sg_coding_free(c);
    return st;
}

/* --- names --- */

static sg_status name_of(const sg_json *list, size_t i, char **out)
{
    sg_json item;
    const char *name;
    sg_status st = sg_json_item(list, i, JSON_OBJECT, &item);
    if (st == SG_OK) st = sg_json_text(&item, "name", &name);
    if (st == SG_OK) *out = sg_copy(name);
    return st;
}

sg_status sg_inputs_names(const sg_json *list, const sg_coding *c, char ***out, size_t *count)
{
    size_t n = c ? c->features : sg_json_size(list);
    char **name = sg_alloc(n, sizeof *name);
    sg_status st = name ? SG_OK : sg_fail(SG_ENOMEM, "%s: out of memory", list->where);
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        if (c) name[i] = sg_coding_feature(c, i);
        else st = name_of(list, i, &name[i]);
        if (st == SG_OK && !name[i]) st = sg_fail(SG_ENOMEM, "%s: out of memory", list->where);
    }
    *out = name;
    *count = n;
    return st;
}

/* --- ranges and means --- */

static size_t first_feature(const sg_model *m, size_t input)
{
    return m->coding ? m->coding->input[input].first : input;
}

sg_status sg_inputs_range(const sg_json *item, double *low, double *high)
{
    sg_status st = sg_json_number(item, "low", low);
    if (st == SG_OK) st = sg_json_number(item, "high", high);
    if (st == SG_OK && *low > *high) st = sg_fail(SG_EDATA, "%s: low must not be above high", item->where);
    return st;
}

sg_status sg_inputs_ranges(const sg_json *list, sg_model *m)
{
    sg_json item;
    sg_status st = SG_OK;
    for (size_t i = 0; i < m->inputs; i++) m->high[i] = 1; /* of the features of categories */
    for (size_t i = 0; st == SG_OK && i < sg_model_inputs(m); i++) {
        size_t at = first_feature(m, i);
        st = sg_json_item(list, i, JSON_OBJECT, &item);
        if (st == SG_OK && !sg_model_levels(m, i)) st = sg_inputs_range(&item, &m->low[at], &m->high[at]);
    }
    return st;
}

static sg_status read_shares(const sg_json *item, const sg_coded *in, double *mean)
{
    sg_json shares;
    sg_status st = sg_json_member(item, "shares", JSON_ARRAY, &shares);
    if (st == SG_OK) st = sg_json_numbers(&shares, sg_coded_features(in), mean, 1);
    for (size_t i = 0; st == SG_OK && i < sg_coded_features(in); i++)
        if (!(mean[i] >= 0 && mean[i] <= 1))
            st = sg_fail(SG_EDATA, "%s[%zu]: expected a number from 0 to 1", shares.where, i);
    return st;
}

sg_status sg_inputs_means(const sg_json *list, sg_model *m)
{
    sg_json item;
    sg_status st = SG_OK;
    const sg_step *zscore = m->a.steps && m->a.step->kind == &sg_step_zscore ? m->a.step : NULL;
    for (size_t i = 0; i < m->inputs; i++)
        m->input_mean[i] = zscore ? zscore->number[0][i] : m->low[i] / 2 + m->high[i] / 2;
    for (size_t i = 0; st == SG_OK && i < sg_model_inputs(m); i++) {
        double *mean = m->input_mean + first_feature(m, i);
        st = sg_json_item(list, i, JSON_OBJECT, &item);
        if (st != SG_OK) break;
        if (sg_model_levels(m, i)) st = read_shares(&item, &m->coding->input[i], mean);
        else if (sg_json_has(&item, "mean")) st = sg_json_number(&item, "mean", mean);
    }
    return st;
}

/* --- quantiles --- */

static bool any_quantiles(const sg_json *list)
{
    for (size_t i = 0; i < sg_json_size(list); i++)
        if (json_object_get(json_array_get(list->value, i), "quantiles")) return true;
    return false;
}

static sg_status read_quantiles(const sg_json *item, double *q)
{
    sg_json array;
    sg_status st = sg_json_member(item, "quantiles", JSON_ARRAY, &array);
    if (st == SG_OK) st = sg_json_numbers(&array, SG_QUANTILES, q, 1);
    for (size_t k = 1; st == SG_OK && k < SG_QUANTILES; k++)
        if (q[k] < q[k - 1])
            st = sg_fail(SG_EDATA, "%s[%zu]: expected a number that is not below the one before it", array.where, k);
    return st;
}

sg_status sg_inputs_quantiles(const sg_json *list, sg_model *m)
{
    sg_json item;
    sg_status st = SG_OK;
    if (!any_quantiles(list)) return SG_OK;
    if (!sg_model_add_quantiles(m)) return sg_fail(SG_ENOMEM, "%s: out of memory", list->where);
    for (size_t i = 0; st == SG_OK && i < sg_model_inputs(m); i++) {
        if (sg_model_levels(m, i)) continue;
        st = sg_json_item(list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = read_quantiles(&item, m->quantile + first_feature(m, i) * SG_QUANTILES);
    }
    return st;
}
