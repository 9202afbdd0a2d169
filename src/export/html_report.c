/* html_report.c: writes a model, and its predictions on data, as one HTML page that needs no network.
 *
 * The page is a template, built from web/ (page_template.h). Between its head and tail go three JSON documents: the
 * model file, the text of the rules, and the data. The page computes everything else that it shows. */
#include "base/json_append.h"
#include "base/memory.h"
#include "explain/rules/html_report_rules.h"
#include "export/match_training_rows.h"
#include "export/page_template.h"
#include "export/report_data.h"

#include <stdlib.h>
#include <string.h>

enum { DIGITS = 6 };

/* --- data --- */

/* Writes the columns of a row-major table as arrays. */
static void write_columns(sg_text *t, const char *name, const double *table, size_t rows, size_t columns)
{
    sg_text_append_format(t, ",\n\"%s\": [", name);
    for (size_t k = 0; k < columns; k++) {
        sg_text_append(t, k ? ",\n[" : "\n[");
        for (size_t i = 0; i < rows; i++) sg_json_append(t, i ? ",%g" : "%g", table[i * columns + k]);
        sg_text_append(t, "]");
    }
    sg_text_append(t, "]");
}

static void write_metrics(sg_text *t, const sg_metrics *m, size_t outputs)
{
    sg_text_append(t, ",\n\"metrics\": [");
    for (size_t o = 0; o < outputs; o++)
        sg_json_append(t,
                       o ? ", {\"rows\": %zu, \"rmse\": %g, \"mae\": %g, \"r2\": %g}"
                         : "{\"rows\": %zu, \"rmse\": %g, \"mae\": %g, \"r2\": %g}",
                       m[o].rows, m[o].rmse, m[o].mae, m[o].r2);
    sg_text_append(t, "]");
}

static void write_importance(sg_text *t, const sg_report_data *r)
{
    sg_text_append(t, ",\n\"importance\": [");
    for (size_t o = 0; o < r->outputs; o++) {
        sg_text_append(t, o ? ", [" : "[");
        for (size_t k = 0; k < r->inputs; k++) {
            if (k) sg_text_append(t, ",");
            sg_text_append_rounded(t, r->importance[k * r->outputs + o], DIGITS);
        }
        sg_text_append(t, "]");
    }
    sg_text_append(t, "]");
}

static void write_row_numbers(sg_text *t, const sg_report_data *r)
{
    sg_text_append(t, ",\n\"row\": [");
    for (size_t i = 0; i < r->rows; i++) sg_text_append_format(t, "%s%zu", i ? "," : "", r->row_index[i] + 1);
    sg_text_append(t, "]");
}

static void write_data(sg_text *t, const sg_report_data *r, const sg_source *source, sg_rows_origin origin,
                       const sg_metrics *metrics)
{
    sg_json_append(t, "{\"rows\": %zu, \"name\": %s, \"origin\": %s", source->rows, source->name ? source->name : "",
                   sg_rows_origin_name(origin));
    write_metrics(t, metrics, r->outputs);
    if (r->rows < source->rows) write_row_numbers(t, r); /* otherwise the page has all rows */
    write_columns(t, "x", r->x, r->rows, r->inputs);
    write_columns(t, "y", r->y, r->rows, r->outputs);
    write_columns(t, "predicted", r->predicted, r->rows, r->outputs);
    write_importance(t, r);
    sg_text_append(t, "}");
}

static sg_status format_data(const sg_model *m, const sg_source *rows, const char *weights, size_t threads, sg_text *t)
{
    sg_report_data r;
    sg_rows_origin origin = SG_ROWS_UNKNOWN;
    sg_metrics *metrics = sg_calloc(m->outputs, sizeof *metrics);
    sg_status st = metrics ? sg_report_data_init(&r, m, rows) : sg_fail_out_of_memory("a report");
    if (st == SG_OK) {
        st = sg_rows_find_origin(m, rows, weights, threads, &origin);
        if (st == SG_OK) st = sg_model_evaluate(m, rows, weights, threads, metrics);
        if (st == SG_OK) write_data(t, &r, rows, origin, metrics);
        if (st == SG_OK && t->failed) st = sg_fail_out_of_memory("a report");
        sg_report_data_release(&r);
    }
    free(metrics);
    return st;
}

/* --- page --- */

/* Writes JSON in a script element. "<" occurs only in JSON strings. It is written as \u003c, so that column names can
 * neither end the element nor begin a comment. */
static sg_status write_json_script(sg_atomic_file *out, const char *id, const char *json)
{
    sg_text open = {0};
    sg_text_append_format(&open, "<script type=\"application/json\" id=\"%s\">\n", id);
    sg_status st = open.failed ? sg_fail_out_of_memory("a report") : sg_atomic_file_write(out, open.bytes, open.length);
    sg_text_release(&open);
    while (st == SG_OK && *json) {
        size_t n = strcspn(json, "<");
        st = sg_atomic_file_write(out, json, n);
        json += n;
        if (st == SG_OK && *json) st = sg_atomic_file_write(out, "\\u003c", 6);
        if (*json) json++;
    }
    return st == SG_OK ? sg_atomic_file_write(out, "\n</script>\n", 11) : st;
}

static sg_status write_page(const char *model, const char *words, const char *data, const char *path)
{
    sg_atomic_file *out;
    sg_status st = sg_atomic_file_open(path, &out);
    if (st != SG_OK) return st;
    st = sg_atomic_file_write(out, (const char *)sg_page_head, sg_page_head_length);
    if (st == SG_OK) st = write_json_script(out, "model", model);
    if (st == SG_OK) st = write_json_script(out, "words", words);
    if (st == SG_OK) st = write_json_script(out, "data", data);
    if (st == SG_OK) st = sg_atomic_file_write(out, (const char *)sg_page_tail, sg_page_tail_length);
    if (st == SG_OK) return sg_atomic_file_commit(out);
    sg_atomic_file_free(out);
    return st;
}

/* This is enough for about 8,000 rules. An ensemble may have more. */
enum { MAX_RULE_TEXT_BYTES = 1 << 20 };

sg_status sg_model_report(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                          const char *path)
{
    char *model = NULL;
    sg_text words = {0}, data = {0};
    sg_status st = sg_model_to_json(m, &model);
    if (st == SG_OK) st = sg_report_rules_json(m, MAX_RULE_TEXT_BYTES, &words);
    if (st == SG_OK && rows) st = format_data(m, rows, weights, threads, &data);
    if (st == SG_OK) st = write_page(model, words.bytes, rows ? data.bytes : "null", path);
    sg_text_release(&words);
    sg_text_release(&data);
    sg_string_free(model);
    return st;
}
