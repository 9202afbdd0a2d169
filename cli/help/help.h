/* help.h: prints help pages, which are generated from the tables of verbs, options and presets. */
#pragma once

#include "cli.h"

void cli_help_version(void);
void cli_help_overview(void);
/* Prints the help of a verb with the current values: `sugeno train --preset mbgd --help` shows the values of the
 * preset. */
void cli_help_verb(const cli_command *c);
void cli_help_options(const cli_command *c);
void cli_help_presets(void);
void cli_help_man(void);
void cli_help_markdown(void);
void cli_help_json(void);

/* --- shared by the formats (help_option_groups.c) --- */

/* Section 0 holds the options of the command line. Each other section holds one group of library options. */
enum { CLI_SECTIONS = 5 };
const char *cli_section_title(size_t section);
/* Returns the i-th option of a section that verb v accepts (NULL: any verb), or NULL after the last one. */
const sg_option *cli_section_option(size_t section, const cli_verb *v, size_t i);

/* Returns example command i and stores its purpose, or returns NULL after the last one. */
const char *cli_example(size_t i, const char **purpose);
/* The environment variable that the library reads. */
#define CLI_KERNEL_VARIABLE "SUGENO_KERNEL"
#define CLI_KERNEL_HELP                                                                                                \
    "the kernel that computes predictions and gradients: avx2, neon or portable, whose results are identical, or "     \
    "reference, a slow implementation written for readability. The default is the fastest kernel that the "            \
    "processor supports."
