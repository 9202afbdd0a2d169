/* verb_eval.c: implements sugeno eval, which computes RMSE, MAE and R2 of a model on data. */
#include "cli.h"
#include "output/json_emit.h"

#include <stdio.h>
#include <stdlib.h>

void cli_print_metrics_header(void) { printf("%-16s %12s %12s %12s %10s\n", "", "rmse", "mae", "r2", "rows"); }

void cli_print_metrics(const char *name, const sg_metrics *m)
{
    cli_print_escaped(stdout, name, 16);
    printf(" %12.6g %12.6g %12.6g", m->rmse, m->mae, m->r2);
    if (m->rows) printf(" %10zu", m->rows);
    putchar('\n');
}

static void print_json(const sg_model *m, const sg_metrics *metrics)
{
    cli_json j = {0};
    size_t outputs = sg_model_outputs(m);
    cli_json_open(&j, NULL, '{');
    if (outputs == 1) cli_json_metrics(&j, metrics);
    cli_json_count(&j, "rows", metrics->rows);
    if (outputs > 1) cli_json_open(&j, "targets", '{');
    for (size_t i = 0; outputs > 1 && i < outputs; i++) {
        cli_json_open(&j, sg_model_output_name(m, i), '{');
        cli_json_metrics(&j, &metrics[i]);
        cli_json_close(&j, '{');
    }
    if (outputs > 1) cli_json_close(&j, '{');
    cli_json_close(&j, '{');
}

static void print_text(const sg_model *m, const sg_metrics *metrics)
{
    size_t outputs = sg_model_outputs(m);
    if (outputs > 1) {
        cli_print_metrics_header();
        for (size_t i = 0; i < outputs; i++) cli_print_metrics(sg_model_output_name(m, i), &metrics[i]);
        return;
    }
    printf("rmse %.6g\nmae  %.6g\nr2   %.6g\nrows %zu\n", metrics->rmse, metrics->mae, metrics->r2, metrics->rows);
}

static int evaluate(const cli_command *c, const cli_model_data *d)
{
    const char *weights = c->settings.weights;
    sg_metrics *metrics = calloc(sg_model_outputs(d->model), sizeof *metrics);
    if (!metrics) return cli_error("out of memory");
    int code = cli_exit_code(sg_model_evaluate(d->model, &d->rows, weights, c->settings.threads, metrics));
    size_t skipped = code == CLI_DONE ? d->rows.rows - metrics->rows : 0;
    if (skipped)
        cli_notice(c, "skipped %zu row%s without a target%s", skipped, skipped == 1 ? "" : "s",
                   *weights || d->rows.weight_column ? " or a weight" : "");
    if (code == CLI_DONE && c->json) print_json(d->model, metrics);
    else if (code == CLI_DONE) print_text(d->model, metrics);
    free(metrics);
    return code;
}

int cli_eval(const cli_command *c)
{
    cli_model_data d = {0};
    int code = cli_open_model_data(c, true, &d);
    if (code == CLI_DONE) code = evaluate(c, &d);
    cli_model_data_release(&d);
    return code;
}
