/* verb_explain.c: what predictions are made of: terms of all rows as CSV, of one row in words, importance, partial
 * dependence. */
#include "output/json_emit.h"
#include "verb/explain_modes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- rows, in words or as JSON --- */

typedef struct row_printer {
    sg_explainer *explainer;
    bool json, alone; /* one row is all there is */
    size_t told;
} row_printer;

static sg_status print_row(void *arg, size_t row, const sg_explanation *outputs)
{
    row_printer *t = arg;
    char *text;
    (void)outputs;
    sg_status st =
        t->json ? sg_explainer_json(t->explainer, row + 1, &text) : sg_explainer_text(t->explainer, row + 1, &text);
    if (st != SG_OK) return st;
    if (t->told++) fputs(", ", stdout);
    fputs(text, stdout);
    sg_string_free(text);
    return SG_OK;
}

static int print_rows(const cli_command *c, const sg_model *m, const sg_source *rows, size_t first, size_t n)
{
    row_printer t = {.json = c->json, .alone = *cli_option_get(c, "row") != '\0'};
    int code = cli_exit_code(sg_explainer_new(m, &t.explainer));
    if (code == CLI_DONE && !t.alone) printf("{\"rows\": %zu, \"explanations\": [", n);
    if (code == CLI_DONE) code = cli_exit_code(sg_explainer_source(t.explainer, rows, first, n, print_row, &t));
    if (code == CLI_DONE && !t.alone) puts("]}");
    sg_explainer_free(t.explainer);
    return code;
}

/* The terms are in the file. */
static int print_summary(size_t rows, const char *path)
{
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_count(&j, "rows", rows);
    cli_json_text(&j, "output", path);
    cli_json_close(&j, '{');
    putchar('\n');
    return CLI_DONE;
}

static int explain_rows(const cli_command *c, const sg_model *m, const sg_source *rows)
{
    const char *path = cli_option_get(c, "output"), *row = cli_option_get(c, "row");
    size_t number = *row ? (size_t)strtoull(row, NULL, 10) : 0, first = number ? number - 1 : 0,
           n = number ? 1 : rows->rows;
    if (number > rows->rows)
        return cli_error("%s: --row %zu: expected 1 to %zu, as many rows as there are",
                         rows->name ? rows->name : "DATA", number, rows->rows);
    if (!*path && (number || c->json)) return print_rows(c, m, rows, first, n);
    int code = cli_explain_csv(c, m, rows, first, n);
    return code == CLI_DONE && c->json ? print_summary(n, path) : code;
}

/* --- what is asked for --- */

static int fail_unknown_input(const sg_model *m, const char *name, const char *near)
{
    char list[256] = "";
    size_t used = 0, n = sg_model_inputs(m);
    if (near) return cli_error("--partial %s: the model has no such input; did you mean %s?", name, near);
    for (size_t i = 0; i < n && i < 5 && used < sizeof list; i++)
        used += (size_t)snprintf(list + used, sizeof list - used, "%s%.40s", i ? ", " : "", sg_model_input_name(m, i));
    return cli_error("--partial %s: the model has no such input, but %s%s", name, list, n > 5 ? ", ..." : "");
}

static int find_input(const sg_model *m, const char *name, size_t *out)
{
    size_t n = sg_model_inputs(m), i = 0;
    const char **names = calloc(n + 1, sizeof *names);
    if (!names) return cli_error("out of memory");
    for (; i < n && strcmp(sg_model_input_name(m, i), name) != 0; i++) names[i] = sg_model_input_name(m, i);
    const char *near = i < n ? NULL : sg_suggest(name, names);
    free(names);
    *out = i;
    return i < n ? CLI_DONE : fail_unknown_input(m, name, near);
}

static int check_options(const cli_command *c)
{
    bool row = *cli_option_get(c, "row") != '\0', partial = *cli_option_get(c, "partial") != '\0',
         importance = cli_option_flag(c, "importance");
    if (row + partial + importance > 1)
        return cli_usage_error("%s or %s: expected one of them", row ? "--row" : "--importance",
                               partial ? "--partial" : "--importance");
    if (importance && *cli_option_get(c, "output"))
        return cli_usage_error("--importance prints its tables; --output is for CSV");
    return cli_check_outputs(c);
}

static int explain_data(const cli_command *c, const sg_model *m, const sg_source *rows)
{
    const char *partial = cli_option_get(c, "partial");
    size_t input = 0;
    if (cli_option_flag(c, "importance")) return cli_explain_importance(c, m, rows);
    if (!*partial) return explain_rows(c, m, rows);
    int code = find_input(m, partial, &input);
    return code == CLI_DONE ? cli_explain_partial(c, m, rows, input) : code;
}

int cli_explain(const cli_command *c)
{
    sg_model *m = NULL;
    sg_dataset *data = NULL;
    int code = check_options(c);
    if (code == CLI_DONE) code = cli_exit_code(sg_model_load(c->operand[0], &m));
    if (code == CLI_DONE) code = cli_open_data_for_model(c, m, false, &data);
    if (code == CLI_DONE) {
        sg_source rows = sg_dataset_source(data);
        cli_notify_ignored_columns(c, m, data);
        code = explain_data(c, m, &rows);
    }
    sg_dataset_free(data);
    sg_model_free(m);
    return code;
}
