/* verb_rules.c: implements sugeno rules, which prints the rules of a model. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

int cli_rules(const cli_command *c)
{
    sg_model *m;
    char *text = NULL;
    const char *format = c->json ? "json" : c->settings.format;
    if (strcmp(format, "man") == 0) return cli_usage_error("--format: expected text, markdown or json, got man");
    int code = cli_exit_code(sg_model_load(c->operand[0], &m));
    if (code != CLI_DONE) return code;
    code = cli_exit_code(sg_model_describe_as(m, format, c->settings.top, &text));
    if (code == CLI_DONE) {
        fputs(text, stdout);
        if (text[0] == '\0' || text[strlen(text) - 1] != '\n') putchar('\n');
    }
    sg_string_free(text);
    sg_model_free(m);
    return code;
}
