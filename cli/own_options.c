/* own_options.c: the options that are the command line's and not the library's, in rows of the same
 * kind; and which verb takes what. */
#include "cli.h"

#include <assert.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static const sg_option own[] = {
    /* name, type, group, default, low, high, choices, list, value, help */
    {"output", SG_OPTION_TEXT, SG_GROUP_RUN, "", 0, 0, NULL, NULL, "FILE",
     "where the model goes (predict: the predictions; explain: the CSV; report: the page); - is standard output"},
    {"valid", SG_OPTION_TEXT, SG_GROUP_RUN, "", 0, 0, NULL, NULL, "FILE", "rows that choose the best iterate"},
    {"checkpoint", SG_OPTION_TEXT, SG_GROUP_RUN, "", 0, 0, NULL, NULL, "FILE",
     "where the training is saved now and then; the same command goes on from there"},
    {"checkpoint-every", SG_OPTION_REAL, SG_GROUP_RUN, "5", 0, 1e6, NULL, NULL, "SECONDS",
     "time between two checkpoints, longer where writing one takes long (0: after every iteration)"},
    {"local", SG_OPTION_FLAG, SG_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL,
     "sugeno-mpi: the files of each rank are its own rows, as with {rank} in their names"},
    {"folds", SG_OPTION_INTEGER, SG_GROUP_RUN, "5", 2, 1000, NULL, NULL, "N",
     "parts of the rows, each of which is left out once"},
    {"ordered", SG_OPTION_FLAG, SG_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL,
     "rows are in the order of time: each part but the first is left out by a training on all rows before it"},
    {"predictions", SG_OPTION_TEXT, SG_GROUP_RUN, "", 0, 0, NULL, NULL, "FILE",
     "where rows go with what the fold that left them out predicts (CSV)"},
    {"row", SG_OPTION_INTEGER, SG_GROUP_RUN, "", 1, 1e15, NULL, NULL, "N",
     "explain this row alone, the first is 1, in words"},
    {"by", SG_OPTION_CHOICE, SG_GROUP_RUN, "inputs", 0, 0, "inputs|rules", NULL, "WHAT",
     "a column of the CSV for each of these"},
    {"importance", SG_OPTION_FLAG, SG_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL,
     "how much each input and each rule matters over the rows, or over 10,000 of more, drawn at random"},
    {"partial", SG_OPTION_TEXT, SG_GROUP_RUN, "", 0, 0, NULL, NULL, "COLUMN",
     "how the mean prediction over these rows moves with this input (CSV)"},
    {"interval", SG_OPTION_REAL, SG_GROUP_RUN, "none", 0.000001, 0.999999, NULL, NULL, "LEVEL",
     "columns lower and upper: where the target lies with this probability: 0.9 or 90%"},
    {"outside", SG_OPTION_FLAG, SG_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL,
     "a column outside: the inputs for which a row lies outside what the rules were trained on; empty where none does"},
    {"format", SG_OPTION_CHOICE, SG_GROUP_RUN, "text", 0, 0, "text|markdown|json|man", NULL, "NAME",
     "of rules: text, markdown or json; of help: text, or all there is as markdown, json or man"},
    {"top", SG_OPTION_INTEGER, SG_GROUP_RUN, "64", 0, 1e9, NULL, NULL, "N",
     "rules that are printed as text or markdown: those that govern most of the data (0: all)"},
    {"max-rules", SG_OPTION_INTEGER, SG_GROUP_RUN, "0", 0, 1e9, NULL, NULL, "N",
     "no more rules than these (0: any number)"},
    {"tolerance", SG_OPTION_TEXT, SG_GROUP_RUN, "2%", 0, 0, NULL, NULL, "PERCENT",
     "how much larger the RMSE may get for fewer rules, conditions and MFs: 2% or 0.02"},
    {"config", SG_OPTION_TEXT, SG_GROUP_RUN, "", 0, 0, NULL, NULL, "FILE",
     "read options from lines \"name = value\"; the command line wins"},
    {"json", SG_OPTION_FLAG, SG_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL, "print one JSON object in place of prose"},
    {"quiet", SG_OPTION_FLAG, SG_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL, "no progress, no notices"},
    {"help", SG_OPTION_FLAG, SG_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL, "print this and exit"},
    {"version", SG_OPTION_FLAG, SG_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL, "print the version and exit"},
};

enum { OWN = sizeof own / sizeof *own };
_Static_assert(sizeof own / sizeof *own <= (size_t)CLI_OWN_MOST, "cli_call has too little room");

/* Every verb takes these. */
static const char common[] = "json quiet help version";

const sg_option *cli_own_table(size_t *count)
{
    *count = OWN;
    return own;
}

bool cli_is_own(const sg_option *row) { return row >= own && row < own + OWN; }

/* --- letters --- */

static const struct {
    char letter;
    const char *name;
} letters[] = {{'o', "output"}, {'t', "targets"}, {'h', "help"}};

enum { LETTERS = sizeof letters / sizeof *letters };

char cli_letter(const char *name)
{
    for (size_t i = 0; i < LETTERS; i++)
        if (strcmp(letters[i].name, name) == 0) return letters[i].letter;
    return 0;
}

const char *cli_letter_name(char letter)
{
    for (size_t i = 0; i < LETTERS; i++)
        if (letters[i].letter == letter) return letters[i].name;
    return NULL;
}

/* --- who takes what --- */

bool cli_listed(const char *list, const char *word)
{
    size_t length = strlen(word);
    for (const char *p = list; *p; p += strspn(p, " ")) {
        size_t n = strcspn(p, " ");
        if (n == length && memcmp(p, word, n) == 0) return true;
        p += n;
    }
    return false;
}

bool cli_takes(const cli_verb *v, const sg_option *row)
{
    if (cli_is_own(row)) return cli_listed(common, row->name) || cli_listed(v->own, row->name);
    return v->groups >> row->group & 1 && !cli_listed(v->without, row->name);
}

/* --- values --- */

const char *cli_choices(const sg_option *row, char *buf, size_t size)
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

bool cli_percent(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end) / 100;
    if (end == text) return false;
    while (*end == ' ') end++;
    return strcmp(end, "%") == 0;
}

sg_status cli_own_check(const sg_option *row, const char *value, char **text)
{
    char part[32];
    double share;
    bool percent = row->type == SG_OPTION_REAL && row->high <= 1 && cli_percent(value, &share);
    if (percent) snprintf(part, sizeof part, "%.15g", share);
    return sg_option_check(row, percent ? part : value, text);
}

int cli_own_set(cli_call *c, const sg_option *row, const char *value)
{
    char *text;
    if (row->type == SG_OPTION_TEXT && !*value) return cli_usage("--%s: expected %s", row->name, row->value_name);
    int code = cli_check(cli_own_check(row, value, &text));
    if (code != CLI_DONE) return code;
    sg_text_free(c->own[row - own]);
    c->own[row - own] = text;
    return CLI_DONE;
}

const char *cli_own(const cli_call *c, const char *name)
{
    size_t i = 0;
    while (i < OWN && strcmp(own[i].name, name) != 0) i++;
    assert(i < OWN);
    return c->own[i] ? c->own[i] : own[i].fallback;
}

bool cli_own_flag(const cli_call *c, const char *name) { return strcmp(cli_own(c, name), "yes") == 0; }
