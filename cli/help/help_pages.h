/* help_pages.h: help pages, generated from the tables of verbs, options and presets. */
#pragma once

#include "cli.h"

void cli_help_version(void);
void cli_help_overview(void);
/* Shows the current values: `sugeno train --preset mbgd --help` shows those of the preset. */
void cli_help_verb(const cli_command *c);
void cli_help_options(const cli_command *c);
void cli_help_presets(void);
void cli_help_man(void);
void cli_help_markdown(void);
void cli_help_json(void);

/* --- shared by the formats (help_sections.c) --- */

/* Section 0 holds the options of the command line, the others one group of the library each. */
enum { CLI_SECTIONS = 5 };
const char *cli_section_title(size_t section);
/* Returns option i of a section that the verb accepts (NULL: any verb), or NULL after the last one. */
const sg_option *cli_section_option(size_t section, const cli_verb *v, size_t i);

/* Returns example command i and stores its purpose, or returns NULL after the last one. */
const char *cli_example(size_t i, const char **purpose);
/* The environment variable that the library reads. */
#define CLI_KERNEL_VARIABLE "SUGENO_KERNEL"
#define CLI_KERNEL_HELP                                                                                                \
    "the kernel that computes predictions and gradients: avx2, neon or portable, which give the same bits, or "        \
    "reference, the readable definition. Default: the fastest one that the processor supports."
