/* help_text.c: help for a terminal of 80 columns. */
#include "help/help.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 79, HELP_COLUMN = 28, MANY_CHOICES = 8 };

/* Words up to the width, from column `at` on; further lines begin at `indent`. */
static void print_wrapped(const char *text, size_t at, size_t indent)
{
    bool first = true;
    for (const char *p = text; *p; first = false) {
        size_t n = strcspn(p, " ");
        if (!first && at + 1 + n > WIDTH) {
            printf("\n%*s", (int)indent, "");
            at = indent;
        } else if (!first) {
            putchar(' ');
            at++;
        }
        printf("%.*s", (int)n, p);
        at += n;
        p += n;
        p += strspn(p, " ");
    }
    putchar('\n');
}

void cli_help_version(void) { printf("sugeno %s\n", sg_version()); }

/* --- options --- */

/* The default, and what is in force where a preset or an option before --help changes it. */
static void values_text(const sg_option *row, const char *now, char *buf, size_t size)
{
    bool differs = now && strcmp(now, row->default_value) != 0;
    *buf = '\0';
    if (row->type == SG_OPTION_FLAG || !(*row->default_value || differs)) return;
    if (!differs) snprintf(buf, size, " [%s]", row->default_value);
    else snprintf(buf, size, " [%s%snow %s]", row->default_value, *row->default_value ? "; " : "", now);
}

static void left_text(const sg_option *row, char *buf, size_t size)
{
    char letter[8] = "    ", short_form = cli_short_option(row->name);
    const char *value = row->value_name ? row->value_name : "";
    if (short_form) snprintf(letter, sizeof letter, "-%c, ", short_form);
    snprintf(buf, size, "  %s--%s%s%s", letter, row->name, *value ? " " : "", value);
}

/* What it does, the names it takes (unless they have a list of their own, as presets), values. */
static void right_text(const sg_option *row, const char *now, char *buf, size_t size)
{
    char choices[512], values[256], one[32];
    size_t count = 0;
    while (sg_option_choice(row, count, one, sizeof one)) count++;
    bool listed = count > 0 && count <= MANY_CHOICES;
    cli_format_choices(row, choices, sizeof choices);
    values_text(row, now, values, sizeof values);
    snprintf(buf, size, "%s%s%s%s", row->help, listed ? "; one of " : "", listed ? choices : "", values);
}

static void print_option(const sg_option *row, const char *now)
{
    char left[128], right[1024];
    left_text(row, left, sizeof left);
    right_text(row, now, right, sizeof right);
    if (strlen(left) + 2 > HELP_COLUMN) printf("%s\n%*s", left, HELP_COLUMN, "");
    else printf("%-*s", HELP_COLUMN, left);
    print_wrapped(right, HELP_COLUMN, HELP_COLUMN);
}

static void print_sections(const cli_command *c, const cli_verb *v)
{
    if (!v || v->groups) fputs("In brackets: the default, and what is in force where it is something else", stdout);
    if (!v || v->groups >> SG_OPTION_GROUP_MODEL & 1)
        printf(":\nby the preset %s, or by what stands beside --help", sg_options_get(c->options, "preset"));
    if (!v || v->groups) puts(".\n");
    for (size_t s = 0; s < CLI_SECTIONS; s++) {
        const sg_option *row = cli_section_row(s, v, 0);
        if (row) printf("%s%s:\n", s ? "\n" : "", cli_section_title(s));
        for (size_t i = 0; (row = cli_section_row(s, v, i)); i++)
            print_option(row, sg_options_get(c->options, row->name));
    }
}

void cli_help_options(const cli_command *c)
{
    puts("All options, as --name value or --name=value.\n");
    print_sections(c, NULL);
}

void cli_help_presets(void)
{
    size_t n;
    const sg_preset *preset = sg_preset_table(&n);
    puts("Presets:");
    for (size_t i = 0; i < n; i++) {
        printf("  %-*s", HELP_COLUMN - 2, preset[i].name);
        print_wrapped(preset[i].help, HELP_COLUMN, HELP_COLUMN);
    }
}

/* --- pages --- */

void cli_help_verb(const cli_command *c)
{
    const cli_verb *v = c->verb;
    char usage[128];
    printf("usage: %s [option...]\n\n", cli_synopsis(v, usage));
    print_wrapped(v->description, 0, 0);
    if (strstr(v->operands, "DATA")) puts("DATA is a CSV file, plain or gzipped; - is standard input.");
    putchar('\n');
    print_sections(c, v);
    if (!(v->groups >> SG_OPTION_GROUP_MODEL & 1)) return; /* where --preset is */
    putchar('\n');
    cli_help_presets();
}

void cli_help_overview(void)
{
    size_t n;
    const cli_verb *verb = cli_verbs(&n);
    const char *command, *what;
    puts("sugeno: fuzzy systems (Takagi-Sugeno-Kang) for regression, trained, scored and\n"
         "read as rules\n\nusage: sugeno VERB [option...] FILE...\n");
    for (size_t i = 0; i < n; i++) printf("  %-11s%-15s %s\n", verb[i].name, verb[i].operands, verb[i].summary);
    puts("\nExamples:");
    for (size_t i = 0; (command = cli_example(i, &what)); i++) printf("  %-46s %s\n", command, what);
    puts("\nsugeno VERB --help shows a verb's options and their defaults. Results go to\n"
         "standard output, talk to standard error. Exit code 0: done, 1: failed, 2: wrong\nusage.");
}
