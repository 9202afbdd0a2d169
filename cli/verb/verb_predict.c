/* verb_predict.c: a model's predictions as CSV, row by row as they come. */
#include "mpi/mpi_run.h"
#include "verb/predict_output.h"

#include <stdio.h>

/* --- as CSV --- */

typedef struct csv {
    sg_atomic_file *out;
    cli_predict_output *output_format;
} csv;

static sg_status put_rows(void *arg, size_t first, size_t rows, const double *y)
{
    csv *to = arg;
    sg_status st = SG_OK;
    (void)first;
    if (cli_interrupted()) {
        sg_set_errmsg("interrupted: nothing was written");
        return SG_EIO;
    }
    for (size_t i = 0; st == SG_OK && i < rows; i++)
        st = cli_predict_output_csv_row(to->output_format, y + i * to->output_format->width, to->out);
    return st;
}

/* The rows of a team come to its leader. */
static sg_status discard_rows(void *arg, size_t first, size_t rows, const double *y)
{
    (void)arg;
    (void)first;
    (void)rows;
    (void)y;
    return SG_OK;
}

static sg_status open_csv(csv *to, const char *path)
{
    sg_status st = sg_atomic_file_open(path, &to->out);
    return st == SG_OK ? cli_predict_output_csv_header(to->output_format, to->out) : st;
}

static int write_csv(const cli_command *c, cli_predict_output *output_format, const sg_source *rows)
{
    const char *path = cli_option_get(c, "output");
    csv to = {.output_format = output_format};
    int code = CLI_DONE;
    if (*path) cli_interrupt_watch(); /* no unfinished file beside the target after Ctrl-C */
    if (cli_is_root(c)) code = cli_exit_code(open_csv(&to, *path ? path : "-"));
    code = cli_bcast_exit_code(c, code);
    if (code == CLI_DONE)
        code = cli_exit_code(
            cli_predict_output_run(output_format, rows, cli_threads(c), cli_is_root(c) ? put_rows : discard_rows, &to));
    if (code == CLI_DONE && to.out) return cli_exit_code(sg_atomic_file_commit(to.out));
    sg_atomic_file_free(to.out);
    return code;
}

/* --- as JSON --- */

typedef struct json {
    cli_json emit;
    cli_predict_output *output_format;
    size_t which; /* of the things that are told */
} json;

static sg_status emit_rows(void *arg, size_t first, size_t rows, const double *y)
{
    json *to = arg;
    (void)first;
    for (size_t i = 0; i < rows; i++)
        cli_predict_output_json_value(to->output_format, to->which, y + i * to->output_format->width, &to->emit);
    return SG_OK;
}

/* One after the other, each in a pass of its own: nothing is held. */
static int emit_all(const cli_command *c, json *to, const sg_source *rows)
{
    const char *key;
    int code = CLI_DONE;
    for (to->which = 0; code == CLI_DONE && (key = cli_predict_output_json_key(to->output_format, to->which));
         to->which++) {
        cli_json_open(&to->emit, key, '[');
        code = cli_exit_code(cli_predict_output_run(to->output_format, rows, cli_threads(c), emit_rows, to));
        cli_json_close(&to->emit, '[');
    }
    return code;
}

static int write_json(const cli_command *c, cli_predict_output *output_format, const sg_source *rows)
{
    const char *path = cli_option_get(c, "output");
    json to = {.output_format = output_format};
    int code = *path ? write_csv(c, output_format, rows) : CLI_DONE; /* then the numbers are in that file */
    if (code != CLI_DONE) return code;
    cli_json_open(&to.emit, NULL, '{');
    cli_json_count(&to.emit, "rows", rows->rows);
    if (*path) cli_json_text(&to.emit, "output", path);
    else code = emit_all(c, &to, rows);
    cli_json_close(&to.emit, '{');
    putchar('\n');
    return code;
}

int cli_predict(const cli_command *c)
{
    sg_model *m = NULL;
    sg_dataset *data = NULL;
    cli_predict_output output_format = {0};
    int code = cli_check_outputs(c);
    if (code == CLI_DONE) code = cli_load_model(c, c->operand[0], &m);
    if (code == CLI_DONE) code = cli_predict_output_init(&output_format, c, m);
    if (code == CLI_DONE) code = cli_open_data_for_model(c, m, false, &data);
    if (code == CLI_DONE) {
        sg_source rows = sg_dataset_source(data);
        cli_notify_ignored_columns(c, m, data);
        code = c->json ? write_json(c, &output_format, &rows) : write_csv(c, &output_format, &rows);
    }
    cli_predict_output_release(&output_format);
    sg_dataset_free(data);
    sg_model_free(m);
    return code;
}
