/* args.c: the command line, by the two tables of options: --name value, --name=value, --flag,
 * --no-flag, -o value. Options and operands may stand in any order; "--" ends the options. */
#include "cli.h"

#include <ctype.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { LONGEST = 64 };

typedef struct setting {
    const sg_option *row;
    const char *value;
} setting;

typedef struct parser {
    cli_call *call;
    char **next, **end;
    setting *settings; /* in the order given */
    size_t count;
} parser;

/* --- names --- */

static const sg_option *find_in(const sg_option *table, size_t n, const char *name)
{
    for (size_t i = 0; i < n; i++)
        if (strcmp(table[i].name, name) == 0) return &table[i];
    return NULL;
}

static const sg_option *find(const char *name)
{
    size_t n;
    const sg_option *table = sg_option_table(&n), *row = find_in(table, n, name);
    if (row) return row;
    table = cli_own_table(&n);
    return find_in(table, n, name);
}

/* Adds the names of the rows that the verb takes. */
static size_t collect(const cli_verb *v, const sg_option *table, size_t n, const char **names)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++)
        if (cli_takes(v, &table[i])) names[count++] = table[i].name;
    return count;
}

static const char *suggest(const cli_verb *v, const char *typed)
{
    size_t library, mine;
    const sg_option *table = sg_option_table(&library), *own = cli_own_table(&mine);
    const char **names = calloc(library + mine + 1, sizeof *names);
    if (!names) return NULL;
    size_t n = collect(v, table, library, names);
    collect(v, own, mine, names + n);
    const char *near = sg_suggest(typed, names);
    free(names);
    return near;
}

static int unknown(const cli_verb *v, const char *arg)
{
    char name[LONGEST] = "";
    const char *typed = arg + strspn(arg, "-");
    size_t n = strcspn(typed, "=");
    if (n < sizeof name) memcpy(name, typed, n);
    const char *near = *name ? suggest(v, name) : NULL;
    int shown = (int)(typed + n - arg);
    if (near) return cli_usage("unknown option %.*s; did you mean --%s?", shown, arg, near);
    return cli_usage("unknown option %.*s; sugeno %s --help lists what there is", shown, arg, v->name);
}

/* --- one argument --- */

/* A value may begin with a minus if it is a number, or "-" itself. */
static bool looks_like_option(const char *arg)
{
    return arg[0] == '-' && (arg[1] == '-' || isalpha((unsigned char)arg[1]));
}

static int add(parser *p, const sg_option *row, const char *value)
{
    if (!cli_takes(p->call->verb, row))
        return cli_usage("%s does not take --%s; sugeno %s --help lists what it takes", p->call->verb->name, row->name,
                         p->call->verb->name);
    p->settings[p->count++] = (setting){row, value};
    return CLI_DONE;
}

static int take_value(parser *p, const sg_option *row, const char *value)
{
    if (!cli_takes(p->call->verb, row)) return add(p, row, NULL); /* says so */
    if (value) return add(p, row, value);
    if (row->type == SG_OPTION_FLAG) return add(p, row, "yes");
    if (p->next == p->end || looks_like_option(*p->next))
        return cli_usage("--%s: expected a value: --%s %s", row->name, row->name, row->value_name);
    return add(p, row, *p->next++);
}

/* "--no-name", where name is a flag. */
static const sg_option *negated(const char *name)
{
    const sg_option *row = strncmp(name, "no-", 3) == 0 ? find(name + 3) : NULL;
    return row && row->type == SG_OPTION_FLAG ? row : NULL;
}

static int take_long(parser *p, const char *arg)
{
    char name[LONGEST] = "";
    size_t n = strcspn(arg + 2, "=");
    const char *value = arg[2 + n] ? arg + 2 + n + 1 : NULL;
    if (n < sizeof name) memcpy(name, arg + 2, n);
    const sg_option *row = find(name), *flag = row || value ? NULL : negated(name);
    if (flag) return add(p, flag, "no");
    return row ? take_value(p, row, value) : unknown(p->call->verb, arg);
}

static int take_short(parser *p, const char *arg)
{
    const char *name = arg[2] ? NULL : cli_letter_name(arg[1]);
    const sg_option *row = name ? find(name) : NULL;
    return row ? take_value(p, row, NULL) : unknown(p->call->verb, arg);
}

