/* cli.h: what the verbs share: the table of verbs, a parsed command line, how to talk. The command
 * line sees sugeno.h and nothing else of the library. */
#ifndef SUGENO_CLI_H
#define SUGENO_CLI_H

#include "interrupt.h"
#include "sugeno.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdio.h>

enum { CLI_DONE = 0, CLI_FAILED = 1, CLI_USAGE = 2 }; /* exit codes */

typedef struct cli_command cli_command;

/* --- the program (verbs.c, process.c) --- */

/* The processes that do the work together: see mpi_run.h. */
typedef struct cli_world {
    const sg_comm *comm;
    size_t threads; /* that this member may use where the user says nothing */
} cli_world;

/* Once, before anything else. */
void cli_process_start(void);
/* The whole command line. company NULL: one process. Returns the exit code; the sentence of a failure is
 * sg_errmsg(), and not printed yet. */
int cli_run(int argc, char **argv, const cli_world *company);

/* --- verbs (verbs.c) --- */

typedef struct cli_verb {
    const char *name;
    const char *operands;      /* "MODEL DATA..."; one in brackets may be left out, one with dots may be several */
    const char *usage_options; /* what else the usage line shows: "[-o FILE]"     */
    const char *summary;       /* one line                                        */
    const char *description;   /* a paragraph                                     */
    unsigned groups;           /* bits 1 << SG_GROUP_x: options of the library    */
    const char *excluded;      /* names of those that it doesn't take all the same */
    const char *cli_options;   /* names of the command line's own options         */
    const char *preset;        /* where the user names none; NULL: the table's    */
    int (*run)(const cli_command *c);
} cli_verb;

const cli_verb *cli_verbs(size_t *count);
/* NULL, and a sentence, for an unknown name. */
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

/* --- options (cli_options.c) --- */

enum { CLI_OPTIONS_MAX = 32 };

/* Rows of the command line's own options. */
const sg_option *cli_option_table(size_t *count);
bool cli_option_is_cli(const sg_option *row);
/* CLI_USAGE, and a sentence, for a value that the row doesn't allow. */
int cli_option_set(cli_command *c, const sg_option *row, const char *value);
/* The same check as sg_option_check; what is a part of 1 may also be said in percent. */
sg_status cli_option_check(const sg_option *row, const char *value, char **text);
/* "2%" and "2 %" are 0.02; false where it is no percentage. */
bool cli_parse_percent(const char *text, double *out);
/* Whether the verb takes a row of either table. */
bool cli_verb_accepts(const cli_verb *v, const sg_option *row);
/* The letter of an option that has a short form, or 0; and the name behind a letter, or NULL. */
char cli_short_option(const char *name);
const char *cli_short_option_name(char letter);
/* The names that a CHOICE takes, or "" for other types. Returns buf. */
const char *cli_format_choices(const sg_option *row, char *buf, size_t size);
/* Whether a list of words separated by blanks holds the word. */
bool cli_list_contains(const char *list, const char *word);

/* --- a parsed command line (args.c) --- */

struct cli_command {
    const char *program; /* as it was called, for commands that can be repeated */
    const cli_verb *verb;
    sg_options *options;
    char *option_value[CLI_OPTIONS_MAX]; /* values by row, NULL where not given */
    char **operand;                      /* NULL after the last                 */
    size_t operands;
    bool json, quiet;
    const cli_world *world;  /* NULL: this process is alone          */
    char **rank_operand;     /* operands with their rank in them     */
    bool local, local_valid; /* operands, --valid: files of this member alone */
};

/* args[count] are those after the verb. Returns CLI_DONE or, with a sentence, what to exit with;
 * cli_command_release is due in any case. */
int cli_command_parse(const cli_verb *v, char **args, size_t count, cli_command *out);
/* After parsing: are the operands there that the verb needs? */
int cli_command_check(const cli_command *c);
void cli_command_release(cli_command *c);
/* "sugeno predict MODEL DATA [-o FILE]". Returns buf. */
const char *cli_synopsis(const cli_verb *v, char buf[128]);
/* The value of one of the command line's own options, as text. */
const char *cli_option_get(const cli_command *c, const char *name);
bool cli_option_flag(const cli_command *c, const char *name);

/* --- names on a terminal (print_escaped.c) --- */

/* A name, a level, a path: all text of files that goes to a terminal. Blanks fill it up to `width` columns. */
void cli_print_escaped(FILE *to, const char *name, int width);
/* How many columns it takes. */
int cli_display_width(const char *name);

/* --- talking (message.c) --- */

/* Why the program fails: the sentence is kept for cli_finish, which prints it when all is over. error returns
 * CLI_FAILED, usage CLI_USAGE. */
__attribute__((format(printf, 1, 2))) int cli_error(const char *format, ...);
__attribute__((format(printf, 1, 2))) int cli_usage_error(const char *format, ...);
/* Prints one line on standard error; nothing with --quiet. */
__attribute__((format(printf, 2, 3))) void cli_notice(const cli_command *c, const char *format, ...);
/* CLI_DONE for SG_OK; else what to exit with, for the library's sentence. */
int cli_exit_code(sg_status st);
/* The other way round. */
sg_status cli_exit_code_status(int code);
/* The exit code, unless standard output could not be written. */
int cli_flush(int code);
/* Prints the sentence of a failure. */
void cli_print_error(int code);
/* Both: what main returns. */
int cli_finish(int code);

/* --- files (verb_common.c) --- */

/* A sentence and an exit code, before any work is done, where --output, --checkpoint or --predictions can't be
 * written. */
int cli_check_outputs(const cli_command *c);
/* The same for any path that is written. option stands before it in messages; the first `read` operands
 * are read. */
int cli_check_output_path(const cli_command *c, const char *option, const char *path, size_t read);
/* Reads `count` operands from number `first` on: files that are one dataset. */
int cli_open_data(const cli_command *c, size_t first, size_t count, sg_dataset **out);
/* Reads what a model, the first operand, needs of the others: its inputs; with targets also these, and the
 * column of --weights. */
int cli_open_data_for_model(const cli_command *c, const sg_model *m, bool targets, sg_dataset **out);
/* One notice for columns that are neither input nor target. */
void cli_notify_ignored_columns(const cli_command *c, const sg_model *m, const sg_dataset *data);
/* A model's name with .html in the place of .json. */
enum { CLI_PATH_SIZE = 4096 };
int cli_default_report_path(const char *model, char path[CLI_PATH_SIZE]);
/* A fact of the training record as text, or NULL; as a number, or NaN. */
const char *cli_record_get(const sg_model *m, const char *name);
double cli_record_number(const sg_model *m, const char *name);
/* RMSE over all outputs of a model. */
double cli_pooled_rmse(const sg_metrics *metrics, size_t outputs);
size_t cli_threads(const cli_command *c);

#endif
