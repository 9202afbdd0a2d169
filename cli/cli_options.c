/* cli_options.c: defines the options of the command line itself, decides which options a verb accepts, and stores the
 * values of all options that the verbs use (cli_settings). No other file of the command line reads options by name. */
#include "cli.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

#define TEXT                         SG_OPTION_TEXT, SG_OPTION_GROUP_RUN, "", 0, 0, NULL, NULL
#define FLAG                         SG_OPTION_FLAG, SG_OPTION_GROUP_RUN, "no", 0, 0, NULL, NULL, NULL
#define INTEGER(fallback, low, high) SG_OPTION_INTEGER, SG_OPTION_GROUP_RUN, fallback, low, high, NULL, NULL, "N"
#define REAL(fallback, low, high)    SG_OPTION_REAL, SG_OPTION_GROUP_RUN, fallback, low, high, NULL, NULL
#define CHOICE(fallback, names)      SG_OPTION_CHOICE, SG_OPTION_GROUP_RUN, fallback, 0, 0, names, NULL

static const sg_option cli_options[] = {
    {"output", TEXT, "FILE",
     "write the model to FILE (predict: the predictions; explain: the CSV; report: the page); - is standard output"},
    {"valid", TEXT, "FILE", "file with validation rows, which are used to select the best iterate"},
    {"checkpoint", TEXT, "FILE", "save the state of training to FILE regularly; the same command resumes from it"},
    {"checkpoint-every", REAL("5", 0, 1e6), "SECONDS",
     "time between checkpoints, which is longer if writing one is slow (0: write one after every iteration)"},
    {"local", FLAG, "sugeno-mpi: each rank reads its own files; implied by {rank} in their names"},
    {"folds", INTEGER("5", 2, 1000), "number of folds"},
    {"ordered", FLAG, "the rows are in time order: each part except the first is predicted from all rows before it"},
    {"predictions", TEXT, "FILE", "write the out-of-fold predictions of all rows to FILE (CSV)"},
    {"row", INTEGER("", 1, 1e15), "explain only row N, as text (the first row is 1)"},
    {"by", CHOICE("inputs", "inputs|rules"), "WHAT", "write one CSV column per input, or one per rule"},
    {"importance", FLAG, "print the importance of each input and rule, on all rows or on a random sample of 10,000"},
    {"partial", TEXT, "COLUMN", "print the mean prediction at each value of this input as CSV (partial dependence)"},
    {"interval", REAL("none", 0.000001, 0.999999), "LEVEL",
     "add columns lower and upper, which enclose the target with this probability, such as 0.9 or 90%"},
    {"outside", FLAG,
     "add a column named outside, which lists the inputs that place a row outside the training data (empty: none)"},
    {"format", CHOICE("text", "text|markdown|json|man"), "NAME",
     "rules: text, markdown or json; help: text, or the complete reference as markdown, json or man"},
    {"top", INTEGER("64", 0, 1e9),
     "text and markdown: print only the N most important rules, curves and pairs (0: all)"},
    {"max-rules", INTEGER("0", 0, 1e9), "maximum number of rules (0: no limit)"},
    {"tolerance", SG_OPTION_TEXT, SG_OPTION_GROUP_RUN, "5%", 0, 0, NULL, NULL, "PERCENT",
     "how much the RMSE may increase if rules, conditions and MFs are removed, such as 5% or 0.05"},
    {"config", TEXT, "FILE", "read \"name = value\" lines from FILE; options on the command line take precedence"},
    {"json", FLAG, "print one JSON object instead of text"},
    {"quiet", FLAG, "print no progress and no notices"},
    {"help", FLAG, "print this help and exit"},
    {"version", FLAG, "print the version and exit"},
};

enum { CLI_OPTIONS = sizeof cli_options / sizeof *cli_options };
_Static_assert(sizeof cli_options / sizeof *cli_options <= (size_t)CLI_OPTIONS_MAX, "option_value is too small");

/* Options that every verb accepts. */
static const char common_options[] = "json quiet help version";

const sg_option *cli_option_at(size_t i)
{
    size_t n;
    const sg_option *library = sg_option_table(&n);
    if (i < CLI_OPTIONS) return &cli_options[i];
    return i - CLI_OPTIONS < n ? &library[i - CLI_OPTIONS] : NULL;
}

bool cli_option_is_cli(const sg_option *option) { return option >= cli_options && option < cli_options + CLI_OPTIONS; }

const sg_option *cli_option_find(const char *name)
{
    const sg_option *option;
    for (size_t i = 0; (option = cli_option_at(i)); i++)
        if (strcmp(option->name, name) == 0) return option;
    return NULL;
}

/* --- short forms --- */

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

const sg_option *cli_short_option_find(char letter)
{
    for (size_t i = 0; i < SHORT_OPTIONS; i++)
        if (short_options[i].letter == letter) return cli_option_find(short_options[i].name);
    return NULL;
}

/* --- the options that a verb accepts --- */

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

bool cli_verb_accepts(const cli_verb *v, const sg_option *option)
{
    if (cli_option_is_cli(option))
        return cli_list_contains(common_options, option->name) || cli_list_contains(v->cli_options, option->name);
    return v->groups >> option->group & 1 && !cli_list_contains(v->excluded, option->name);
}

const char *cli_format_choices(const sg_option *option, char *buf, size_t size)
{
    char choice[32];
    const char *name;
    size_t used = 0;
    *buf = '\0';
    for (size_t i = 0; (name = sg_option_choice(option, i, choice, sizeof choice)); i++) {
        int n = snprintf(buf + used, size - used, "%s%s", i ? ", " : "", name);
        if (n < 0 || (size_t)n >= size - used) break;
        used += (size_t)n;
    }
    return buf;
}

