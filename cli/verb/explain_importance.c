/* explain_importance.c: prints the importance of inputs and of rules as two tables, the most important ones first. */
#include "cli.h"
#include "output/json_emit.h"

#include <stdio.h>
#include <stdlib.h>

enum { MAX_COLUMNS = 3 };

/* A table of the inputs or of the rules of a model. */
typedef struct importance_table {
    const char *noun, *json_name;
    const char *heading[MAX_COLUMNS], *json_key[MAX_COLUMNS];
    size_t rows, columns;
    const char **name; /* (rows)                                                              */
    double *value;     /* (outputs, rows, columns): sg_input_importance or sg_rule_importance */
} importance_table;

_Static_assert(sizeof(sg_input_importance) == 2 * sizeof(double), "sg_input_importance must hold two numbers");
_Static_assert(sizeof(sg_rule_importance) == 3 * sizeof(double), "sg_rule_importance must hold three numbers");

static bool alloc_table(importance_table *t, size_t outputs)
{
    t->name = calloc(t->rows, sizeof *t->name);
    t->value = calloc(outputs * t->rows, t->columns * sizeof *t->value);
    return t->name && t->value;
}

static void release_table(importance_table *t)
{
    free(t->name);
    free(t->value);
}

/* --- as text --- */

/* Orders rows by their first column, largest first, then by position. */
static int compare_rows(const void *a, const void *b)
{
    const double *x = *(const double *const *)a, *y = *(const double *const *)b;
    if (*x != *y) return *x < *y ? 1 : -1;
    return (x > y) - (x < y);
}

static int print_table(const importance_table *t, size_t output)
{
    const double *first = t->value + output * t->rows * t->columns;
    const double **order = calloc(t->rows, sizeof *order);
    int width = 16;
    if (!order) return cli_error("out of memory");
    for (size_t i = 0; i < t->rows; i++) {
        int columns = cli_display_width(t->name[i]);
        if (columns > width) width = columns;
        order[i] = first + i * t->columns;
    }
    qsort(order, t->rows, sizeof *order, compare_rows);
    printf("%-*s", width, t->noun);
    for (size_t k = 0; k < t->columns; k++) printf(" %12s", t->heading[k]);
    putchar('\n');
    for (size_t i = 0; i < t->rows; i++) {
        size_t row = (size_t)(order[i] - first) / t->columns; /* NOLINT(clang-analyzer-core.DivideZero): columns > 0 */
        cli_print_escaped(stdout, t->name[row], width);
        for (size_t k = 0; k < t->columns; k++) printf(" %12.6g", order[i][k]);
        putchar('\n');
    }
    free(order);
    return CLI_DONE;
}

static int print_text(const sg_model *m, const importance_table *inputs, const importance_table *rules, size_t rows)
{
    int code = CLI_DONE;
    printf("Computed on %zu row%s. Changes and contributions are\nroot mean squares in the unit of the target.\n"
           "shuffled: change in the predictions if the input is shuffled among the rows\n"
           "terms:    contribution of the input through %s\n",
           rows, rows == 1 ? "" : "s",
           !sg_model_curves(m) ? "the rules"
           : rules->rows       ? "its curve, half of its pairs, and the rules"
                               : "its curve and half of its pairs");
    if (rules->rows)
        puts("share:    mean firing level of the rule\n"
             "leads:    fraction of rows in which the rule fires most strongly\n"
             "left out: change in the predictions without the rule");
    for (size_t o = 0; code == CLI_DONE && o < sg_model_outputs(m); o++) {
        putchar('\n');
        cli_print_escaped(stdout, sg_model_output_name(m, o), 0);
        putchar('\n');
        code = print_table(inputs, o);
        if (rules->rows) putchar('\n');
        if (code == CLI_DONE && rules->rows) code = print_table(rules, o);
    }
    return code;
}

/* --- as JSON, in the order of the model --- */

static void emit_table(cli_json *j, const importance_table *t, size_t output)
{
    const double *value = t->value + output * t->rows * t->columns;
    cli_json_open(j, t->json_name, '[');
    for (size_t i = 0; i < t->rows; i++, value += t->columns) {
        cli_json_open(j, NULL, '{');
        cli_json_text(j, t->noun, t->name[i]);
        for (size_t k = 0; k < t->columns; k++) cli_json_number(j, t->json_key[k], value[k]);
        cli_json_close(j, '{');
    }
    cli_json_close(j, '[');
}

static void print_json(const sg_model *m, const importance_table *inputs, const importance_table *rules, size_t rows)
{
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_count(&j, "rows", rows);
    cli_json_open(&j, "targets", '[');
    for (size_t o = 0; o < sg_model_outputs(m); o++) {
        cli_json_open(&j, NULL, '{');
        cli_json_text(&j, "target", sg_model_output_name(m, o));
        emit_table(&j, inputs, o);
        emit_table(&j, rules, o);
        cli_json_close(&j, '{');
    }
    cli_json_close(&j, '[');
    cli_json_close(&j, '{');
}

static void name_rows(const sg_model *m, const sg_explainer *e, importance_table *inputs, importance_table *rules)
{
    const sg_term *term;
    size_t n = 0;
    for (size_t i = 0; i < inputs->rows; i++) inputs->name[i] = sg_model_input_name(m, i);
    for (size_t i = 0; (term = sg_explainer_term(e, SG_BY_RULE, i)); i++)
        if (term->kind == SG_TERM_RULE) rules->name[n++] = term->name;
}

int cli_explain_importance(const cli_command *c, const sg_model *m, const sg_source *rows)
{
    importance_table inputs = {.noun = "input",
                               .json_name = "inputs",
                               .heading = {"shuffled", "terms"},
                               .json_key = {"shuffled", "terms"},
                               .rows = sg_model_inputs(m),
                               .columns = 2};
    importance_table rules = {.noun = "rule",
                              .json_name = "rules",
                              .heading = {"share", "leads", "left out"},
                              .json_key = {"share", "leads", "left_out"},
                              .rows = sg_model_block_rules(m),
                              .columns = 3};
    size_t outputs = sg_model_outputs(m), used = 0;
    sg_explainer *e = NULL;
    bool allocated = alloc_table(&inputs, outputs) && alloc_table(&rules, outputs);
    int code = allocated ? cli_exit_code(sg_explainer_new(m, &e)) : cli_error("out of memory");
    if (code == CLI_DONE)
        code = cli_exit_code(sg_model_importance(m, rows, c->settings.threads, (sg_input_importance *)inputs.value,
                                                 (sg_rule_importance *)rules.value, &used));
    if (code == CLI_DONE) {
        name_rows(m, e, &inputs, &rules);
        if (c->json) print_json(m, &inputs, &rules, used);
        else code = print_text(m, &inputs, &rules, used);
    }
    sg_explainer_free(e);
    release_table(&inputs);
    release_table(&rules);
    return code;
}
