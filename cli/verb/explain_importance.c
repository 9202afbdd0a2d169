/* explain_importance.c: prints the importance of inputs and rules as two tables, the most important first. */
#include "output/json_emit.h"
#include "verb/explain_modes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef struct importance {
    const sg_model *model;
    size_t rows;
    sg_input_importance *input; /* (outputs, inputs) */
    sg_rule_importance *rule;   /* (outputs, rules)  */
    const char **rule_name;     /* (rules)           */
} importance;

/* An input or rule, and the value to sort by. */
typedef struct table_row {
    size_t index;
    double value;
} table_row;

static int compare_rows(const void *a, const void *b)
{
    const table_row *x = a, *y = b;
    if (x->value != y->value) return x->value < y->value ? 1 : -1;
    return (x->index > y->index) - (x->index < y->index);
}

/* --- as text --- */

typedef const char *name_fn(const importance *x, size_t i);

static const char *input_name(const importance *x, size_t i) { return sg_model_input_name(x->model, i); }
static const char *rule_name(const importance *x, size_t i) { return x->rule_name[i]; }

static int name_width(const importance *x, name_fn *name, size_t n)
{
    int width = 16;
    for (size_t i = 0; i < n; i++)
        width = cli_display_width(name(x, i)) > width ? cli_display_width(name(x, i)) : width;
    return width;
}

static void print_inputs(const importance *x, size_t o, table_row *order)
{
    size_t n = sg_model_inputs(x->model);
    const sg_input_importance *input = x->input + o * n;
    int width = name_width(x, input_name, n);
    printf("%-*s %12s %12s\n", width, "input", "shuffled", "terms");
    for (size_t i = 0; i < n; i++) order[i] = (table_row){i, input[i].permutation};
    qsort(order, n, sizeof *order, compare_rows);
    for (size_t i = 0; i < n; i++) {
        cli_print_escaped(stdout, input_name(x, order[i].index), width);
        printf(" %12.6g %12.6g\n", input[order[i].index].permutation, input[order[i].index].contribution);
    }
}

static void print_rules(const importance *x, size_t o, table_row *order)
{
    size_t n = sg_model_rules(x->model);
    const sg_rule_importance *rule = x->rule + o * n;
    int width = name_width(x, rule_name, n);
    printf("\n%-*s %12s %12s %12s\n", width, "rule", "share", "leads", "left out");
    for (size_t i = 0; i < n; i++) order[i] = (table_row){i, rule[i].mean_firing};
    qsort(order, n, sizeof *order, compare_rows);
    for (size_t i = 0; i < n; i++) {
        const sg_rule_importance *r = &rule[order[i].index];
        printf("%-*s %12.6g %12.6g %12.6g\n", width, rule_name(x, order[i].index), r->mean_firing, r->top_fraction,
               r->ablation);
    }
}

static int print_text(const importance *x)
{
    size_t inputs = sg_model_inputs(x->model), rules = sg_model_rules(x->model);
    table_row *order = calloc(inputs > rules ? inputs : rules, sizeof *order);
    if (!order) return cli_error("out of memory");
    printf("Computed on %zu row%s. Changes are root mean squares in the unit of the target.\n"
           "shuffled: change of the predictions if the input is shuffled among the rows\n"
           "terms:    the input's contribution through the slopes of the rules\n"
           "share:    mean firing level of the rule\n"
           "leads:    fraction of rows in which the rule fires most strongly\n"
           "left out: change of the predictions without the rule\n",
           x->rows, x->rows == 1 ? "" : "s");
    for (size_t o = 0; o < sg_model_outputs(x->model); o++) {
        putchar('\n');
        cli_print_escaped(stdout, sg_model_output_name(x->model, o), 0);
        putchar('\n');
        print_inputs(x, o, order);
        print_rules(x, o, order);
    }
    free(order);
    return CLI_DONE;
}

/* --- as JSON, in the order of the model --- */

static void emit_output(cli_json *j, const importance *x, size_t o)
{
    size_t inputs = sg_model_inputs(x->model), rules = sg_model_rules(x->model);
    cli_json_open(j, NULL, '{');
    cli_json_text(j, "target", sg_model_output_name(x->model, o));
    cli_json_open(j, "inputs", '[');
    for (size_t i = 0; i < inputs; i++) {
        cli_json_open(j, NULL, '{');
        cli_json_text(j, "input", sg_model_input_name(x->model, i));
        cli_json_number(j, "shuffled", x->input[o * inputs + i].permutation);
        cli_json_number(j, "terms", x->input[o * inputs + i].contribution);
        cli_json_close(j, '{');
    }
    cli_json_close(j, '[');
    cli_json_open(j, "rules", '[');
    for (size_t i = 0; i < rules; i++) {
        const sg_rule_importance *r = &x->rule[o * rules + i];
        cli_json_open(j, NULL, '{');
        cli_json_text(j, "rule", x->rule_name[i]);
        cli_json_number(j, "share", r->mean_firing);
        cli_json_number(j, "leads", r->top_fraction);
        cli_json_number(j, "left_out", r->ablation);
        cli_json_close(j, '{');
    }
    cli_json_close(j, '[');
    cli_json_close(j, '{');
}

static void print_json(const importance *x)
{
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_count(&j, "rows", x->rows);
    cli_json_open(&j, "targets", '[');
    for (size_t o = 0; o < sg_model_outputs(x->model); o++) emit_output(&j, x, o);
    cli_json_close(&j, '[');
    cli_json_close(&j, '{');
}

static void name_rules(importance *x, const sg_explainer *e)
{
    const sg_term *term;
    size_t n = 0;
    for (size_t i = 0; (term = sg_explainer_term(e, SG_BY_RULE, i)); i++)
        if (term->kind == SG_TERM_RULE) x->rule_name[n++] = term->name;
}

int cli_explain_importance(const cli_command *c, const sg_model *m, const sg_source *rows)
{
    size_t outputs = sg_model_outputs(m);
    importance x = {.model = m,
                    .input = calloc(outputs * sg_model_inputs(m), sizeof *x.input),
                    .rule = calloc(outputs * sg_model_rules(m), sizeof *x.rule),
                    .rule_name = calloc(sg_model_rules(m), sizeof *x.rule_name)};
    sg_explainer *e = NULL;
    int code = x.input && x.rule && x.rule_name ? cli_exit_code(sg_explainer_new(m, &e)) : cli_error("out of memory");
    if (code == CLI_DONE)
        code = cli_exit_code(sg_model_importance(m, rows, c->settings.threads, x.input, x.rule, &x.rows));
    if (code == CLI_DONE) {
        name_rules(&x, e);
        if (c->json) print_json(&x);
        else code = print_text(&x);
    }
    sg_explainer_free(e);
    free(x.input);
    free(x.rule);
    free(x.rule_name);
    return code;
}
