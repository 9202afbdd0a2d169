/* report.c: a model, and what it does on data, as one page that opens without a network.
 *
 * The page's own text (web/) comes from page.h. Between its head and its tail stand three pieces of JSON: the text of
 * the model file, the words of its rules, and what is known of the data. The page computes all other things that it
 * shows. */
#include "base/memory.h"
#include "base/text.h"
#include "data/source.h"
#include "explain/told.h"
#include "export/page.h"
#include "export/report_rows.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { DIGITS = 6 };

/* --- numbers --- */

static void number(sg_text *t, double value)
{
    if (isfinite(value)) sg_text_number(t, value);
    else sg_text_add(t, "null");
}

/* Column k of a table of `rows` rows, of `columns` numbers each. */
static void column(sg_text *t, const double *table, size_t rows, size_t columns, size_t k)
{
    sg_text_add(t, "[");
    for (size_t i = 0; i < rows; i++) {
        if (i) sg_text_add(t, ",");
        number(t, table[i * columns + k]);
    }
    sg_text_add(t, "]");
}

static void columns_of(sg_text *t, const char *name, const double *table, size_t rows, size_t columns)
{
    sg_text_format(t, ",\n\"%s\": [", name);
    for (size_t k = 0; k < columns; k++) {
        sg_text_add(t, k ? ",\n" : "\n");
        column(t, table, rows, columns, k);
    }
    sg_text_add(t, "]");
}

/* --- what is known of the data --- */

static void write_metrics(sg_text *t, const sg_metrics *metrics, size_t outputs)
{
    sg_text_add(t, ",\n\"metrics\": [");
    for (size_t o = 0; o < outputs; o++) {
        sg_text_format(t, "%s{\"rows\": %zu, \"rmse\": ", o ? ", " : "", metrics[o].rows);
        number(t, metrics[o].rmse);
        sg_text_add(t, ", \"mae\": ");
        number(t, metrics[o].mae);
        sg_text_add(t, ", \"r2\": ");
        number(t, metrics[o].r2);
        sg_text_add(t, "}");
    }
    sg_text_add(t, "]");
}

static void write_importance(sg_text *t, const sg_report_rows *r)
{
    sg_text_add(t, ",\n\"importance\": [");
    for (size_t o = 0; o < r->outputs; o++) {
        sg_text_add(t, o ? ", [" : "[");
        for (size_t k = 0; k < r->inputs; k++) {
            if (k) sg_text_add(t, ",");
            sg_text_rounded(t, r->importance[k * r->outputs + o], DIGITS);
        }
        sg_text_add(t, "]");
    }
    sg_text_add(t, "]");
}

static void write_numbers(sg_text *t, const sg_report_rows *r)
{
    sg_text_add(t, ",\n\"row\": [");
    for (size_t i = 0; i < r->rows; i++) sg_text_format(t, "%s%zu", i ? "," : "", r->row[i] + 1);
    sg_text_add(t, "]");
}

static void write_data(sg_text *t, const sg_report_rows *r, const sg_source *source, const sg_metrics *metrics)
{
    sg_text_format(t, "{\"rows\": %zu, \"name\": ", source->rows);
    sg_text_json(t, source->name ? source->name : "");
    write_metrics(t, metrics, r->outputs);
    if (r->rows < source->rows) write_numbers(t, r); /* else row i is row i */
    columns_of(t, "x", r->x, r->rows, r->inputs);
    columns_of(t, "y", r->y, r->rows, r->outputs);
    columns_of(t, "predicted", r->predicted, r->rows, r->outputs);
    write_importance(t, r);
    sg_text_add(t, "}");
}

static sg_status data_text(const sg_model *m, const sg_source *rows, const char *weights, size_t threads, sg_text *t)
{
    sg_report_rows r;
    sg_metrics *metrics = sg_alloc(m->outputs, sizeof *metrics);
    sg_status st = metrics ? sg_report_rows_init(&r, m, rows) : sg_fail(SG_ENOMEM, "out of memory for a report");
    if (st == SG_OK) {
        st = sg_model_evaluate(m, rows, weights, threads, metrics);
        if (st == SG_OK) write_data(t, &r, rows, metrics);
        if (st == SG_OK && t->failed) st = sg_fail(SG_ENOMEM, "out of memory for a report");
        sg_report_rows_release(&r);
    }
    free(metrics);
    return st;
}

/* --- the page --- */

/* JSON inside of a script element: "<" can stand in its strings alone, and written as \u003c it can neither end the
 * element nor begin a comment, whatever a column is called. */
static sg_status put_json(sg_output *out, const char *id, const char *json)
{
    sg_text open = {0};
    sg_text_format(&open, "<script type=\"application/json\" id=\"%s\">\n", id);
    sg_status st =
        open.failed ? sg_fail(SG_ENOMEM, "out of memory for a report") : sg_output_write(out, open.bytes, open.length);
    sg_text_release(&open);
    while (st == SG_OK && *json) {
        size_t n = strcspn(json, "<");
        st = sg_output_write(out, json, n);
        json += n;
        if (st == SG_OK && *json) st = sg_output_write(out, "\\u003c", 6);
        if (*json) json++;
    }
    return st == SG_OK ? sg_output_write(out, "\n</script>\n", 11) : st;
}

static sg_status put_page(const char *model, const char *words, const char *data, const char *path)
{
    sg_output *out;
    sg_status st = sg_output_open(path, &out);
    if (st != SG_OK) return st;
    st = sg_output_write(out, (const char *)sg_page_head, sg_page_head_length);
    if (st == SG_OK) st = put_json(out, "model", model);
    if (st == SG_OK) st = put_json(out, "words", words);
    if (st == SG_OK) st = put_json(out, "data", data);
    if (st == SG_OK) st = sg_output_write(out, (const char *)sg_page_tail, sg_page_tail_length);
    if (st == SG_OK) return sg_output_commit(out);
    sg_output_free(out);
    return st;
}

/* Bytes of the words of rules: some 8,000 of them. An ensemble may have more. */
enum { WORDS = 1 << 20 };

sg_status sg_model_report(const sg_model *m, const sg_source *rows, const char *weights, size_t threads,
                          const char *path)
{
    char *model = NULL;
    sg_text words = {0}, data = {0};
    sg_status st = sg_model_to_text(m, &model);
    if (st == SG_OK) st = sg_model_told(m, WORDS, &words);
    if (st == SG_OK && rows) st = data_text(m, rows, weights, threads, &data);
    if (st == SG_OK) st = put_page(model, words.bytes, rows ? data.bytes : "null", path);
    sg_text_release(&words);
    sg_text_release(&data);
    sg_text_free(model);
    return st;
}
