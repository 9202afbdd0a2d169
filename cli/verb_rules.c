/* verb_rules.c: the rule base in words. */
#include "cli.h"

#include <stdio.h>
#include <string.h>

int cli_rules(const cli_call *c)
{
    sg_model *m;
    char *text = NULL;
    int code = cli_check(sg_model_load(c->operand[0], &m));
    if (code != CLI_DONE) return code;
    code = cli_check(c->json ? sg_model_describe_json(m, &text) : sg_model_describe(m, &text));
    if (code == CLI_DONE) {
        fputs(text, stdout);
        if (text[0] == '\0' || text[strlen(text) - 1] != '\n') putchar('\n');
    }
    sg_text_free(text);
    sg_model_free(m);
    return code;
}
