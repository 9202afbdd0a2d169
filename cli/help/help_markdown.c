/* help_markdown.c: docs/options.md. */
#include "help/help.h"

#include <stdio.h>

/* A '|' would end the cell. */
static void print_cell(const char *text)
{
    for (; *text; text++) printf(*text == '|' ? "\\|" : "%c", *text);
}

/* As sizes are written: 1MB, not 1048576. */
static void print_size(const sg_option *row, double bytes)
{
    char number[32], *usual = NULL;
    if (sg_option_check(row, sg_number_format(bytes, number), &usual) == SG_OK) fputs(usual, stdout);
    sg_string_free(usual);
}

static void print_allowed(const sg_option *row)
{
    char choices[512], low[32], high[32];
    cli_format_choices(row, choices, sizeof choices);
    if (*choices) fputs(choices, stdout);
    else if (row->type == SG_OPTION_FLAG) fputs("yes, no", stdout);
    else if (row->type == SG_OPTION_BYTES) {
        print_size(row, row->low);
        fputs(" to ", stdout);
        print_size(row, row->high);
    } else if (row->type != SG_OPTION_TEXT)
        printf("%s to %s", sg_number_format(row->low, low), sg_number_format(row->high, high));
}

static void print_option(const sg_option *row)
{
    char letter = cli_short_option(row->name);
    fputs("| ", stdout);
    if (letter) printf("`-%c`, ", letter);
    printf("`--%s", row->name);
    if (row->value_name) printf(" %s", row->value_name);
    printf("` | %s%s%s | ", *row->default_value ? "`" : "", row->default_value, *row->default_value ? "`" : "");
    print_allowed(row);
    fputs(" | ", stdout);
    print_cell(row->help);
    puts(" |");
}

static void print_options(void)
{
    const sg_option *row;
    for (size_t s = 0; s < CLI_SECTIONS; s++) {
        printf("\n## %s\n\n", s ? cli_section_title(s) : "The command line's own");
        puts("| option | default | allowed | what it does |\n| --- | --- | --- | --- |");
        for (size_t i = 0; (row = cli_section_row(s, NULL, i)); i++) print_option(row);
    }
}

static void print_presets(void)
{
    size_t n;
    const sg_preset *preset = sg_preset_table(&n);
    puts("\n## Presets\n\nA preset is a row of options; those that are given beside it win.\n\n"
         "| preset | what it is | what differs from the defaults |\n| --- | --- | --- |");
    for (size_t i = 0; i < n; i++) {
        printf("| `%s` | ", preset[i].name);
        print_cell(preset[i].help);
        printf(" | %s%s%s |\n", *preset[i].settings ? "`" : "", preset[i].settings, *preset[i].settings ? "`" : "");
    }
}

void cli_help_markdown(void)
{
    puts("# Options\n\n"
         "<!-- Made by `sugeno help --format markdown`: change the tables in the source. -->\n\n"
         "On the command line `--name value` or `--name=value`; in a file given by `--config`, a\n"
         "line `name = value`; in C, `sg_options_set(o, \"name\", \"value\")`. The command line\n"
         "beats the file, which beats the preset, which beats the default. The preset `auto`, the\n"
         "default one, tries other values of what is not given.");
    print_options();
    print_presets();
    puts("\n## Environment\n\n`" CLI_KERNEL_VARIABLE "`: " CLI_KERNEL_HELP);
}
