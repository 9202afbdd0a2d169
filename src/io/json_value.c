/* json_value.c: typed access to JSON parsed by Jansson. Every message gives the position and says what was expected. */
#include "io/json_value.h"

#include "model/model.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static const char *const type_name[] = {
    [JSON_OBJECT] = "an object", [JSON_ARRAY] = "an array", [JSON_STRING] = "a string", [JSON_REAL] = "a number"};

static sg_status check_type(json_t *v, json_type type, sg_json_value *out)
{
    if (!v) return sg_fail(SG_EDATA, "%s is missing; expected %s", out->path, type_name[type]);
    if (type == JSON_REAL ? !json_is_number(v) : json_typeof(v) != type)
        return sg_fail(SG_EDATA, "%s: expected %s", out->path, type_name[type]);
    out->value = v;
    return SG_OK;
}

/* Appends a part to a path: "m.json: blocks" and "[0]" give "m.json: blocks[0]"; with "mfs" they give "m.json:
 * blocks.mfs". The path fits, because the file format bounds the depth. `out` may be `of`. */
static void append_path(const sg_json_value *of, const char *part, sg_json_value *out)
{
    char path[sizeof out->path];
    size_t n = strlen(of->path);
    bool top = n && of->path[n - 1] == ' ';
    snprintf(path, sizeof path, "%.*s%s%s", (int)sizeof path - 64, of->path, top || part[0] == '[' ? "" : ".", part);
    memcpy(out->path, path, sizeof path);
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

bool sg_json_any_has(const sg_json_value *array, const char *key)
{
    for (size_t i = 0; i < sg_json_array_size(array); i++)
        if (json_object_get(json_array_get(array->value, i), key)) return true;
    return false;
}

static sg_status check_bounded(const sg_json_value *v, double *out)
{
    double x = json_number_value(v->value);
    if (!(fabs(x) <= SG_MODEL_MAX_ABS))
        return sg_fail(SG_EDATA, "%s: expected a magnitude of at most 1e100, got %g", v->path, x);
    *out = x;
    return SG_OK;
}

sg_status sg_json_number(const sg_json_value *of, const char *key, double *out)
{
    sg_json_value v;
    sg_status st = sg_json_member(of, key, JSON_REAL, &v);
    return st == SG_OK ? check_bounded(&v, out) : st;
}

sg_status sg_json_range(const sg_json_value *of, double *low, double *high)
{
    sg_status st = sg_json_number(of, "low", low);
    if (st == SG_OK) st = sg_json_number(of, "high", high);
    if (st == SG_OK && *low > *high) st = sg_fail(SG_EDATA, "%s: low must not be above high", of->path);
    return st;
}

static sg_status check_integer(const sg_json_value *v, long low, long high, long *out)
{
    double x = json_number_value(v->value);
    if (!(x >= (double)low && x <= (double)high) || x != floor(x))
        return sg_fail(SG_EDATA, "%s: expected an integer from %ld to %ld, got %g", v->path, low, high, x);
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
    return **out ? SG_OK : sg_fail(SG_EDATA, "%s: expected a non-empty string", v.path);
}

sg_status sg_json_array(const sg_json_value *of, const char *key, size_t least, size_t most, const char *what,
                        sg_json_value *out)
{
    sg_status st = sg_json_member(of, key, JSON_ARRAY, out);
    if (st != SG_OK) return st;
    size_t n = sg_json_array_size(out);
    if (n >= least && n <= most) return SG_OK;
    return sg_fail(SG_EDATA, "%s: expected %zu to %zu %s, got %zu", out->path, least, most, what, n);
}

sg_status sg_json_check_size(const sg_json_value *array, size_t n, const char *what)
{
    if (sg_json_array_size(array) == n) return SG_OK;
    return sg_fail(SG_EDATA, "%s: expected %zu %s, got %zu", array->path, n, what, sg_json_array_size(array));
}

sg_status sg_json_numbers(const sg_json_value *array, size_t n, double *out, size_t stride)
{
    sg_json_value v;
    sg_status st = sg_json_check_size(array, n, "numbers");
    for (size_t i = 0; st == SG_OK && i < n; i++) {
        st = sg_json_item(array, i, JSON_REAL, &v);
        if (st == SG_OK) st = check_bounded(&v, &out[i * stride]);
    }
    return st;
}

sg_status sg_json_member_numbers(const sg_json_value *of, const char *key, size_t n, double *out)
{
    sg_json_value array;
    sg_status st = sg_json_member(of, key, JSON_ARRAY, &array);
    return st == SG_OK ? sg_json_numbers(&array, n, out, 1) : st;
}

sg_status sg_json_check_matrix(const sg_json_value *of, const char *key, size_t rows, size_t columns)
{
    sg_json_value list, row;
    sg_status st = sg_json_member(of, key, JSON_ARRAY, &list);
    if (st == SG_OK) st = sg_json_check_size(&list, rows, "arrays");
    for (size_t i = 0; st == SG_OK && i < rows; i++) {
        st = sg_json_item(&list, i, JSON_ARRAY, &row);
        if (st == SG_OK) st = sg_json_check_size(&row, columns, "numbers");
    }
    return st;
}

sg_status sg_json_member_transposed(const sg_json_value *of, const char *key, size_t rows, size_t columns, double *out)
{
    sg_json_value list, row;
    sg_status st = sg_json_member(of, key, JSON_ARRAY, &list);
    for (size_t i = 0; st == SG_OK && i < rows; i++) {
        st = sg_json_item(&list, i, JSON_ARRAY, &row);
        if (st == SG_OK) st = sg_json_numbers(&row, columns, out + i, rows);
    }
    return st;
}
