/* json_reader.c: see json_reader.h. */
#include "io/json_reader.h"

#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *type_name(json_type type)
{
    switch (type) {
    case JSON_OBJECT:
        return "an object";
    case JSON_ARRAY:
        return "an array";
    case JSON_STRING:
        return "a text";
    default:
        return "a number";
    }
}

static bool has_type(const json_t *v, json_type type)
{
    return type == JSON_REAL ? json_is_number(v) : json_typeof(v) == type;
}

static sg_status check_type(json_t *v, json_type type, sg_json_value *out)
{
    if (!v) return sg_fail(SG_EDATA, "%s is missing: expected %s", out->path, type_name(type));
    if (!has_type(v, type)) return sg_fail(SG_EDATA, "%s: expected %s", out->path, type_name(type));
    out->value = v;
    return SG_OK;
}

/* The place of a part: "m.json: blocks" and "[0]" or "mfs" make "m.json: blocks[0]" or
 * "m.json: blocks.mfs". The depth is bounded by the format, so it fits. */
static void append_path(const sg_json_value *of, const char *part, sg_json_value *out)
{
    char where[sizeof out->path];
    size_t n = strlen(of->path);
    bool top = n && of->path[n - 1] == ' ';
    snprintf(where, sizeof where, "%.*s%s%s", (int)sizeof where - 64, of->path, top || part[0] == '[' ? "" : ".", part);
    memcpy(out->path, where, sizeof where);
}

sg_status sg_json_member(const sg_json_value *of, const char *key, json_type type, sg_json_value *out)
{
    json_t *v = json_object_get(of->value, key);
    append_path(of, key, out);
    return check_type(v, type, out);
}

sg_status sg_json_item(const sg_json_value *of, size_t i, json_type type, sg_json_value *out)
{
    char part[32];
    json_t *v = json_array_get(of->value, i);
    snprintf(part, sizeof part, "[%zu]", i);
    append_path(of, part, out);
    return check_type(v, type, out);
}

size_t sg_json_array_size(const sg_json_value *array) { return json_array_size(array->value); }

bool sg_json_has(const sg_json_value *of, const char *key) { return json_object_get(of->value, key); }

static sg_status check_bounded(const sg_json_value *v, double *out)
{
    double x = json_number_value(v->value);
    if (!(fabs(x) <= SG_MODEL_MAX_ABS))
        return sg_fail(SG_EDATA, "%s: %g is beyond 1e100, the largest number in a model", v->path, x);
    *out = x;
    return SG_OK;
}

sg_status sg_json_number(const sg_json_value *of, const char *key, double *out)
{
    sg_json_value v;
    sg_status st = sg_json_member(of, key, JSON_REAL, &v);
    return st == SG_OK ? check_bounded(&v, out) : st;
}

static sg_status check_integer(const sg_json_value *v, long low, long high, long *out)
{
    double x = json_number_value(v->value);
    if (!(x >= (double)low && x <= (double)high) || x != floor(x))
        return sg_fail(SG_EDATA, "%s: expected a whole number from %ld to %ld, not %g", v->path, low, high, x);
    *out = (long)x;
    return SG_OK;
}

sg_status sg_json_integer(const sg_json_value *of, const char *key, long low, long high, long *out)
{
    sg_json_value v;
    sg_status st = sg_json_member(of, key, JSON_REAL, &v);
    return st == SG_OK ? check_integer(&v, low, high, out) : st;
}

sg_status sg_json_item_integer(const sg_json_value *of, size_t i, long low, long high, long *out)
{
    sg_json_value v;
    sg_status st = sg_json_item(of, i, JSON_REAL, &v);
    return st == SG_OK ? check_integer(&v, low, high, out) : st;
}

sg_status sg_json_string(const sg_json_value *of, const char *key, const char **out)
{
    sg_json_value v;
    sg_status st = sg_json_member(of, key, JSON_STRING, &v);
    if (st != SG_OK) return st;
    *out = json_string_value(v.value);
    return **out ? SG_OK : sg_fail(SG_EDATA, "%s: expected a text that is not empty", v.path);
}

sg_status sg_json_numbers(const sg_json_value *array, size_t n, double *out, size_t stride)
{
    if (sg_json_array_size(array) != n)
        return sg_fail(SG_EDATA, "%s: expected %zu numbers, not %zu", array->path, n, sg_json_array_size(array));
    for (size_t i = 0; i < n; i++) {
        sg_json_value v;
        sg_status st = sg_json_item(array, i, JSON_REAL, &v);
        if (st == SG_OK) st = check_bounded(&v, &out[i * stride]);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}
