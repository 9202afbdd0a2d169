/* args.c: the command line, by the two tables of options: --name value, --name=value, --flag,
 * --no-flag, -o value. Options and operands may stand in any order; "--" ends the options. */
#include "cli.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { NAME_SIZE = 64 };

typedef struct option_setting {
    const sg_option *row;
    const char *value;
} option_setting;

typedef struct parser {
    cli_command *call;
    char **next, **end;
    option_setting *settings; /* in the order given */
    size_t count;
} parser;

/* --- names --- */

static const sg_option *find_in_table(const sg_option *table, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

static const sg_option *find_option(const char *name)
{
    size_t n;
    const sg_option *table = sg_option_table(&n), *row = find_in_table(table, n, name);
    if (row) return row;
    table = cli_option_table(&n);
    return find_in_table(table, n, name);
}

/* Adds the names of the rows that the verb takes. */
static size_t collect_names(const cli_verb *v, const sg_option *table, size_t n, const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (cli_verb_accepts(v, &table[i])) names[count++] = table[i].name;
    return count;
}

static const char *suggest_name(const cli_verb *v, const char *typed)
{
    size_t library, mine;
    const sg_option *table = sg_option_table(&library), *own = cli_option_table(&mine);
    const char **names = calloc(library + mine + 1, sizeof *names);
    if (!names) return NULL;
    size_t n = collect_names(v, table, library, names);
    collect_names(v, own, mine, names + n);
    const char *near = sg_suggest(typed, names);
    free(names);
    return near;
}

static int unknown_option(const cli_verb *v, const char *arg)
{
    char name[NAME_SIZE] = "";
    const char *typed = arg + strspn(arg, "-");
    size_t n = strcspn(typed, "=");
    if (n < sizeof name) memcpy(name, typed, n);
    const char *near = *name ? suggest_name(v, name) : NULL;
    int shown = (int)(typed + n - arg);
    if (near) return cli_usage_error("unknown option %.*s; did you mean --%s?", shown, arg, near);
    return cli_usage_error("unknown option %.*s; sugeno %s --help lists what there is", shown, arg, v->name);
}

/* --- one argument --- */

/* A value may begin with a minus if it is a number, or "-" itself. */
static bool looks_like_option(const char *arg)
{
    return arg[0] == '-' && (arg[1] == '-' || isalpha((unsigned char)arg[1]));
}

static int add_setting(parser *p, const sg_option *row, const char *value)
{
    if (!cli_verb_accepts(p->call->verb, row))
        return cli_usage_error("%s does not take --%s; sugeno %s --help lists what it takes", p->call->verb->name,
                               row->name, p->call->verb->name);
    p->settings[p->count++] = (option_setting){row, value};
    return CLI_DONE;
}

static int parse_value(parser *p, const sg_option *row, const char *value)
{
    if (!cli_verb_accepts(p->call->verb, row)) return add_setting(p, row, NULL); /* says so */
    if (value) return add_setting(p, row, value);
    if (row->type == SG_OPTION_FLAG) return add_setting(p, row, "yes");
    if (p->next == p->end || looks_like_option(*p->next))
        return cli_usage_error("--%s: expected a value: --%s %s", row->name, row->name, row->value_name);
    return add_setting(p, row, *p->next++);
}

/* "--no-name", where name is a flag. */
static const sg_option *find_negated_flag(const char *name)
{
    const sg_option *row = strncmp(name, "no-", 3) == 0 ? find_option(name + 3) : NULL;
    return row && row->type == SG_OPTION_FLAG ? row : NULL;
}

static int parse_long(parser *p, const char *arg)
{
    char name[NAME_SIZE] = "";
    size_t n = strcspn(arg + 2, "=");
    const char *value = arg[2 + n] ? arg + 2 + n + 1 : NULL;
    if (n < sizeof name) memcpy(name, arg + 2, n);
    const sg_option *row = find_option(name), *flag = row || value ? NULL : find_negated_flag(name);
    if (flag) return add_setting(p, flag, "no");
    return row ? parse_value(p, row, value) : unknown_option(p->call->verb, arg);
}

static int parse_short(parser *p, const char *arg)
{
    const char *name = arg[2] ? NULL : cli_short_option_name(arg[1]);
    const sg_option *row = name ? find_option(name) : NULL;
    return row ? parse_value(p, row, NULL) : unknown_option(p->call->verb, arg);
}

static int parse_all(parser *p)
{
    bool ended = false;
    int code = CLI_DONE;
    while (code == CLI_DONE && p->next < p->end) {
        char *arg = *p->next++;
        if (ended || arg[0] != '-' || arg[1] == '\0') p->call->operand[p->call->operands++] = arg;
        else if (strcmp(arg, "--") == 0) ended = true;
        else code = arg[1] == '-' ? parse_long(p, arg) : parse_short(p, arg);
    }
    return code;
}

/* --- giving the values to those who keep them --- */

static int apply_setting(cli_command *c, const option_setting *s)
{
    if (cli_option_is_cli(s->row)) return cli_option_set(c, s->row, s->value);
    sg_status st = sg_options_set(c->options, s->row->name, s->value);
    if (st == SG_EINVAL && strcmp(s->row->name, "target") == 0)
        return cli_usage_error("%s (the column to predict is named with -t)", sg_errmsg());
    return cli_exit_code(st);
}

/* A line of a file of options that is about the command line itself. */
static int handle_config_line(void *arg, const char *name, const char *value)
{
    cli_command *c = arg;
    size_t n;
    const sg_option *table = cli_option_table(&n), *row = find_in_table(table, n, name);
    char *text;
    if (!row) return 0;
    if (!cli_verb_accepts(c->verb, row)) return 1; /* the same file serves several verbs */
    if (strcmp(name, "config") == 0) {
        sg_set_errmsg("a file of options can't name another one");
        return -1;
    }
    if (cli_option_check(row, value, &text) != SG_OK) return -1;
    sg_string_free(c->option_value[row - table]);
    c->option_value[row - table] = text;
    return 1;
}

/* Files of options first, wherever they stand: the command line wins. */
static int apply_settings(const parser *p)
{
    int code = CLI_DONE;
    for (size_t i = 0; code == CLI_DONE && i < p->count; i++) {
        if (strcmp(p->settings[i].row->name, "config") != 0) continue;
        code = cli_exit_code(sg_options_read(p->call->options, p->settings[i].value, handle_config_line, p->call));
    }
    for (size_t i = 0; code == CLI_DONE && i < p->count; i++) code = apply_setting(p->call, &p->settings[i]);
    return code;
}

static void print_notice(void *call, const char *sentence) { cli_notice(call, "%s", sentence); }

int cli_command_parse(const cli_verb *v, char **args, size_t count, cli_command *out)
{
    *out = (cli_command){.verb = v, .operand = calloc(count + 1, sizeof *out->operand)};
    parser p = {.call = out, .next = args, .end = args + count};
    p.settings = calloc(count + 1, sizeof *p.settings);
    bool room = out->operand && p.settings;
    int code = room ? cli_exit_code(sg_options_new(&out->options)) : cli_error("out of memory");
    if (code == CLI_DONE && v->preset) code = cli_exit_code(sg_options_set(out->options, "preset", v->preset));
    if (room && code == CLI_DONE) code = parse_all(&p);
    if (code == CLI_DONE) code = apply_settings(&p);
    free(p.settings);
    if (code != CLI_DONE) return code;
    out->json = cli_option_flag(out, "json");
    out->quiet = cli_option_flag(out, "quiet");
    sg_options_on_notice(out->options, print_notice, out);
    return CLI_DONE;
}

void cli_command_release(cli_command *c)
{
    sg_options_free(c->options);
    for (size_t i = 0; i < CLI_OPTIONS_MAX; i++) sg_string_free(c->option_value[i]);
    for (size_t i = 0; c->rank_operand && i < c->operands; i++) free(c->rank_operand[i]);
    free(c->rank_operand);
    free(c->operand);
    *c = (cli_command){0};
}

/* --- operands --- */

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
    return cli_usage_error("%s: \"%s\" is one too many; usage: %s", v->name, c->operand[i], cli_synopsis(v, usage));
}
