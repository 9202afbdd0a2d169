/* verb_calibrate.c: a model learns how far it is off, of rows that were used for nothing else. */
#include "mpi/mpi_run.h"
#include "output/json_emit.h"

#include <stdio.h>

static void print_summary(const cli_command *c, const sg_model *m)
{
    cli_json j = {0};
    const char *path = cli_option_get(c, "output");
    if (!c->json) {
        fprintf(*path == '-' && !path[1] ? stderr : stdout, "rows   %zu\nmodel  %s\n", sg_model_calibration_rows(m),
                path);
        return;
    }
    cli_json_open(&j, NULL, '{');
    cli_json_count(&j, "rows", sg_model_calibration_rows(m));
    cli_json_text(&j, "model", path);
    cli_json_close(&j, '{');
    putchar('\n');
}

/* A mistake that is easily made, and makes intervals that are too narrow. */
static void warn_training_rows(const cli_command *c, const sg_model *m)
{
    if ((double)sg_model_calibration_rows(m) != cli_record_number(m, "rows")) return;
    cli_notice(c, "these are as many rows as the model was trained on: if they are the same, it errs more on others, "
                  "and intervals are too "
                  "narrow; calibrate takes rows that were used for nothing else, and train --intervals 10 needs none");
}

int cli_calibrate(const cli_command *c)
{
    sg_model *m = NULL;
    sg_dataset *data = NULL;
    if (!*cli_option_get(c, "output"))
        return cli_usage_error("calibrate: give -o FILE, where the model goes with what it learns");
    int code = cli_check_outputs(c);
    if (code == CLI_DONE) code = cli_load_model(c, c->operand[0], &m);
    if (code == CLI_DONE) code = cli_open_data_for_model(c, m, true, &data);
    if (code == CLI_DONE) {
        sg_source rows = sg_dataset_source(data);
        code = cli_exit_code(sg_model_calibrate(m, &rows, sg_options_get(c->options, "weights")));
    }
    if (code == CLI_DONE)
        code = cli_bcast_exit_code(c, cli_is_root(c) ? cli_exit_code(sg_model_save(m, cli_option_get(c, "output")))
                                                     : CLI_DONE);
    if (code == CLI_DONE && cli_is_root(c)) {
        warn_training_rows(c, m);
        print_summary(c, m);
    }
    sg_dataset_free(data);
    sg_model_free(m);
    return code;
}
