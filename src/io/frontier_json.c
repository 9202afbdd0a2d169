/* frontier_json.c: reads and writes the frontier of the search in a model file, one point per line. */
#include "base/json_append.h"
#include "io/model_json_parts.h"

#include <math.h>

/* --- frontier: reading --- */

static sg_status read_error(const sg_json_value *item, const char *key, double *out)
{
    sg_status st = sg_json_number(item, key, out);
    if (st == SG_OK && !(*out >= 0)) st = sg_fail(SG_EDATA, "%s.%s: expected a non-negative number", item->path, key);
    return st;
}

static sg_status read_chosen(const sg_json_value *item, int *out)
{
    json_t *chosen = json_object_get(item->value, "chosen");
    if (chosen && !json_is_boolean(chosen)) return sg_fail(SG_EDATA, "%s.chosen: expected true or false", item->path);
    *out = json_is_true(chosen);
    return SG_OK;
}

static sg_status read_point(const sg_json_value *item, sg_frontier *f)
{
    sg_json_value options;
    sg_frontier_point p = {.standard_error = NAN};
    long cost, rules;
    sg_status st = sg_json_string(item, "name", &p.name);
    if (st == SG_OK) st = sg_json_member(item, "options", JSON_STRING, &options);
    if (st == SG_OK) st = read_error(item, "error", &p.error);
    if (st == SG_OK && sg_json_has(item, "standard_error")) st = read_error(item, "standard_error", &p.standard_error);
    if (st == SG_OK) st = sg_json_integer(item, "cost", 0, 1L << 53, &cost);
    if (st == SG_OK) st = sg_json_integer(item, "rules", 0, 1L << 53, &rules);
    if (st == SG_OK) st = read_chosen(item, &p.chosen);
    if (st != SG_OK) return st;
    p.options = json_string_value(options.value);
    p.cost = (size_t)cost;
    p.rules = (size_t)rules;
    return sg_frontier_add(f, &p) ? SG_OK : sg_fail(SG_ENOMEM, "%s: out of memory", item->path);
}

sg_status sg_model_frontier_read(const sg_json_value *root, sg_frontier *f)
{
    sg_json_value list, item;
    if (!sg_json_has(root, "frontier")) return SG_OK;
    sg_status st = sg_json_member(root, "frontier", JSON_ARRAY, &list);
    for (size_t i = 0; st == SG_OK && i < sg_json_array_size(&list); i++) {
        st = sg_json_item(&list, i, JSON_OBJECT, &item);
        if (st == SG_OK) st = read_point(&item, f);
    }
    return st;
}

/* --- frontier: writing --- */

void sg_model_frontier_write(sg_text *t, const sg_frontier *f)
{
    if (!f->points) return;
    sg_text_append(t, "  \"frontier\": [\n");
    for (size_t i = 0; i < f->points; i++) {
        const sg_frontier_point *p = &f->point[i];
        sg_json_append(t, "    {\"name\": %s, \"options\": %s, \"error\": %g", p->name, p->options, p->error);
        if (isfinite(p->standard_error)) sg_json_append(t, ", \"standard_error\": %g", p->standard_error);
        sg_json_append(t, ", \"cost\": %zu, \"rules\": %zu", p->cost, p->rules);
        sg_text_append(t, p->chosen ? ", \"chosen\": true}" : "}");
        sg_json_end_line(t, i, f->points);
    }
    sg_text_append(t, "  ],\n");
}
