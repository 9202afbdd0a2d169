/* verb_explain.c: implements sugeno explain: terms as CSV, one row as text, importance, and partial dependence. */
#include "cli.h"
#include "output/json_emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* --- rows as text or JSON --- */

typedef struct row_printer {
    sg_explainer *explainer;
    bool json;
    size_t printed;
} row_printer;

/* An sg_explanation_fn. */
static sg_status print_row(void *arg, size_t row, const sg_explanation *outputs)
{
    row_printer *t = arg;
    char *text;
    (void)outputs;
    sg_status st =
        t->json ? sg_explainer_json(t->explainer, row + 1, &text) : sg_explainer_text(t->explainer, row + 1, &text);
    if (st != SG_OK) return st;
    if (t->printed++) fputs(", ", stdout);
    fputs(text, stdout);
    sg_string_free(text);
    return SG_OK;
}

static int print_rows(const cli_command *c, const sg_model *m, const sg_source *rows, size_t first, size_t n)
{
    row_printer t = {.json = c->json};
    bool array = c->settings.row == 0;
    int code = cli_exit_code(sg_explainer_new(m, &t.explainer));
    if (code == CLI_DONE && array) printf("{\"rows\": %zu, \"explanations\": [", n);
    if (code == CLI_DONE) code = cli_exit_code(sg_explainer_source(t.explainer, rows, first, n, print_row, &t));
    if (code == CLI_DONE && array) puts("]}");
    sg_explainer_free(t.explainer);
    return code;
}

static int explain_rows(const cli_command *c, const sg_model *m, const sg_source *rows)
{
    const char *path = c->settings.output;
    size_t row = c->settings.row, first = row ? row - 1 : 0, n = row ? 1 : rows->rows;
    if (row > rows->rows)
        return cli_error("%s: --row %zu is out of range; expected a row from 1 to %zu",
                         rows->name ? rows->name : "DATA", row, rows->rows);
    if (!*path && (row || c->json)) return print_rows(c, m, rows, first, n);
    int code = cli_explain_csv(c, m, rows, first, n);
    if (code == CLI_DONE && c->json) cli_json_file_summary(n, "output", path);
    return code;
}

/* --- choosing a mode --- */

static int find_input(const cli_command *c, const sg_model *m, size_t *out)
{
    const char *name = c->settings.partial;
    size_t n = sg_model_inputs(m), i = 0;
    const char **names = calloc(n + 1, sizeof *names);
    if (!names) return cli_error("out of memory");
    for (; i < n && strcmp(sg_model_input_name(m, i), name) != 0; i++) names[i] = sg_model_input_name(m, i);
    const char *suggestion = i < n ? NULL : sg_suggest(name, names);
    free(names);
    *out = i;
    if (i < n) return CLI_DONE;
    if (suggestion) return cli_error("--partial %s: the model has no such input; did you mean %s?", name, suggestion);
    return cli_error("--partial %s: the model has no such input; see sugeno info %s", name, c->operand[0]);
}

static int check_options(const cli_command *c)
{
    bool row = c->settings.row > 0, partial = *c->settings.partial, importance = c->settings.importance;
    if (row + partial + importance > 1)
        return cli_usage_error("%s and %s cannot be used together", row ? "--row" : "--importance",
                               partial ? "--partial" : "--importance");
    if (importance && *c->settings.output)
        return cli_usage_error("--importance prints tables to standard output and cannot be used with --output");
    return cli_check_outputs(c);
}

static int explain_data(const cli_command *c, const sg_model *m, const sg_source *rows)
{
    size_t input = 0;
    if (c->settings.importance) return cli_explain_importance(c, m, rows);
    if (!*c->settings.partial) return explain_rows(c, m, rows);
    int code = find_input(c, m, &input);
    return code == CLI_DONE ? cli_explain_partial(c, m, rows, input) : code;
}

int cli_explain(const cli_command *c)
{
    cli_model_data d = {0};
    int code = check_options(c);
    if (code == CLI_DONE) code = cli_open_model_data(c, false, &d);
    if (code == CLI_DONE) code = explain_data(c, d.model, &d.rows);
    cli_model_data_release(&d);
    return code;
}
