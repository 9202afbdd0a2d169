/* model_calibration.c: see model_calibration.h. */
#include "io/model_calibration.h"

#include "base/memory.h"
#include "io/model_json.h"

/* --- reading --- */

static sg_status check_nondecreasing(const sg_json_value *list, const double *x, size_t n, double most)
{
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] >= 0 && x[i] <= most))
            return sg_fail(SG_EDATA, "%s[%zu]: expected a number from 0 to %g", list->path, i, most);
        if (i && x[i] < x[i - 1]) return sg_fail(SG_EDATA, "%s[%zu]: expected numbers that rise", list->path, i);
    }
    return SG_OK;
}

static sg_status read_errors(const sg_json_value *item, double rows, sg_error_quantiles *e)
{
    sg_json_value ranks, sizes;
    sg_status st = sg_json_member(item, "ranks", JSON_ARRAY, &ranks);
    if (st == SG_OK) st = sg_json_member(item, "sizes", JSON_ARRAY, &sizes);
    if (st != SG_OK) return st;
    size_t n = sg_json_array_size(&ranks);
    if (n < 1 || n > SG_ERROR_QUANTILES_MAX)
        return sg_fail(SG_EDATA, "%s: expected 1 to %d numbers, not %zu", ranks.path, SG_ERROR_QUANTILES_MAX, n);
    if (!sg_error_quantiles_init(e, n)) return sg_fail(SG_ENOMEM, "%s: out of memory", item->path);
    st = sg_json_numbers(&ranks, n, e->rank, 1);
    if (st == SG_OK) st = sg_json_numbers(&sizes, n, e->abs_error, 1);
    if (st == SG_OK) st = check_nondecreasing(&ranks, e->rank, n, rows);
    return st == SG_OK ? check_nondecreasing(&sizes, e->abs_error, n, SG_MODEL_MAX_ABS) : st;
}

static sg_status read_intervals(const sg_json_value *root, sg_model *m)
{
    sg_json_value of, list, item;
    long rows;
    sg_status st = sg_json_member(root, "intervals", JSON_OBJECT, &of);
    if (st == SG_OK) st = sg_json_integer(&of, "rows", 1, 1L << 53, &rows);
    if (st == SG_OK) st = sg_json_member(&of, "errors", JSON_ARRAY, &list);
    if (st == SG_OK && sg_json_array_size(&list) != m->outputs)
        st = sg_fail(SG_EDATA, "%s: expected %zu items, one a target, not %zu", list.path, m->outputs,
                     sg_json_array_size(&list));
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

/* --- writing --- */

static void write_errors(sg_text *t, const sg_error_quantiles *e)
{
    sg_text_append(t, "    {\"ranks\": ");
    sg_json_write_numbers(t, e->rank, e->points, 1);
    sg_text_append(t, ",\n     \"sizes\": ");
    sg_json_write_numbers(t, e->abs_error, e->points, 1);
    sg_text_append(t, "}");
}

void sg_model_calibration_write(sg_text *t, const sg_model *m)
{
    const sg_calibration *s = &m->calibration;
    if (s->errors) {
        sg_text_append_format(t, "  \"intervals\": {\"rows\": %zu, \"errors\": [\n", s->effective_rows);
        for (size_t o = 0; o < s->outputs; o++) {
            write_errors(t, &s->errors[o]);
            sg_text_append(t, o + 1 < s->outputs ? ",\n" : "\n");
        }
        sg_text_append(t, "  ]},\n");
    }
    if (!s->support_rows) return;
    sg_text_append_format(t, "  \"covered\": {\"rows\": %zu", s->support_rows);
    sg_json_write_number(t, "log_firing", s->min_log_firing);
    sg_text_append(t, "},\n");
}
