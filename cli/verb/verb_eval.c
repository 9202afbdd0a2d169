/* verb_eval.c: how good a model is on rows whose targets are known. */
#include "mpi/mpi_run.h"
#include "output/metrics_print.h"

#include <stdio.h>
#include <stdlib.h>

static void print_json(const sg_model *m, const sg_metrics *metrics)
{
    cli_json j = {0};
    size_t outputs = sg_model_outputs(m);
    cli_json_open(&j, NULL, '{');
    if (outputs == 1) cli_metrics_json(&j, metrics);
    cli_json_count(&j, "rows", metrics->rows);
    if (outputs > 1) cli_json_open(&j, "targets", '{');
    for (size_t i = 0; outputs > 1 && i < outputs; i++) {
        cli_json_open(&j, sg_model_output_name(m, i), '{');
        cli_metrics_json(&j, &metrics[i]);
        cli_json_close(&j, '{');
    }
    if (outputs > 1) cli_json_close(&j, '{');
    cli_json_close(&j, '{');
    putchar('\n');
}

static void print_text(const sg_model *m, const sg_metrics *metrics)
{
    size_t outputs = sg_model_outputs(m);
    if (outputs > 1) {
        cli_metrics_head();
        for (size_t i = 0; i < outputs; i++) cli_metrics_row(sg_model_output_name(m, i), &metrics[i]);
        return;
    }
    printf("rmse %.6g\nmae  %.6g\nr2   %.6g\nrows %zu\n", metrics->rmse, metrics->mae, metrics->r2, metrics->rows);
}

static int evaluate(const cli_command *c, const sg_model *m, const sg_dataset *data)
{
    sg_source rows = sg_dataset_source(data);
    sg_metrics *metrics = calloc(sg_model_outputs(m), sizeof *metrics);
    if (!metrics) return cli_error("out of memory");
    int code =
        cli_exit_code(sg_model_evaluate(m, &rows, sg_options_get(c->options, "weights"), cli_threads(c), metrics));
    size_t lacking = code == CLI_DONE ? rows.rows - metrics->rows : 0;
    if (lacking)
        cli_notice(c, "%zu row%s without a target%s left out", lacking, lacking == 1 ? "" : "s",
                   *sg_options_get(c->options, "weights") || rows.weight_column ? " or a weight" : "");
    if (code == CLI_DONE && c->json) print_json(m, metrics);
    else if (code == CLI_DONE) print_text(m, metrics);
    free(metrics);
    return code;
}

int cli_eval(const cli_command *c)
{
    sg_model *m = NULL;
    sg_dataset *data = NULL;
    int code = cli_load_model(c, c->operand[0], &m);
    if (code == CLI_DONE) code = cli_open_data_for_model(c, m, true, &data);
    if (code == CLI_DONE) code = evaluate(c, m, data);
    sg_dataset_free(data);
    sg_model_free(m);
    return code;
}
