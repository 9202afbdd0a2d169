/* verb_info.c: implements sugeno info, which prints the shape and record of a model, or the columns of a data file. */
#include "cli.h"
#include "output/json_emit.h"

#include <ctype.h>
#include <stdio.h>
#include <sys/stat.h>

typedef const char *model_name_fn(const sg_model *m, size_t i);

static void print_list(const char *title, const sg_model *m, size_t n, model_name_fn *name)
{
    printf("%-16s  ", title);
    for (size_t i = 0; i < n; i++) {
        if (i) fputs(", ", stdout);
        cli_print_escaped(stdout, name(m, i), 0);
    }
    putchar('\n');
}

/* Prints one line for each categorical input. */
static void print_levels(const sg_model *m)
{
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        if (!sg_model_levels(m, i)) continue;
        printf("%-16s  ", "category");
        cli_print_escaped(stdout, sg_model_input_name(m, i), 0);
        for (size_t k = 0; k < sg_model_levels(m, i); k++) {
            fputs(k ? ", " : " is ", stdout);
            cli_print_escaped(stdout, sg_model_level(m, i, k), 0);
        }
        putchar('\n');
    }
}

static void print_line(const char *name, const char *value)
{
    cli_print_escaped(stdout, name, 16);
    fputs("  ", stdout);
    cli_print_escaped(stdout, value, 0);
    putchar('\n');
}

static void print_additive_part(const sg_model *m)
{
    if (!sg_model_curves(m)) return;
    printf("%-16s  %zu\n", "curves", sg_model_curves(m));
    printf("%-16s  %zu\n", "pairs", sg_model_pairs(m));
}

static void print_text(const sg_model *m, const char *path)
{
    const char *name, *value;
    print_line("model", path);
    print_list("inputs", m, sg_model_inputs(m), sg_model_input_name);
    print_levels(m);
    print_list("targets", m, sg_model_outputs(m), sg_model_output_name);
    printf("%-16s  %zu\n", "blocks", sg_model_blocks(m));
    print_additive_part(m);
    printf("%-16s  %zu\n", "rules", sg_model_rules(m));
    printf("%-16s  %zu\n", "parameters", sg_model_parameters(m));
    printf("%-16s  %zu\n", "reading cost", sg_model_reading_cost(m));
    if (sg_model_calibration_rows(m))
        printf("%-16s  from the errors of %zu rows\n", "intervals", sg_model_calibration_rows(m));
    printf("\ntraining record\n");
    for (size_t i = 0; sg_model_record(m, i, &name, &value); i++)
        if (*value) print_line(name, value);
}

static void emit_list(cli_json *j, const char *key, const sg_model *m, size_t n, model_name_fn *name)
{
    cli_json_open(j, key, '[');
    for (size_t i = 0; i < n; i++) cli_json_text(j, NULL, name(m, i));
    cli_json_close(j, '[');
}

static void emit_levels(cli_json *j, const sg_model *m)
{
    size_t categories = 0;
    for (size_t i = 0; i < sg_model_inputs(m); i++) categories += sg_model_levels(m, i) > 0;
    if (!categories) return;
    cli_json_open(j, "levels", '{');
    for (size_t i = 0; i < sg_model_inputs(m); i++) {
        if (!sg_model_levels(m, i)) continue;
        cli_json_open(j, sg_model_input_name(m, i), '[');
        for (size_t k = 0; k < sg_model_levels(m, i); k++) cli_json_text(j, NULL, sg_model_level(m, i, k));
        cli_json_close(j, '[');
    }
    cli_json_close(j, '{');
}

static void print_json(const sg_model *m)
{
    const char *name, *value;
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_text(&j, "kind", "model");
    emit_list(&j, "inputs", m, sg_model_inputs(m), sg_model_input_name);
    emit_levels(&j, m);
    emit_list(&j, "targets", m, sg_model_outputs(m), sg_model_output_name);
    cli_json_count(&j, "blocks", sg_model_blocks(m));
    cli_json_count(&j, "rules", sg_model_rules(m));
    cli_json_count(&j, "curves", sg_model_curves(m));
    cli_json_count(&j, "pairs", sg_model_pairs(m));
    cli_json_count(&j, "parameters", sg_model_parameters(m));
    cli_json_count(&j, "reading_cost", sg_model_reading_cost(m));
    cli_json_count(&j, "interval_rows", sg_model_calibration_rows(m));
    cli_json_open(&j, "record", '{');
    for (size_t i = 0; sg_model_record(m, i, &name, &value); i++) cli_json_text(&j, name, value);
    cli_json_close(&j, '{');
    cli_json_close(&j, '{');
}

static int info_model(const cli_command *c)
{
    sg_model *m;
    int code = cli_exit_code(sg_model_load(c->operand[0], &m));
    if (code != CLI_DONE) return code;
    if (c->json) print_json(m);
    else print_text(m, c->operand[0]);
    sg_model_free(m);
    return CLI_DONE;
}

/* Returns whether a file starts with '{', as models do and data never do. Only regular files can be opened twice. */
static bool is_model(const char *path)
{
    struct stat info;
    FILE *f = stat(path, &info) == 0 && S_ISREG(info.st_mode) ? fopen(path, "r") : NULL;
    if (!f) return false;
    int first = getc(f);
    while (isspace(first)) first = getc(f);
    fclose(f);
    return first == '{';
}

int cli_info(const cli_command *c) { return is_model(c->operand[0]) ? info_model(c) : cli_info_data(c); }
