/* cli_options.c: the options that are the command line's and not the library's, in rows of the same
 * kind; and which verb takes what. */
#include "cli.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sg_option cli_options[] = {
    /* name, type, group, default, low, high, choices, list, value, help */
    {"output", SG_OPTION_TEXT, SG_OPTION_GROUP_RUN, "", 0, 0, NULL, NULL, "FILE",
     "where the model goes (predict: the predictions; explain: the CSV; report: the page); - is standard output"},
    {"valid", SG_OPTION_TEXT, SG_OPTION_GROUP_RUN, "", 0, 0, NULL, NULL, "FILE", "rows that choose the best iterate"},
    {"checkpoint", SG_OPTION_TEXT, SG_OPTION_GROUP_RUN, "", 0, 0, NULL, NULL, "FILE",
     "where the training is saved now and then; the same command goes on from there"},
    {"checkpoint-every", SG_OPTION_REAL, SG_OPTION_GROUP_RUN, "5", 0, 1e6, NULL, NULL, "SECONDS",
     "time between two checkpoints, longer where writing one takes long (0: after every iteration)"},
    {"local", SG_OPTION_FLAG, SG_OPTION_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL,
     "sugeno-mpi: the files of each rank are its own rows, as with {rank} in their names"},
    {"folds", SG_OPTION_INTEGER, SG_OPTION_GROUP_RUN, "5", 2, 1000, NULL, NULL, "N",
     "parts of the rows, each of which is left out once"},
    {"ordered", SG_OPTION_FLAG, SG_OPTION_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL,
     "rows are in the order of time: each part but the first is left out by a training on all rows before it"},
    {"predictions", SG_OPTION_TEXT, SG_OPTION_GROUP_RUN, "", 0, 0, NULL, NULL, "FILE",
     "where rows go with what the fold that left them out predicts (CSV)"},
    {"row", SG_OPTION_INTEGER, SG_OPTION_GROUP_RUN, "", 1, 1e15, NULL, NULL, "N",
     "explain this row alone, the first is 1, in words"},
    {"by", SG_OPTION_CHOICE, SG_OPTION_GROUP_RUN, "inputs", 0, 0, "inputs|rules", NULL, "WHAT",
     "a column of the CSV for each of these"},
    {"importance", SG_OPTION_FLAG, SG_OPTION_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL,
     "how much each input and each rule matters over the rows, or over 10,000 of more, drawn at random"},
    {"partial", SG_OPTION_TEXT, SG_OPTION_GROUP_RUN, "", 0, 0, NULL, NULL, "COLUMN",
     "how the mean prediction over these rows moves with this input (CSV)"},
    {"interval", SG_OPTION_REAL, SG_OPTION_GROUP_RUN, "none", 0.000001, 0.999999, NULL, NULL, "LEVEL",
     "columns lower and upper: where the target lies with this probability: 0.9 or 90%"},
    {"outside", SG_OPTION_FLAG, SG_OPTION_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL,
     "a column outside: the inputs for which a row lies outside what the rules were trained on; empty where none does"},
    {"format", SG_OPTION_CHOICE, SG_OPTION_GROUP_RUN, "text", 0, 0, "text|markdown|json|man", NULL, "NAME",
     "of rules: text, markdown or json; of help: text, or all there is as markdown, json or man"},
    {"top", SG_OPTION_INTEGER, SG_OPTION_GROUP_RUN, "64", 0, 1e9, NULL, NULL, "N",
     "rules that are printed as text or markdown: those that govern most of the data (0: all)"},
    {"max-rules", SG_OPTION_INTEGER, SG_OPTION_GROUP_RUN, "0", 0, 1e9, NULL, NULL, "N",
     "no more rules than these (0: any number)"},
    {"tolerance", SG_OPTION_TEXT, SG_OPTION_GROUP_RUN, "2%", 0, 0, NULL, NULL, "PERCENT",
     "how much larger the RMSE may get for fewer rules, conditions and MFs: 2% or 0.02"},
    {"config", SG_OPTION_TEXT, SG_OPTION_GROUP_RUN, "", 0, 0, NULL, NULL, "FILE",
     "read options from lines \"name = value\"; the command line wins"},
    {"json", SG_OPTION_FLAG, SG_OPTION_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL,
     "print one JSON object in place of prose"},
    {"quiet", SG_OPTION_FLAG, SG_OPTION_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL, "no progress, no notices"},
    {"help", SG_OPTION_FLAG, SG_OPTION_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL, "print this and exit"},
    {"version", SG_OPTION_FLAG, SG_OPTION_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL, "print the version and exit"},
};

