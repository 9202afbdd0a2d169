/* verb_report.c: a model, and what it does on data, as one page for a browser. */
#include "cli.h"
#include "json_emit.h"

#include <stdio.h>
#include <string.h>

int cli_page_beside(const char *model, char path[CLI_PATH])
{
    size_t length = strlen(model);
    if (length > 5 && strcmp(model + length - 5, ".json") == 0) length -= 5;
    int n = snprintf(path, CLI_PATH, "%.*s.html", (int)length, model);
    return n < CLI_PATH ? CLI_DONE : cli_usage("the name of the file is too long for a page beside it");
}

/* --output, or the model's name with .html in the place of .json. */
static int path_of(const cli_call *c, char path[CLI_PATH])
{
    const char *given = cli_own(c, "output"), *model = strcmp(c->operand[0], "-") == 0 ? "report" : c->operand[0];
    if (!*given) return cli_page_beside(model, path);
    int n = snprintf(path, CLI_PATH, "%s", given);
    return n < CLI_PATH ? CLI_DONE : cli_usage("--output: the name of the file is too long");
}

static void tell(const cli_call *c, const char *path, const sg_source *rows)
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

int cli_report(const cli_call *c)
{
    char path[CLI_PATH];
    sg_model *m = NULL;
    sg_data *data = NULL;
    sg_source rows;
    int code = path_of(c, path);
    if (code == CLI_DONE) code = cli_check_written(c, "--output ", path, c->operands);
    if (code == CLI_DONE) code = cli_check(sg_model_load(c->operand[0], &m));
    if (code == CLI_DONE && c->operands > 1) code = cli_read_for(c, m, true, &data);
    if (data) rows = sg_data_source(data);
    if (code == CLI_DONE)
        code = cli_check(
            sg_model_report(m, data ? &rows : NULL, sg_options_get(c->options, "weights"), cli_threads(c), path));
    if (code == CLI_DONE) tell(c, path, data ? &rows : NULL);
    sg_data_free(data);
    sg_model_free(m);
    return code;
}