/* --- setting options --- */

/* Parses "2%" and "2 %" as 0.02. Returns false for anything else. */
static bool parse_percent(const char *text, double *out)
{
    char *end;
    *out = strtod(text, &end) / 100;
    if (end == text) return false;
    while (*end == ' ') end++;
    return strcmp(end, "%") == 0;
}

/* Checks and stores the value of an option. If the maximum is at most 1, the value may be given in percent. */
static sg_status store_value(cli_command *c, const sg_option *option, const char *value)
{
    char fraction_text[32], *text;
    double fraction;
    bool percent = option->type == SG_OPTION_REAL && option->high <= 1 && parse_percent(value, &fraction);
    if (percent) snprintf(fraction_text, sizeof fraction_text, "%.15g", fraction);
    sg_status st = sg_option_check(option, percent ? fraction_text : value, &text);
    if (st != SG_OK) return st;
    sg_string_free(c->option_value[option - cli_options]);
    c->option_value[option - cli_options] = text;
    return SG_OK;
}

bool cli_option_is_config(const sg_option *option) { return strcmp(option->name, "config") == 0; }

/* An sg_option_handler_fn for the command line's own options. Options of other verbs are skipped, so that several verbs
 * can share a file. */
static int handle_config_line(void *arg, const char *name, const char *value)
{
    cli_command *c = arg;
    const sg_option *option = cli_option_find(name);
    if (!option || !cli_option_is_cli(option)) return 0;
    if (!cli_verb_accepts(c->verb, option)) return 1;
    if (cli_option_is_config(option)) {
        sg_set_errmsg("a configuration file cannot include another one");
        return -1;
    }
    return store_value(c, option, value) == SG_OK ? 1 : -1;
}

int cli_option_set(cli_command *c, const sg_option *option, const char *value)
{
    if (cli_option_is_cli(option)) {
        if (option->type == SG_OPTION_TEXT && !*value)
            return cli_usage_error("--%s: expected %s, got an empty value", option->name, option->value_name);
        sg_status st = store_value(c, option, value);
        if (st == SG_OK && cli_option_is_config(option)) st = sg_options_read(c->options, value, handle_config_line, c);
        return cli_exit_code(st);
    }
    sg_status st = sg_options_set(c->options, option->name, value);
    if (st == SG_EINVAL && strcmp(option->name, "target") == 0)
        return cli_usage_error("%s (use -t to name the column to predict)", sg_errmsg());
    return cli_exit_code(st);
}

/* --- typed values --- */

static const char *option_text(const cli_command *c, const char *name)
{
    const sg_option *option = cli_option_find(name);
    const char *given = c->option_value[option - cli_options];
    return given ? given : option->default_value;
}

static bool get_flag(const cli_command *c, const char *name) { return strcmp(option_text(c, name), "yes") == 0; }
static double get_real(const cli_command *c, const char *name) { return strtod(option_text(c, name), NULL); }
static size_t get_size(const cli_command *c, const char *name)
{
    return (size_t)strtoull(option_text(c, name), NULL, 10);
}

/* Parses "2%" or "0.02". A plain 2 is rejected, because it probably means 2% and not 200%. */
static int parse_tolerance(const char *text, double *out)
{
    char *end;
    if (!parse_percent(text, out)) {
        *out = strtod(text, &end);
        if (end == text || *end) *out = -1;
        if (*out > 1)
            return cli_usage_error("--tolerance: \"%s\" would be %g%%; did you mean %g%% or %g?", text, 100 * *out,
                                   *out, *out / 100);
    }
    if (!(*out >= 0 && *out <= 1000))
        return cli_usage_error("--tolerance: expected a percentage of at least 0, such as 2%% or 0.02, got \"%s\"",
                               text);
    return CLI_DONE;
}

int cli_settings_read(cli_command *c)
{
    const sg_options *o = c->options;
    c->settings = (cli_settings){.output = option_text(c, "output"),
                                 .valid = option_text(c, "valid"),
                                 .checkpoint = option_text(c, "checkpoint"),
                                 .predictions = option_text(c, "predictions"),
                                 .partial = option_text(c, "partial"),
                                 .config = option_text(c, "config"),
                                 .format = option_text(c, "format"),
                                 .checkpoint_every = get_real(c, "checkpoint-every"),
                                 .interval = get_real(c, "interval"), /* 0 for "none" */
                                 .folds = get_size(c, "folds"),
                                 .row = get_size(c, "row"),
                                 .top = get_size(c, "top"),
                                 .max_rules = get_size(c, "max-rules"),
                                 .by_rule = strcmp(option_text(c, "by"), "rules") == 0,
                                 .ordered = get_flag(c, "ordered"),
                                 .importance = get_flag(c, "importance"),
                                 .outside = get_flag(c, "outside"),
                                 .local = get_flag(c, "local"),
                                 .help = get_flag(c, "help"),
                                 .version = get_flag(c, "version"),
                                 .preset = sg_options_get(o, "preset"),
                                 .group = sg_options_get(o, "group"),
                                 .weights = sg_options_get(o, "weights"),
                                 .threads = strtoul(sg_options_get(o, "threads"), NULL, 10),
                                 .intervals = strtoul(sg_options_get(o, "intervals"), NULL, 10),
                                 .valid_fraction = strtod(sg_options_get(o, "valid-fraction"), NULL)};
    c->json = get_flag(c, "json");
    c->quiet = get_flag(c, "quiet");
    return parse_tolerance(option_text(c, "tolerance"), &c->settings.tolerance);
}
