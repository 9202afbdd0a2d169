/* help_man.c: prints the manual page with the macros of man(7). */
#include "help/help.h"

#include <ctype.h>
#include <stdio.h>

/* Prints text with the control characters of roff escaped. */
static void print_roff(const char *text)
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
    print_roff(text);
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
        print_roff(v->name);
        printf("\\fR");
        if (*v->operands) printf(" \\fI%s\\fR", v->operands);
        if (*v->usage_options) putchar(' ');
        print_roff(v->usage_options);
        putchar('\n');
        print_line(v->description);
    }
}

static void print_option(const sg_option *option)
{
    char choices[512], letter = cli_short_option(option->name);
    fputs(".TP\n", stdout);
    if (letter) printf("\\fB\\-%c\\fR, ", letter);
    fputs("\\fB\\-\\-", stdout);
    print_roff(option->name);
    printf("\\fR");
    if (option->value_name) printf(" \\fI%s\\fR", option->value_name);
    putchar('\n');
    print_roff(option->help);
    if (*cli_format_choices(option, choices, sizeof choices)) fputs("; one of ", stdout);
    print_roff(choices);
    if (option->type != SG_OPTION_FLAG && *option->default_value) {
        fputs(" [", stdout);
        print_roff(option->default_value);
        putchar(']');
    }
    putchar('\n');
}

static void print_options(void)
{
    const sg_option *option;
    print_heading("Options");
    print_line(
        "Options and files may come in any order; \"--\" ends the options. --name=value is the same as --name value; "
        "--no-name turns a flag off. Brackets show the default, which a preset may change.");
    for (size_t s = 0; s < CLI_SECTIONS; s++) {
        printf(".SS %s\n", s ? cli_section_title(s) : "Command line");
        for (size_t i = 0; (option = cli_section_option(s, NULL, i)); i++) print_option(option);
    }
}

static void print_entry(const char *term, const char *text)
{
    fputs(".TP\n.B ", stdout);
    print_line(term);
    print_line(text);
}

static void print_presets(void)
{
    size_t n;
    const sg_preset *preset = sg_preset_table(&n);
    print_heading("Presets");
    for (size_t i = 0; i < n; i++) print_entry(preset[i].name, preset[i].help);
}

static void print_examples(void)
{
    const char *command, *purpose;
    print_heading("Examples");
    for (size_t i = 0; (command = cli_example(i, &purpose)); i++) print_entry(command, purpose);
}

void cli_help_man(void)
{
    printf(".TH SUGENO 1 \"\" \"sugeno %s\" \"User Commands\"\n", sg_version());
    print_heading("Name");
    print_line("sugeno - train, evaluate and explain fuzzy systems for regression");
    print_heading("Synopsis");
    puts(".B sugeno\n.I VERB\n[\\fIoption\\fR...] \\fIFILE\\fR...");
    print_heading("Description");
    print_line("Trains Takagi-Sugeno-Kang fuzzy systems on tables, explains them and predicts with them. Results go to "
               "standard output, messages and progress to standard error. The data file \"-\" is standard input.");
    print_verbs();
    print_options();
    print_presets();
    print_heading("Files");
    print_line(
        "Data files are CSV (with or without a header; separated by commas, semicolons or tabs; plain or gzipped), "
        ".npy, ARFF, KEEL or LIBSVM. Models are JSON. An output file is either complete or not written at all.");
    print_heading("Distributed training");
    print_line("sugeno-mpi, started by mpirun or mpiexec, accepts the same command line. All ranks work together on "
               "train, predict, eval, calibrate and cv, with the same results as one process. Files must be visible to "
               "all ranks; with --local, each rank reads its own rows from its own files. {rank} in a file name is "
               "replaced with the number of the rank, which starts at 0, and implies --local. .npy files are read by "
               "all ranks; other formats are read by rank 0 and distributed. Only rank 0 prints and writes files.");
    print_heading("Environment");
    print_entry(CLI_KERNEL_VARIABLE, CLI_KERNEL_HELP);
    print_heading("Exit status");
    print_entry("0", "success");
    print_entry("1", "failure: invalid input, a file that cannot be read or written, or training that diverged");
    print_entry("2", "incorrect usage");
    print_examples();
}
