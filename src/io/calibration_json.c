/* calibration_json.c: reads and writes the calibration in a model file. "intervals" holds the quantiles of
 * out-of-sample absolute errors; "covered" holds the firing level below which a row is outside the support. */
#include "base/json_append.h"
#include "base/memory.h"
#include "io/model_json_parts.h"

/* --- calibration: reading --- */

/* Reads n non-decreasing numbers from 0 to `most`. */
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
