/* help.h: what help prints comes from the tables of verbs, options and presets, and so can't differ
 * from what the program does. */
#ifndef SUGENO_CLI_HELP_HELP_H
#define SUGENO_CLI_HELP_HELP_H

#include "cli.h"

void cli_help_version(void);
void cli_help_overview(void);
/* With the values in force: `sugeno train --preset mbgd --help` shows that preset's. */
void cli_help_verb(const cli_command *c);
void cli_help_options(const cli_command *c);
void cli_help_presets(void);
void cli_help_man(void);
void cli_help_markdown(void);
void cli_help_json(void);

/* --- pieces that the forms share (help_sections.c) --- */

/* "own" options come before the library's groups. */
enum { CLI_SECTIONS = 5 };
const char *cli_section_title(size_t section);
/* The i-th row of a section that the verb (NULL: any) takes, or NULL after the last. */
const sg_option *cli_section_row(size_t section, const cli_verb *v, size_t i);

/* Examples that work as they stand: the i-th command and what it does; NULL after the last. */
const char *cli_example(size_t i, const char **what);
/* The one variable of the environment that is ours, and what it does. */
#define CLI_KERNEL_VARIABLE "SUGENO_KERNEL"
#define CLI_KERNEL_HELP                                                                                                \
    "what computes: avx2, neon or portable, which give the same bits, or reference, the readable "                     \
    "definition. Without it, the fastest that the processor can run."

#endif