static int take_all(parser *p)
{
    bool ended = false;
    int code = CLI_DONE;
    while (code == CLI_DONE && p->next < p->end) {
        char *arg = *p->next++;
        if (ended || arg[0] != '-' || arg[1] == '\0') p->call->operand[p->call->operands++] = arg;
        else if (strcmp(arg, "--") == 0) ended = true;
        else code = arg[1] == '-' ? take_long(p, arg) : take_short(p, arg);
    }
    return code;
}

/* --- giving the values to those who keep them --- */

static int apply(cli_call *c, const setting *s)
{
    if (cli_is_own(s->row)) return cli_own_set(c, s->row, s->value);
    sg_status st = sg_options_set(c->options, s->row->name, s->value);
    if (st == SG_EINVAL && strcmp(s->row->name, "target") == 0)
        return cli_usage("%s (the column to predict is named with -t)", sg_errmsg());
    return cli_check(st);
}

/* A line of a file of options that is about the command line itself. */
static int take_own(void *arg, const char *name, const char *value)
{
    cli_call *c = arg;
    size_t n;
    const sg_option *table = cli_own_table(&n), *row = find_in(table, n, name);
    char *text;
    if (!row) return 0;
    if (!cli_takes(c->verb, row)) return 1; /* the same file serves several verbs */
    if (strcmp(name, "config") == 0) {
        sg_set_errmsg("a file of options can't name another one");
        return -1;
    }
    if (cli_own_check(row, value, &text) != SG_OK) return -1;
    sg_text_free(c->own[row - table]);
    c->own[row - table] = text;
    return 1;
}

/* Files of options first, wherever they stand: the command line wins. */
static int apply_all(const parser *p)
{
    int code = CLI_DONE;
    for (size_t i = 0; code == CLI_DONE && i < p->count; i++) {
        if (strcmp(p->settings[i].row->name, "config") != 0) continue;
        code = cli_check(sg_options_read(p->call->options, p->settings[i].value, take_own, p->call));
    }
    for (size_t i = 0; code == CLI_DONE && i < p->count; i++) code = apply(p->call, &p->settings[i]);
    return code;
}

static void tell(void *call, const char *sentence) { cli_notice(call, "%s", sentence); }

int cli_call_parse(const cli_verb *v, char **args, size_t count, cli_call *out)
{
    *out = (cli_call){.verb = v, .operand = calloc(count + 1, sizeof *out->operand)};
    parser p = {.call = out, .next = args, .end = args + count};
    p.settings = calloc(count + 1, sizeof *p.settings);
    bool room = out->operand && p.settings;
    int code = room ? cli_check(sg_options_new(&out->options)) : cli_error("out of memory");
    if (code == CLI_DONE && v->preset) code = cli_check(sg_options_set(out->options, "preset", v->preset));
    if (room && code == CLI_DONE) code = take_all(&p);
    if (code == CLI_DONE) code = apply_all(&p);
    free(p.settings);
    if (code != CLI_DONE) return code;
    out->json = cli_own_flag(out, "json");
    out->quiet = cli_own_flag(out, "quiet");
    sg_options_on_notice(out->options, tell, out);
    return CLI_DONE;
}

void cli_call_release(cli_call *c)
{
    sg_options_free(c->options);
    for (size_t i = 0; i < CLI_OWN_MOST; i++) sg_text_free(c->own[i]);
    for (size_t i = 0; c->named && i < c->operands; i++) free(c->named[i]);
    free(c->named);
    free(c->operand);
    *c = (cli_call){0};
}

/* --- operands --- */

const char *cli_synopsis(const cli_verb *v, char buf[128])
{
    snprintf(buf, 128, "sugeno %s%s%s%s%s", v->name, *v->operands ? " " : "", v->operands, *v->shown ? " " : "",
             v->shown);
    return buf;
}

int cli_call_check(const cli_call *c)
{
    const cli_verb *v = c->verb;
    char usage[128];
    size_t i = 0;
    bool several = strstr(v->operands, "...");
    for (const char *p = v->operands; *p; i++) {
        size_t n = strcspn(p, " .]");
        if (i >= c->operands && *p != '[')
            return cli_usage("%s: %.*s is missing; usage: %s", v->name, (int)n, p, cli_synopsis(v, usage));
        p += n;
        p += strspn(p, " .]");
    }
    if (several || c->operands <= i) return CLI_DONE;
    return cli_usage("%s: \"%s\" is one too many; usage: %s", v->name, c->operand[i], cli_synopsis(v, usage));
}
