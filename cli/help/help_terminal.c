/* help_terminal.c: prints help for a terminal with 80 columns. */
#include "help/help.h"

#include <stdio.h>
#include <string.h>

enum { WIDTH = 79, HELP_COLUMN = 28, MANY_CHOICES = 8 };

/* Prints text that starts in column `at`, and wraps it. Subsequent lines are indented. */
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

/* Writes the default, and the current value if a preset or an option changes it. */
static void values_text(const sg_option *option, const char *current, char *buf, size_t size)
{
    bool differs = current && strcmp(current, option->default_value) != 0;
    *buf = '\0';
    if (option->type == SG_OPTION_FLAG || !(*option->default_value || differs)) return;
    if (!differs) snprintf(buf, size, " [%s]", option->default_value);
    else snprintf(buf, size, " [%s%snow %s]", option->default_value, *option->default_value ? "; " : "", current);
}

static void format_option_column(const sg_option *option, char *buf, size_t size)
{
    char letter[8] = "    ", short_form = cli_short_option(option->name);
    const char *value = option->value_name ? option->value_name : "";
    if (short_form) snprintf(letter, sizeof letter, "-%c, ", short_form);
    snprintf(buf, size, "  %s--%s%s%s", letter, option->name, *value ? " " : "", value);
}

/* Writes the help text, the choices (unless there are many, as for --preset) and the values. */
static void format_help_column(const sg_option *option, const char *current, char *buf, size_t size)
{
    char choices[512], values[256], choice[32];
    size_t count = 0;
    while (sg_option_choice(option, count, choice, sizeof choice)) count++;
    bool listed = count > 0 && count <= MANY_CHOICES;
    cli_format_choices(option, choices, sizeof choices);
    values_text(option, current, values, sizeof values);
    snprintf(buf, size, "%s%s%s%s", option->help, listed ? "; one of " : "", listed ? choices : "", values);
}

static void print_option(const sg_option *option, const char *current)
{
    char left[128], right[1024];
    format_option_column(option, left, sizeof left);
    format_help_column(option, current, right, sizeof right);
    if (strlen(left) + 2 > HELP_COLUMN) printf("%s\n%*s", left, HELP_COLUMN, "");
    else printf("%-*s", HELP_COLUMN, left);
    print_wrapped(right, HELP_COLUMN, HELP_COLUMN);
}

static void print_sections(const cli_command *c, const cli_verb *v)
{
    bool has_preset = !v || v->groups >> SG_OPTION_GROUP_MODEL & 1;
    if (has_preset)
        printf("Brackets show the default, and the current value if the preset %s or an\noption before --help changes "
               "it.\n\n",
               c->settings.preset);
    else if (v->groups) puts("Brackets show the default, and the current value if it differs.\n");
    for (size_t s = 0; s < CLI_SECTIONS; s++) {
        const sg_option *option = cli_section_option(s, v, 0);
        if (option) printf("%s%s:\n", s ? "\n" : "", cli_section_title(s));
        for (size_t i = 0; (option = cli_section_option(s, v, i)); i++)
            print_option(option, sg_options_get(c->options, option->name));
    }
}

void cli_help_options(const cli_command *c)
{
    puts("All options, which can be written as --name value or --name=value.\n");
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
    if (strstr(v->operands, "DATA"))
        puts("DATA is CSV (also gzipped), .npy, ARFF, KEEL or LIBSVM; - is standard input.");
    putchar('\n');
    print_sections(c, v);
    if (!(v->groups >> SG_OPTION_GROUP_MODEL & 1)) return; /* no --preset */
    putchar('\n');
    cli_help_presets();
}

void cli_help_overview(void)
{
    size_t n;
    const cli_verb *verb = cli_verbs(&n);
    const char *command, *purpose;
    puts("sugeno: train, evaluate and explain Takagi-Sugeno-Kang fuzzy systems for\n"
         "regression\n\nusage: sugeno VERB [option...] FILE...\n");
    for (size_t i = 0; i < n; i++) printf("  %-11s%-15s %s\n", verb[i].name, verb[i].operands, verb[i].summary);
    puts("\nExamples:");
    for (size_t i = 0; (command = cli_example(i, &purpose)); i++) printf("  %-46s %s\n", command, purpose);
    puts("\nsugeno VERB --help shows the options of a verb and their defaults. Results go to\n"
         "standard output, messages to standard error. Exit code 0: success, 1: failure,\n2: incorrect usage.");
}
