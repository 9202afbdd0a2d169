/* verb_help.c: implements sugeno help, which prints a help page, or the complete reference in another format. */
#include "help/help.h"

#include <string.h>

static int print_verb(const char *name)
{
    cli_command command;
    const cli_verb *v = cli_verb_find(name);
    if (!v) return CLI_USAGE;
    int code = cli_command_parse(v, NULL, 0, &command); /* sets the default values */
    if (code == CLI_DONE) cli_help_verb(&command);
    cli_command_release(&command);
    return code;
}

int cli_help(const cli_command *c)
{
    const char *format = c->json ? "json" : c->settings.format, *topic = c->operand[0];
    bool text = strcmp(format, "text") == 0;
    if (!text && topic)
        return cli_usage_error("help: %s prints the complete reference; omit %s", c->json ? "--json" : "--format",
                               topic);
    if (strcmp(format, "json") == 0) cli_help_json();
    else if (strcmp(format, "man") == 0) cli_help_man();
    else if (strcmp(format, "markdown") == 0) cli_help_markdown();
    else if (!topic) cli_help_overview();
    else if (strcmp(topic, "options") == 0) cli_help_options(c);
    else if (strcmp(topic, "presets") == 0) cli_help_presets();
    else return print_verb(topic);
    return CLI_DONE;
}
