/* verb_calibrate.c: a model learns how far it is off, of rows that were used for nothing else. */
#include "json_emit.h"
#include "together.h"

#include <stdio.h>

static void report(const cli_call *c, const sg_model *m)
{
    cli_json j = {0};
    const char *path = cli_own(c, "output");
    if (!c->json) {
        fprintf(*path == '-' && !path[1] ? stderr : stdout, "rows   %zu\nmodel  %s\n", sg_model_interval_rows(m), path);
        return;
    }
    cli_json_open(&j, NULL, '{');
    cli_json_count(&j, "rows", sg_model_interval_rows(m));
    cli_json_text(&j, "model", path);
    cli_json_close(&j, '{');
    putchar('\n');
}

/* A mistake that is easily made, and makes intervals that are too narrow. */
static void warn(const cli_call *c, const sg_model *m)
{
    if ((double)sg_model_interval_rows(m) != cli_fact_number(m, "rows")) return;
    cli_notice(c, "these are as many rows as the model was trained on: if they are the same, it errs more on others, "
                  "and intervals are too "
                  "narrow; calibrate takes rows that were used for nothing else, and train --intervals 10 needs none");
}

int cli_calibrate(const cli_call *c)
{
    sg_model *m = NULL;
    sg_data *data = NULL;
    if (!*cli_own(c, "output")) return cli_usage("calibrate: give -o FILE, where the model goes with what it learns");
    int code = cli_check_outputs(c);
    if (code == CLI_DONE) code = cli_load(c, c->operand[0], &m);
    if (code == CLI_DONE) code = cli_read_for(c, m, true, &data);
    if (code == CLI_DONE) {
        sg_source rows = sg_data_source(data);
        code = cli_check(sg_model_calibrate(m, &rows, sg_options_get(c->options, "weights")));
    }
    if (code == CLI_DONE)
        code = cli_follow(c, cli_leads(c) ? cli_check(sg_model_save(m, cli_own(c, "output"))) : CLI_DONE);
    if (code == CLI_DONE && cli_leads(c)) {
        warn(c, m);
        report(c, m);
    }
    sg_data_free(data);
    sg_model_free(m);
    return code;
}
