/* open_model_data.c: opens the model and data files of a command, and reads the model's training record. */
#include "mpi/rank_sync.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

int cli_open_data(const cli_command *c, size_t first, size_t count, sg_dataset **out)
{
    cli_set_local_files(c, c->local);
    return cli_exit_code(sg_dataset_open((const char *const *)c->operand + first, count, c->options, NULL, 0, out));
}

static bool is_target(const sg_model *m, const char *name)
{
    for (size_t i = 0; i < sg_model_outputs(m); i++)
        if (strcmp(sg_model_output_name(m, i), name) == 0) return true;
    return false;
}

static void notify_unused_columns(const cli_command *c, const sg_model *m, const sg_dataset *data)
{
    char list[256] = "";
    const char *name;
    size_t n = 0, used = 0;
    for (size_t i = 0; (name = sg_dataset_dropped_column(data, i)); i++) {
        if (is_target(m, name)) continue;
        if (n++ < 5 && used < sizeof list)
            used += (size_t)snprintf(list + used, sizeof list - used, "%s%.40s", n > 1 ? ", " : "", name);
    }
    if (n > 5) cli_notice(c, "ignored %zu columns that the model does not use: %s, ...", n, list);
    else if (n) cli_notice(c, "ignored column%s that the model does not use: %s", n == 1 ? "" : "s", list);
}

int cli_open_data_for_model(const cli_command *c, bool targets, cli_model_data *d)
{
    cli_set_local_files(c, c->local);
    int code =
        cli_exit_code(sg_dataset_open_for_model((const char *const *)c->operand + 1, c->operands - 1, c->options,
                                                d->model, targets, targets ? c->settings.weights : NULL, &d->data));
    if (code != CLI_DONE) return code;
    d->rows = sg_dataset_source(d->data);
    if (!targets) notify_unused_columns(c, d->model, d->data);
    return CLI_DONE;
}

int cli_open_model_data(const cli_command *c, bool targets, cli_model_data *out)
{
    int code = cli_load_model(c, c->operand[0], &out->model);
    return code == CLI_DONE && c->operands > 1 ? cli_open_data_for_model(c, targets, out) : code;
}

void cli_model_data_release(cli_model_data *d)
{
    sg_dataset_free(d->data);
    sg_model_free(d->model);
}

const char *cli_record_get(const sg_model *m, const char *name)
{
    const char *entry, *value;
    for (size_t i = 0; sg_model_record(m, i, &entry, &value); i++)
        if (strcmp(entry, name) == 0) return value;
    return NULL;
}

double cli_record_number(const sg_model *m, const char *name)
{
    const char *value = cli_record_get(m, name);
    return value ? strtod(value, NULL) : (double)NAN;
}

void cli_warn_training_rows(const cli_command *c, const sg_model *m, size_t rows, const char *consequence)
{
    if ((double)rows == cli_record_number(m, "rows"))
        cli_notice(c, "DATA has as many rows as the training data; if they are the same rows, %s", consequence);
}
