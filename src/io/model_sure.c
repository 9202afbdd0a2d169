/* model_sure.c: see model_sure.h. */
#include "io/model_sure.h"

#include "base/memory.h"
#include "io/model_text.h"

/* --- reading --- */

static sg_status rising(const sg_json *list, const double *x, size_t n, double most)
{
    for (size_t i = 0; i < n; i++) {
        if (!(x[i] >= 0 && x[i] <= most))
            return sg_fail(SG_EDATA, "%s[%zu]: expected a number from 0 to %g", list->where, i, most);
        if (i && x[i] < x[i - 1]) return sg_fail(SG_EDATA, "%s[%zu]: expected numbers that rise", list->where, i);
    }
    return SG_OK;
}

static sg_status read_errors(const sg_json *item, double rows, sg_errors *e)
{
    sg_json ranks, sizes;
    sg_status st = sg_json_member(item, "ranks", JSON_ARRAY, &ranks);
    if (st == SG_OK) st = sg_json_member(item, "sizes", JSON_ARRAY, &sizes);
    if (st != SG_OK) return st;
    size_t n = sg_json_size(&ranks);
    if (n < 1 || n > SG_ERRORS_MOST)
        return sg_fail(SG_EDATA, "%s: expected 1 to %d numbers, not %zu", ranks.where, SG_ERRORS_MOST, n);
    if (!sg_errors_init(e, n)) return sg_fail(SG_ENOMEM, "%s: out of memory", item->where);
    st = sg_json_numbers(&ranks, n, e->rank, 1);
    if (st == SG_OK) st = sg_json_numbers(&sizes, n, e->size, 1);
    if (st == SG_OK) st = rising(&ranks, e->rank, n, rows);
    return st == SG_OK ? rising(&sizes, e->size, n, SG_LARGEST) : st;
}

static sg_status read_intervals(const sg_json *root, sg_model *m)
{
    sg_json of, list, item;
    long rows;
    sg_status st = sg_json_member(root, "intervals", JSON_OBJECT, &of);
    if (st == SG_OK) st = sg_json_whole(&of, "rows", 1, 1L << 53, &rows);
    if (st == SG_OK) st = sg_json_member(&of, "errors", JSON_ARRAY, &list);
    if (st == SG_OK && sg_json_size(&list) != m->outputs)
        st = sg_fail(SG_EDATA, "%s: expected %zu items, one a target, not %zu", list.where, m->outputs,
                     sg_json_size(&list));
    if (st != SG_OK) return st;
    m->sure.errors = sg_alloc(m->outputs, sizeof *m->sure.errors);
    if (!m->sure.errors) return sg_fail(SG_ENOMEM, "%s: out of memory", list.where);
    m->sure.outputs = m->outputs;
    m->sure.rows = (size_t)rows;
    for (size_t o = 0; st == SG_OK && o < m->outputs; o++) {
        st = sg_json_item(&list, o, JSON_OBJECT, &item);
        if (st == SG_OK) st = read_errors(&item, (double)rows, &m->sure.errors[o]);
    }
    return st;
}

static sg_status read_covered(const sg_json *root, sg_sure *s)
{
    sg_json of;
    long rows;
    sg_status st = sg_json_member(root, "covered", JSON_OBJECT, &of);
    if (st == SG_OK) st = sg_json_whole(&of, "rows", 1, 1L << 53, &rows);
    if (st == SG_OK) st = sg_json_number(&of, "log_firing", &s->firing);
    if (st == SG_OK) s->seen = (size_t)rows;
    return st;
}

sg_status sg_sure_read(const sg_json *root, sg_model *m)
{
    sg_status st = sg_json_has(root, "intervals") ? read_intervals(root, m) : SG_OK;
    return st == SG_OK && sg_json_has(root, "covered") ? read_covered(root, &m->sure) : st;
}

/* --- writing --- */

static void write_errors(sg_text *t, const sg_errors *e)
{
    sg_text_add(t, "    {\"ranks\": ");
    sg_model_numbers(t, e->rank, e->points, 1);
    sg_text_add(t, ",\n     \"sizes\": ");
    sg_model_numbers(t, e->size, e->points, 1);
    sg_text_add(t, "}");
}

void sg_sure_write(sg_text *t, const sg_model *m)
{
    const sg_sure *s = &m->sure;
    if (s->errors) {
        sg_text_format(t, "  \"intervals\": {\"rows\": %zu, \"errors\": [\n", s->rows);
        for (size_t o = 0; o < s->outputs; o++) {
            write_errors(t, &s->errors[o]);
            sg_text_add(t, o + 1 < s->outputs ? ",\n" : "\n");
        }
        sg_text_add(t, "  ]},\n");
    }
    if (!s->seen) return;
    sg_text_format(t, "  \"covered\": {\"rows\": %zu", s->seen);
    sg_model_number(t, "log_firing", s->firing);
    sg_text_add(t, "},\n");
}
