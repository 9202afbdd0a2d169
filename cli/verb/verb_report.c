/* verb_report.c: implements sugeno report, which writes an HTML page about a model and its accuracy on data. */
#include "cli.h"
#include "output/json_emit.h"

#include <stdio.h>
#include <string.h>

int cli_default_report_path(const char *model, char path[CLI_PATH_SIZE])
{
    size_t length = strlen(model);
    if (length > 5 && strcmp(model + length - 5, ".json") == 0) length -= 5;
    int n = snprintf(path, CLI_PATH_SIZE, "%.*s.html", (int)length, model);
    return n < CLI_PATH_SIZE ? CLI_DONE : cli_usage_error("the file name of the report would be too long");
}

int cli_report(const cli_command *c)
{
    char default_path[CLI_PATH_SIZE];
    const char *model = cli_is_stdout(c->operand[0]) ? "report" : c->operand[0], *path = c->settings.output;
    cli_model_data d = {0};
    int code = *path ? CLI_DONE : cli_default_report_path(model, default_path);
    if (!*path) path = default_path;
    if (code == CLI_DONE) code = cli_check_output_path(c, "--output ", path, c->operands);
    if (code == CLI_DONE) code = cli_open_model_data(c, true, &d);
    if (code == CLI_DONE)
        code = cli_exit_code(
            sg_model_report(d.model, d.data ? &d.rows : NULL, c->settings.weights, c->settings.threads, path));
    if (code == CLI_DONE && c->json) cli_json_file_summary(d.rows.rows, "output", path);
    else if (code == CLI_DONE && !cli_is_stdout(path)) printf("report  %s\n", path);
    cli_model_data_release(&d);
    return code;
}
