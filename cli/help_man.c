/* help_man.c: the manual page, in the macros of man(7). */
#include "help.h"

#include <ctype.h>
#include <stdio.h>
#include <string.h>

/* Text in which roff sees nothing of its own. */
static void put(const char *text)
{
    if (*text == '.' || *text == '\'') fputs("\\&", stdout);
    for (; *text; text++) {
        if (*text == '-') fputs("\\-", stdout);
        else if (*text == '\\') fputs("\\e", stdout);
        else putchar(*text);
    }
}

static void line(const char *text)
{
    put(text);
    putchar('\n');
}

static void heading(const char *title)
{
    fputs(".SH ", stdout);
    for (; *title; title++) putchar(toupper((unsigned char)*title));
    putchar('\n');
}

static void verbs(void)
{
    size_t n;
    const cli_verb *v = cli_verbs(&n);
    heading("Verbs");
    for (size_t i = 0; i < n; i++, v++) {
        fputs(".TP\n\\fBsugeno ", stdout);
        put(v->name);
        printf("\\fR");
        if (*v->operands) printf(" \\fI%s\\fR", v->operands);
        if (*v->shown) putchar(' ');
        put(v->shown);
        putchar('\n');
        line(v->about);
    }
}

static void option(const sg_option *row)
{
    char choices[512], letter = cli_letter(row->name);
    fputs(".TP\n", stdout);
    if (letter) printf("\\fB\\-%c\\fR, ", letter);
    fputs("\\fB\\-\\-", stdout);
    put(row->name);
    printf("\\fR");
    if (row->value_name) printf(" \\fI%s\\fR", row->value_name);
    putchar('\n');
    put(row->help);
    if (*cli_choices(row, choices, sizeof choices)) fputs("; one of ", stdout);
    put(choices);
    if (row->type != SG_OPTION_FLAG && *row->fallback) {
        fputs(" [", stdout);
        put(row->fallback);
        putchar(']');
    }
    putchar('\n');
}

static void options(void)
{
    const sg_option *row;
    heading("Options");
    line("Options and files may stand in any order, \"--\" ends the options. --name=value is the "
         "same as --name value, --no-name turns a flag off. In brackets: the default, where the preset says nothing "
         "else.");
    for (size_t s = 0; s < CLI_SECTIONS; s++) {
        printf(".SS %s\n", s ? cli_section_title(s) : "Of the command line");
        for (size_t i = 0; (row = cli_section_row(s, NULL, i)); i++) option(row);
    }
}

static void presets(void)
{
    size_t n;
    const sg_preset *preset = sg_preset_table(&n);
    heading("Presets");
    for (size_t i = 0; i < n; i++) {
        fputs(".TP\n.B ", stdout);
        line(preset[i].name);
        line(preset[i].help);
    }
}

static void examples(void)
{
    const char *command, *what;
    heading("Examples");
    for (size_t i = 0; (command = cli_example(i, &what)); i++) {
        fputs(".TP\n.B ", stdout);
        line(command);
        line(what);
    }
}

void cli_help_man(void)
{
    printf(".TH SUGENO 1 \"\" \"sugeno %s\" \"User Commands\"\n", sg_version());
    heading("Name");
    line("sugeno - fuzzy systems for regression: train, evaluate, read as rules");
    heading("Synopsis");
    puts(".B sugeno\n.I VERB\n[\\fIoption\\fR...] \\fIFILE\\fR...");
    heading("Description");
    line("Trains Takagi-Sugeno-Kang fuzzy systems on tables of numbers, explains and uses them. "
         "Results go to standard output, talk and progress to standard error; as a data file, "
         "\"-\" is standard input.");
    verbs();
    options();
    presets();
    heading("Files");
    line("Data is CSV, with a header or without; comma, semicolon or tab; plain or gzipped. A "
         "model is JSON. A file is written whole or not at all.");
    heading("Many machines");
    line("sugeno-mpi, started by mpirun or mpiexec, takes the same command line. All ranks work together on train, "
         "eval, predict and cv, with the same results as one process. Files must be seen by all ranks, or, with "
         "--local, "
         "are each rank's own rows; {rank} in a name is the number of the rank, from 0, and says --local. Rank 0 reads "
         "what is no .npy file and hands the rows on; it alone prints and writes files.");
    heading("Environment");
    puts(".TP\n.B " CLI_KERNEL_VARIABLE);
    line(CLI_KERNEL_HELP);
    heading("Exit status");
    puts(".TP\n.B 0\ndone\n.TP\n.B 1\nfailed: what was read is wrong, or can't be read or written; "
         "or training diverged\n.TP\n.B 2\nwrong usage");
    examples();
}
