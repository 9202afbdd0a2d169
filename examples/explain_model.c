/* explain_model.c: section 4 of sugeno.h. Prints the rules of a model, explains one row and ranks the inputs. */
#include <sugeno.h>

#include <stdio.h>

static sg_status print_rules(const sg_model *model)
{
    char *text = NULL;
    sg_status st = sg_model_describe_as(model, "text", 2, &text);
    if (st == SG_OK) fputs(text, stdout);
    sg_string_free(text);
    return st;
}

static sg_status explain_row(const sg_model *model, const double *x)
{
    sg_explainer *explainer = NULL;
    char *text = NULL;
    sg_status st = sg_explainer_new(model, &explainer);
    if (st == SG_OK && !sg_explainer_row(explainer, x)) st = SG_EDATA;
    if (st == SG_OK) st = sg_explainer_text(explainer, 0, &text);
    if (st == SG_OK) fputs(text, stdout);
    sg_string_free(text);
    sg_explainer_free(explainer);
    return st;
}

static sg_status rank_inputs(const sg_model *model, const sg_source *rows)
{
    sg_input_importance inputs[4];
    sg_rule_importance rules[64];
    sg_status st = sg_model_importance(model, rows, 0, inputs, rules, NULL);
    for (size_t i = 0; st == SG_OK && i < 4; i++)
        printf("%s: %.3f\n", sg_model_input_name(model, i), inputs[i].permutation);
    return st;
}

int main(void)
{
    sg_options *options = NULL;
    sg_table *table = NULL;
    sg_model *model = NULL;
    sg_source rows;
    sg_status st = sg_options_new(&options);
    if (st == SG_OK) st = sg_options_set(options, "preset", "fcm-rdpa");
    if (st == SG_OK) st = sg_options_set(options, "rules", "4");
    if (st == SG_OK) st = sg_table_generate("mackey-glass", 1000, 1, &table);
    if (st == SG_OK) rows = sg_table_source(table);
    if (st == SG_OK) st = sg_train(options, &rows, NULL, NULL, NULL, &model);
    if (st == SG_OK) st = print_rules(model);
    if (st == SG_OK) st = explain_row(model, sg_table_values(table));
    if (st == SG_OK) st = rank_inputs(model, &rows);
    if (st != SG_OK) fprintf(stderr, "%s\n", sg_errmsg());
    sg_model_free(model);
    sg_table_free(table);
    sg_options_free(options);
    return st != SG_OK;
}
