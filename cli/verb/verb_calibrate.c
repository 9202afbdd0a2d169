/* verb_calibrate.c: implements sugeno calibrate, which computes prediction intervals from rows not trained on. */
#include "mpi/rank_sync.h"
#include "output/json_emit.h"

static void print_summary(const cli_command *c, const sg_model *m)
{
    const char *path = c->settings.output;
    size_t rows = sg_model_calibration_rows(m);
    if (c->json) cli_json_file_summary(rows, "model", path);
    else fprintf(cli_is_stdout(path) ? stderr : stdout, "rows   %zu\nmodel  %s\n", rows, path);
}

int cli_calibrate(const cli_command *c)
{
    cli_model_data d = {0};
    if (!*c->settings.output)
        return cli_usage_error("calibrate: -o FILE is missing; it names the file for the calibrated model");
    int code = cli_check_outputs(c);
    if (code == CLI_DONE) code = cli_open_model_data(c, true, &d);
    if (code == CLI_DONE) code = cli_exit_code(sg_model_calibrate(d.model, &d.rows, c->settings.weights));
    if (code == CLI_DONE)
        code = cli_bcast_exit_code(c, cli_is_root(c) ? cli_exit_code(sg_model_save(d.model, c->settings.output))
                                                     : CLI_DONE);
    if (code == CLI_DONE && cli_is_root(c)) {
        cli_warn_training_rows(
            c, d.model, sg_model_calibration_rows(d.model),
            "the intervals are too narrow; calibrate with rows that were not used for training, or use "
            "train --intervals 10, which needs no extra rows");
        print_summary(c, d.model);
    }
    cli_model_data_release(&d);
    return code;
}
