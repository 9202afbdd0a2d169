/* help_man.c: the manual page, in the macros of man(7). */
#include "help/help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Text in which roff sees nothing of its own. */
static void print_escaped(const char *text)
{
    if (*text == '.' || *text == '\'') fputs("\\&", stdout);
    for (; *text; text++) {
        if (*text == '-') fputs("\\-", stdout);
        else if (*text == '\\') fputs("\\e", stdout);
        else putchar(*text);
    }
}

static void print_line(const char *text)
{
    print_escaped(text);
    putchar('\n');
}

static void print_heading(const char *title)
{
    fputs(".SH ", stdout);
    for (; *title; title++) putchar(toupper((unsigned char)*title));
    putchar('\n');
}

static void print_verbs(void)
{
    size_t n;
    const cli_verb *v = cli_verbs(&n);
    print_heading("Verbs");
    for (size_t i = 0; i < n; i++, v++) {
        fputs(".TP\n\\fBsugeno ", stdout);
        print_escaped(v->name);
        printf("\\fR");
        if (*v->operands) printf(" \\fI%s\\fR", v->operands);
        if (*v->usage_options) putchar(' ');
        print_escaped(v->usage_options);
        putchar('\n');
        print_line(v->description);
    }
}

static void print_option(const sg_option *row)
{
    char choices[512], letter = cli_short_option(row->name);
    fputs(".TP\n", stdout);
    if (letter) printf("\\fB\\-%c\\fR, ", letter);
    fputs("\\fB\\-\\-", stdout);
    print_escaped(row->name);
    printf("\\fR");
    if (row->value_name) printf(" \\fI%s\\fR", row->value_name);
    putchar('\n');
    print_escaped(row->help);
    if (*cli_format_choices(row, choices, sizeof choices)) fputs("; one of ", stdout);
    print_escaped(choices);
    if (row->type != SG_OPTION_FLAG && *row->default_value) {
        fputs(" [", stdout);
        print_escaped(row->default_value);
        putchar(']');
    }
    putchar('\n');
}

static void print_options(void)
{
    const sg_option *row;
    print_heading("Options");
    print_line("Options and files may stand in any order, \"--\" ends the options. --name=value is the "
               "same as --name value, --no-name turns a flag off. In brackets: the default, where the preset says "
               "nothing else.");
    for (size_t s = 0; s < CLI_SECTIONS; s++) {
        printf(".SS %s\n", s ? cli_section_title(s) : "Of the command line");
        for (size_t i = 0; (row = cli_section_row(s, NULL, i)); i++) print_option(row);
    }
}

static void print_presets(void)
{
    size_t n;
    const sg_preset *preset = sg_preset_table(&n);
    print_heading("Presets");
    for (size_t i = 0; i < n; i++) {
        fputs(".TP\n.B ", stdout);
        print_line(preset[i].name);
        print_line(preset[i].help);
    }
}

static void print_examples(void)
{
    const char *command, *what;
    print_heading("Examples");
    for (size_t i = 0; (command = cli_example(i, &what)); i++) {
        fputs(".TP\n.B ", stdout);
        print_line(command);
        print_line(what);
    }
}

void cli_help_man(void)
{
    printf(".TH SUGENO 1 \"\" \"sugeno %s\" \"User Commands\"\n", sg_version());
    print_heading("Name");
    print_line("sugeno - fuzzy systems for regression: train, evaluate, read as rules");
    print_heading("Synopsis");
    puts(".B sugeno\n.I VERB\n[\\fIoption\\fR...] \\fIFILE\\fR...");
    print_heading("Description");
    print_line("Trains Takagi-Sugeno-Kang fuzzy systems on tables of numbers, explains and uses them. "
               "Results go to standard output, talk and progress to standard error; as a data file, "
               "\"-\" is standard input.");
    print_verbs();
    print_options();
    print_presets();
    print_heading("Files");
    print_line("Data is CSV, with a header or without; comma, semicolon or tab; plain or gzipped. A "
               "model is JSON. A file is written whole or not at all.");
    print_heading("Many machines");
    print_line(
        "sugeno-mpi, started by mpirun or mpiexec, takes the same command line. All ranks work together on train, "
        "eval, predict and cv, with the same results as one process. Files must be seen by all ranks, or, with "
        "--local, "
        "are each rank's own rows; {rank} in a name is the number of the rank, from 0, and says --local. Rank 0 reads "
        "what is no .npy file and hands the rows on; it alone prints and writes files.");
    print_heading("Environment");
    puts(".TP\n.B " CLI_KERNEL_VARIABLE);
    print_line(CLI_KERNEL_HELP);
    print_heading("Exit status");
    puts(".TP\n.B 0\ndone\n.TP\n.B 1\nfailed: what was read is wrong, or can't be read or written; "
         "or training diverged\n.TP\n.B 2\nwrong usage");
    print_examples();
}
