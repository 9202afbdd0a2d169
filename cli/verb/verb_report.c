/* verb_report.c: a model, and what it does on data, as one page for a browser. */
#include "cli.h"
#include "output/json_emit.h"

#include <stdio.h>
#include <string.h>

int cli_default_report_path(const char *model, char path[CLI_PATH_SIZE])
{
    size_t length = strlen(model);
    if (length > 5 && strcmp(model + length - 5, ".json") == 0) length -= 5;
    int n = snprintf(path, CLI_PATH_SIZE, "%.*s.html", (int)length, model);
    return n < CLI_PATH_SIZE ? CLI_DONE : cli_usage_error("the name of the file is too long for a page beside it");
}

/* --output, or the model's name with .html in the place of .json. */
static int report_path(const cli_command *c, char path[CLI_PATH_SIZE])
{
    const char *given = cli_option_get(c, "output"),
               *model = strcmp(c->operand[0], "-") == 0 ? "report" : c->operand[0];
    if (!*given) return cli_default_report_path(model, path);
    int n = snprintf(path, CLI_PATH_SIZE, "%s", given);
    return n < CLI_PATH_SIZE ? CLI_DONE : cli_usage_error("--output: the name of the file is too long");
}

static void print_summary(const cli_command *c, const char *path, const sg_source *rows)
{
    cli_json j = {0};
    if (!c->json) {
        if (strcmp(path, "-") != 0) printf("report  %s\n", path);
        return;
    }
    cli_json_open(&j, NULL, '{');
    cli_json_count(&j, "rows", rows ? rows->rows : 0);
    cli_json_text(&j, "output", path);
    cli_json_close(&j, '{');
    putchar('\n');
}

int cli_report(const cli_command *c)
{
    char path[CLI_PATH_SIZE];
    sg_model *m = NULL;
    sg_dataset *data = NULL;
    sg_source rows;
    int code = report_path(c, path);
    if (code == CLI_DONE) code = cli_check_output_path(c, "--output ", path, c->operands);
    if (code == CLI_DONE) code = cli_exit_code(sg_model_load(c->operand[0], &m));
    if (code == CLI_DONE && c->operands > 1) code = cli_open_data_for_model(c, m, true, &data);
    if (data) rows = sg_dataset_source(data);
    if (code == CLI_DONE)
        code = cli_exit_code(
            sg_model_report(m, data ? &rows : NULL, sg_options_get(c->options, "weights"), cli_threads(c), path));
    if (code == CLI_DONE) print_summary(c, path, data ? &rows : NULL);
    sg_dataset_free(data);
    sg_model_free(m);
    return code;
}
