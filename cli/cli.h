/* cli.h: declares what the verbs share, such as the verb table, the parsed command line, messages and files. The
 * command line includes sugeno.h and no other header of the library. */
#pragma once

#include "sugeno.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 }; /* exit codes */

typedef struct cli_command cli_command;

/* --- the program (verbs.c) --- */

/* The MPI job that this process belongs to; see mpi/rank_sync.h. */
typedef struct cli_world {
    const sg_comm *comm;
    size_t threads; /* default number of threads of this rank */
} cli_world;

/* Runs a command line and returns its exit code. world is NULL for a single process. After a failure, the caller prints
 * the message, which is sg_errmsg(). */
int cli_run(int argc, char **argv, const cli_world *world);

/* --- signals (interrupt.c) --- */

/* Prepares the standard streams and signals. Must be called first in main. */
void cli_process_start(void);
/* Between these two calls, the first SIGINT, SIGTERM or SIGHUP is noted, and the next one kills the process. */
void cli_interrupt_watch(void);
void cli_interrupt_unwatch(void);
bool cli_interrupted(void);

/* --- verbs (verbs.c) --- */

typedef struct cli_verb {
    const char *name;
    const char *operands;      /* "MODEL DATA..."; [...] is optional, ... means one or more       */
    const char *usage_options; /* options shown in the usage line: "[-o FILE]"                    */
    const char *summary;       /* one line                                                        */
    const char *description;   /* a paragraph                                                     */
    unsigned groups;           /* accepted groups of library options: bits 1 << SG_OPTION_GROUP_x */
    const char *excluded;      /* options of these groups that are not accepted                   */
    const char *cli_options;   /* accepted options of the command line's own table                */
    const char *preset;        /* default preset; NULL for the default in the option table        */
    int (*run)(const cli_command *c);
} cli_verb;

const cli_verb *cli_verbs(size_t *count);
/* Returns the verb with this name, or sets an error message and returns NULL if there is none. */
const cli_verb *cli_verb_find(const char *name);

int cli_train(const cli_command *c);
int cli_predict(const cli_command *c);
int cli_eval(const cli_command *c);
int cli_calibrate(const cli_command *c);
int cli_cv(const cli_command *c);
int cli_convert(const cli_command *c);
int cli_rules(const cli_command *c);
int cli_explain(const cli_command *c);
int cli_report(const cli_command *c);
int cli_simplify(const cli_command *c);
int cli_info(const cli_command *c);
int cli_demo(const cli_command *c);
int cli_help(const cli_command *c);

/* The modes of explain: the terms of rows [first, first + n), importance, and partial dependence on an input. */
int cli_explain_csv(const cli_command *c, const sg_model *m, const sg_source *rows, size_t first, size_t n);
int cli_explain_importance(const cli_command *c, const sg_model *m, const sg_source *rows);
int cli_explain_partial(const cli_command *c, const sg_model *m, const sg_source *rows, size_t input);
/* Describes a data file, for the verb info. */
int cli_info_data(const cli_command *c);
/* Print the header of a table of metrics, and a row that starts with a name (verb_eval.c). */
void cli_print_metrics_header(void);
void cli_print_metrics(const char *name, const sg_metrics *m);

/* --- options (cli_options.c) --- */

enum { CLI_OPTIONS_MAX = 32 };

/* The values of all options that the command line itself uses. Text options that are not given are "". */
typedef struct cli_settings {
    /* options of the command line */
    const char *output, *valid, *checkpoint, *predictions, *partial, *config, *format;
    double checkpoint_every;           /* seconds                       */
    double interval;                   /* level; 0: no intervals        */
    double tolerance;                  /* relative increase of the RMSE */
    size_t folds, row, top, max_rules; /* row: from 1; 0: all rows      */
    bool by_rule, ordered, importance, outside, local, help, version;
    /* options of the library */
    const char *preset, *group, *weights;
    size_t threads, intervals;
    double valid_fraction;
} cli_settings;

/* Returns option i (those of the command line come first, then those of the library), or NULL after the last one. */
const sg_option *cli_option_at(size_t i);
bool cli_option_is_cli(const sg_option *option);
/* Returns the option of the command line or of the library with this name, or NULL if there is none. */
const sg_option *cli_option_find(const char *name);
/* Sets an option; --config sets the options listed in a file. Returns CLI_USAGE if a value is invalid. */
int cli_option_set(cli_command *c, const sg_option *option, const char *value);
bool cli_option_is_config(const sg_option *option);
/* Fills c->settings. Must be called after all options are set. */
int cli_settings_read(cli_command *c);
/* Returns whether the verb accepts an option of either table. */
bool cli_verb_accepts(const cli_verb *v, const sg_option *option);
/* Return the short form of an option, or 0 if it has none, and the option with a short form, or NULL. */
char cli_short_option(const char *name);
const sg_option *cli_short_option_find(char letter);
/* Writes the choices of an SG_OPTION_CHOICE to buf, or "" for other types. Returns buf. */
const char *cli_format_choices(const sg_option *option, char *buf, size_t size);
/* Returns whether a blank-separated list contains a word. */
bool cli_list_contains(const char *list, const char *word);

