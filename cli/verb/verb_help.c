/* verb_help.c: which page of help is asked for. */
#include "help/help.h"

#include <string.h>

static int print_topic(const cli_command *c, const char *name)
{
    if (strcmp(name, "options") == 0) cli_help_options(c);
    else if (strcmp(name, "presets") == 0) cli_help_presets();
    else {
        cli_command about;
        const cli_verb *v = cli_verb_find(name);
        if (!v) return CLI_USAGE;
        int code = cli_command_parse(v, NULL, 0, &about); /* as if nothing stood beside --help */
        if (code == CLI_DONE) cli_help_verb(&about);
        cli_command_release(&about);
        return code;
    }
    return CLI_DONE;
}

int cli_help(const cli_command *c)
{
    const char *format = cli_option_get(c, "format"), *name = c->operand[0];
    bool json = c->json || strcmp(format, "json") == 0, whole = json || strcmp(format, "text") != 0;
    if (whole && name)
        return cli_usage_error("help: %s prints all there is; leave %s out", c->json ? "--json" : "--format", name);
    if (json) cli_help_json();
    else if (strcmp(format, "man") == 0) cli_help_man();
    else if (strcmp(format, "markdown") == 0) cli_help_markdown();
    else if (name) return print_topic(c, name);
    else cli_help_overview();
    return CLI_DONE;
}
