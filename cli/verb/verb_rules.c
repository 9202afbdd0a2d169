/* verb_rules.c: the rule base in words. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_rules(const cli_command *c)
{
    sg_model *m;
    char *text = NULL;
    const char *format = cli_option_get(c, "format");
    if (strcmp(format, "man") == 0)
        return cli_usage_error("--format man is for help; rules come as text, markdown or json");
    int code = cli_exit_code(sg_model_load(c->operand[0], &m));
    if (code != CLI_DONE) return code;
    code = cli_exit_code(
        sg_model_describe_as(m, c->json ? "json" : format, strtoul(cli_option_get(c, "top"), NULL, 10), &text));
    if (code == CLI_DONE) {
        fputs(text, stdout);
        if (text[0] == '\0' || text[strlen(text) - 1] != '\n') putchar('\n');
    }
    sg_string_free(text);
    sg_model_free(m);
    return code;
}
