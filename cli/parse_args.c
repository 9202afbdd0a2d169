/* parse_args.c: parses the command line: --name value, --name=value, --flag, --no-flag, -o value. Options and operands
 * may come in any order; "--" ends the options. */
#include "cli.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64 };

typedef struct option_setting {
    const sg_option *option;
    const char *value;
} option_setting;

typedef struct parser {
    cli_command *command;
    char **next, **end;
    option_setting *settings; /* in the order in which they are given */
    size_t count;
} parser;

/* --- unknown options --- */

static const char *suggest_name(const cli_verb *v, const char *typed)
{
    enum { MOST = 256 };
    const char *names[MOST] = {NULL};
    const sg_option *option;
    size_t n = 0;
    for (size_t i = 0; (option = cli_option_at(i)) && n < MOST - 1; i++)
        if (cli_verb_accepts(v, option)) names[n++] = option->name;
    return sg_suggest(typed, names);
}

static int fail_unknown_option(const cli_verb *v, const char *arg)
{
    char name[NAME_SIZE] = "";
    const char *typed = arg + strspn(arg, "-");
    size_t n = strcspn(typed, "=");
    if (n < sizeof name) memcpy(name, typed, n);
    const char *suggestion = *name ? suggest_name(v, name) : NULL;
    int length = (int)(typed + n - arg);
    if (suggestion) return cli_usage_error("unknown option %.*s; did you mean --%s?", length, arg, suggestion);
    return cli_usage_error("unknown option %.*s; see sugeno %s --help", length, arg, v->name);
}

/* --- one argument --- */

/* Returns whether an argument looks like an option. A value may start with "-" if it is a number or "-" itself. */
static bool looks_like_option(const char *arg)
{
    return arg[0] == '-' && (arg[1] == '-' || isalpha((unsigned char)arg[1]));
}

/* Adds an option. If value is NULL, the option is a flag, or its value is the next argument. */
static int add_setting(parser *p, const sg_option *option, const char *value)
{
    const cli_verb *v = p->command->verb;
    if (!cli_verb_accepts(v, option))
        return cli_usage_error("%s does not accept --%s; see sugeno %s --help", v->name, option->name, v->name);
    if (!value && option->type == SG_OPTION_FLAG) value = "yes";
    if (!value && p->next < p->end && !looks_like_option(*p->next)) value = *p->next++;
    if (!value)
        return cli_usage_error("--%s needs a value; usage: --%s %s", option->name, option->name, option->value_name);
    p->settings[p->count++] = (option_setting){option, value};
    return CLI_DONE;
}

/* Returns the flag that the name "no-flag" negates, or NULL. */
static const sg_option *find_negated_flag(const char *name)
{
    const sg_option *option = strncmp(name, "no-", 3) == 0 ? cli_option_find(name + 3) : NULL;
    return option && option->type == SG_OPTION_FLAG ? option : NULL;
}

static int parse_long(parser *p, const char *arg)
{
    char name[NAME_SIZE] = "";
    size_t n = strcspn(arg + 2, "=");
    const char *value = arg[2 + n] ? arg + 2 + n + 1 : NULL;
    if (n < sizeof name) memcpy(name, arg + 2, n);
    const sg_option *option = cli_option_find(name), *flag = option || value ? NULL : find_negated_flag(name);
    if (flag) return add_setting(p, flag, "no");
    return option ? add_setting(p, option, value) : fail_unknown_option(p->command->verb, arg);
}

static int parse_short(parser *p, const char *arg)
{
    const sg_option *option = arg[2] ? NULL : cli_short_option_find(arg[1]);
    return option ? add_setting(p, option, NULL) : fail_unknown_option(p->command->verb, arg);
}

static int parse_all(parser *p)
{
    bool ended = false;
    int code = CLI_DONE;
    while (code == CLI_DONE && p->next < p->end) {
        char *arg = *p->next++;
        if (ended || arg[0] != '-' || arg[1] == '\0') p->command->operand[p->command->operands++] = arg;
        else if (strcmp(arg, "--") == 0) ended = true;
        else code = arg[1] == '-' ? parse_long(p, arg) : parse_short(p, arg);
    }
    return code;
}

/* --- the whole command line --- */

/* Sets the options. Configuration files come first, because the command line takes precedence. */
static int apply_settings(const parser *p)
{
    int code = CLI_DONE;
    for (int config = 1; config >= 0; config--)
        for (size_t i = 0; code == CLI_DONE && i < p->count; i++)
            if (cli_option_is_config(p->settings[i].option) == config)
                code = cli_option_set(p->command, p->settings[i].option, p->settings[i].value);
    return code;
}

static void print_notice(void *command, const char *sentence) { cli_notice(command, "%s", sentence); }

int cli_command_parse(const cli_verb *v, char **args, size_t count, cli_command *out)
{
    *out = (cli_command){.verb = v, .operand = calloc(count + 1, sizeof *out->operand)};
    parser p = {.command = out, .next = args, .end = args + count};
    p.settings = calloc(count + 1, sizeof *p.settings);
    bool allocated = out->operand && p.settings;
    int code = allocated ? cli_exit_code(sg_options_new(&out->options)) : cli_error("out of memory");
    if (code == CLI_DONE && v->preset) code = cli_exit_code(sg_options_set(out->options, "preset", v->preset));
    if (code == CLI_DONE) code = parse_all(&p);
    if (code == CLI_DONE) code = apply_settings(&p);
    free(p.settings);
    if (code == CLI_DONE) code = cli_settings_read(out);
    if (code == CLI_DONE) sg_options_on_notice(out->options, print_notice, out);
    return code;
}

void cli_command_release(cli_command *c)
{
    sg_options_free(c->options);
    for (size_t i = 0; i < CLI_OPTIONS_MAX; i++) sg_string_free(c->option_value[i]);
    for (size_t i = 0; c->rank_operand && i <= c->operands; i++) free(c->rank_operand[i]);
    free(c->rank_operand);
    free(c->operand);
    *c = (cli_command){0};
}

const char *cli_synopsis(const cli_verb *v, char buf[128])
{
    snprintf(buf, 128, "sugeno %s%s%s%s%s", v->name, *v->operands ? " " : "", v->operands, *v->usage_options ? " " : "",
             v->usage_options);
    return buf;
}

int cli_command_check(const cli_command *c)
{
    const cli_verb *v = c->verb;
    char usage[128];
    size_t i = 0;
    bool several = strstr(v->operands, "...");
    for (const char *p = v->operands; *p; i++) {
        size_t n = strcspn(p, " .]");
        if (i >= c->operands && *p != '[')
            return cli_usage_error("%s: %.*s is missing; usage: %s", v->name, (int)n, p, cli_synopsis(v, usage));
        p += n;
        p += strspn(p, " .]");
    }
    if (several || c->operands <= i) return CLI_DONE;
    return cli_usage_error("%s: unexpected operand \"%s\"; usage: %s", v->name, c->operand[i], cli_synopsis(v, usage));
}