/* --- a parsed command line (parse_args.c) --- */

struct cli_command {
    const char *program; /* argv[0] */
    const cli_verb *verb;
    sg_options *options;
    cli_settings settings;
    char *option_value[CLI_OPTIONS_MAX]; /* in the order of the table in cli_options.c; NULL if not given */
    char **operand;                      /* NULL-terminated */
    size_t operands;
    bool json, quiet;
    const cli_world *world;  /* NULL: a single process                              */
    char **rank_operand;     /* copies of operands and --valid with {rank} expanded */
    bool local, local_valid; /* DATA or --valid: each rank has its own files        */
};

/* Parses the arguments after the verb. Returns CLI_DONE, or sets an error message and returns another exit code. The
 * caller calls cli_command_release in either case. */
int cli_command_parse(const cli_verb *v, char **args, size_t count, cli_command *out);
/* Checks that the operands of the verb are present and that there are no others. */
int cli_command_check(const cli_command *c);
void cli_command_release(cli_command *c);
/* Writes a usage line such as "sugeno predict MODEL DATA... [-o FILE]" to buf. Returns buf. */
const char *cli_synopsis(const cli_verb *v, char buf[128]);

/* --- text for a terminal (output/print_escaped.c) --- */

/* Prints text from a file (a name, a level, a path) with control characters escaped, padded to `width` columns. */
void cli_print_escaped(FILE *to, const char *text, int width);
/* Returns the number of columns that cli_print_escaped uses without padding. */
int cli_display_width(const char *text);

/* --- messages (output/message.c) --- */

/* Sets the error message, which cli_finish prints at the end. Returns code. */
__attribute__((format(printf, 2, 3))) int cli_fail(int code, const char *format, ...);
#define cli_error(...)       cli_nonzero(cli_fail(CLI_FAILED, __VA_ARGS__))
#define cli_usage_error(...) cli_nonzero(cli_fail(CLI_USAGE, __VA_ARGS__))
/* Tells static analysis that the code of an error is never CLI_DONE. */
static inline int cli_nonzero(int code) { return code != CLI_DONE ? code : CLI_FAILED; }
/* Prints a notice on standard error, unless --quiet is given. */
__attribute__((format(printf, 2, 3))) void cli_notice(const cli_command *c, const char *format, ...);
/* Convert a status to an exit code, and back. */
static inline int cli_exit_code(sg_status st)
{
    if (st == SG_OK) return CLI_DONE;
    return st == SG_EINVAL ? CLI_USAGE : CLI_FAILED;
}
sg_status cli_exit_code_status(int code);
/* Flushes standard output. Returns code, or CLI_FAILED if writing failed. */
int cli_flush(int code);
/* Prints the error message if code is a failure. */
void cli_print_error(int code);
/* Prints the error message and flushes standard output. Returns the exit code of the process. */
int cli_finish(int code);
/* Returns SG_EIO and sets an error message after Ctrl-C. Loops that write a file call it. */
sg_status cli_check_interrupt(void);

/* --- checks of output paths (check_outputs.c) --- */

/* Checks, before any work is done, that --output, --checkpoint and --predictions can be written. */
int cli_check_outputs(const cli_command *c);
/* Checks that a file can be written and is not an input. Messages show `option` before the path. The first `inputs`
 * operands are the inputs. */
int cli_check_output_path(const cli_command *c, const char *option, const char *path, size_t inputs);
bool cli_is_stdout(const char *path);

/* --- models and data (open_model_data.c) --- */

/* A model, and data that has the model's columns. */
typedef struct cli_model_data {
    sg_model *model;
    sg_dataset *data; /* NULL: no data was opened */
    sg_source rows;
} cli_model_data;

/* Opens `count` operands, starting with operand `first`, as one dataset. */
int cli_open_data(const cli_command *c, size_t first, size_t count, sg_dataset **out);
/* Opens the operands after the first as data for d->model: its inputs and, if `targets` is set, its targets and the
 * column of --weights. If `targets` is not set, a notice lists the columns that the model does not use. */
int cli_open_data_for_model(const cli_command *c, bool targets, cli_model_data *d);
/* Loads the model of the first operand and, if there are more operands, opens its data. *out must be zeroed before the
 * call, and released after it even if it fails. */
int cli_open_model_data(const cli_command *c, bool targets, cli_model_data *out);
void cli_model_data_release(cli_model_data *d);
/* Return an entry of the training record as text (NULL if there is none) and as a number (NaN if there is none). */
const char *cli_record_get(const sg_model *m, const char *name);
double cli_record_number(const sg_model *m, const char *name);
/* If `rows` equals the number of training rows, prints a notice that DATA may be the training data, and what the
 * consequence would be. */
void cli_warn_training_rows(const cli_command *c, const sg_model *m, size_t rows, const char *consequence);
/* Writes the path of a model with .html in place of .json to `path`. */
enum { CLI_PATH_SIZE = 4096 };
int cli_default_report_path(const char *model, char path[CLI_PATH_SIZE]);