enum { CLI_OPTIONS = sizeof cli_options / sizeof *cli_options };
_Static_assert(sizeof cli_options / sizeof *cli_options <= (size_t)CLI_OPTIONS_MAX, "cli_command has too little room");

/* Every verb takes these. */
static const char common_options[] = "json quiet help version";

const sg_option *cli_option_table(size_t *count)
{
    *count = CLI_OPTIONS;
    return cli_options;
}

bool cli_option_is_cli(const sg_option *row) { return row >= cli_options && row < cli_options + CLI_OPTIONS; }

/* --- letters --- */

static const struct {
    char letter;
    const char *name;
} short_options[] = {{'o', "output"}, {'t', "targets"}, {'h', "help"}};

enum { SHORT_OPTIONS = sizeof short_options / sizeof *short_options };

char cli_short_option(const char *name)
{
    for (size_t i = 0; i < SHORT_OPTIONS; i++)
        if (strcmp(short_options[i].name, name) == 0) return short_options[i].letter;
    return 0;
}

const char *cli_short_option_name(char letter)
{
    for (size_t i = 0; i < SHORT_OPTIONS; i++)
        if (short_options[i].letter == letter) return short_options[i].name;
    return NULL;
}

/* --- who takes what --- */

bool cli_list_contains(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = list; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        if (n == length && memcmp(p, word, n) == 0) return true;
        p += n;
    }
    return false;
}

bool cli_verb_accepts(const cli_verb *v, const sg_option *row)
{
    if (cli_option_is_cli(row))
        return cli_list_contains(common_options, row->name) || cli_list_contains(v->cli_options, row->name);
    return v->groups >> row->group & 1 && !cli_list_contains(v->excluded, row->name);
}

/* --- values --- */

const char *cli_format_choices(const sg_option *row, char *buf, size_t size)
{
    char one[32];
    const char *name;
    size_t used = 0;
    *buf = '\0';
    for (size_t i = 0; (name = sg_option_choice(row, i, one, sizeof one)); i++) {
        int n = snprintf(buf + used, size - used, "%s%s", i ? ", " : "", name);
        if (n < 0 || (size_t)n >= size - used) break;
        used += (size_t)n;
    }
    return buf;
}

bool cli_parse_percent(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end) / 100;
    if (end == text) return false;
    while (*end == ' ') end++;
    return strcmp(end, "%") == 0;
}

sg_status cli_option_check(const sg_option *row, const char *value, char **text)
{
    char part[32];
    double share;
    bool percent = row->type == SG_OPTION_REAL && row->high <= 1 && cli_parse_percent(value, &share);
    if (percent) snprintf(part, sizeof part, "%.15g", share);
    return sg_option_check(row, percent ? part : value, text);
}

int cli_option_set(cli_command *c, const sg_option *row, const char *value)
{
    char *text;
    if (row->type == SG_OPTION_TEXT && !*value) return cli_usage_error("--%s: expected %s", row->name, row->value_name);
    int code = cli_exit_code(cli_option_check(row, value, &text));
    if (code != CLI_DONE) return code;
    sg_string_free(c->option_value[row - cli_options]);
    c->option_value[row - cli_options] = text;
    return CLI_DONE;
}

const char *cli_option_get(const cli_command *c, const char *name)
{
    size_t i = 0;
    while (i < CLI_OPTIONS && strcmp(cli_options[i].name, name) != 0) i++;
    assert(i < CLI_OPTIONS);
    return c->option_value[i] ? c->option_value[i] : cli_options[i].default_value;
}

bool cli_option_flag(const cli_command *c, const char *name) { return strcmp(cli_option_get(c, name), "yes") == 0; }
