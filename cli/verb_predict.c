/* verb_predict.c: a model's predictions as CSV, row by row as they come. */
#include "cli.h"
#include "csv_emit.h"
#include "json_emit.h"
#include "together.h"

#include <stdio.h>

/* --- as CSV --- */

typedef struct csv {
    sg_output *out;
    size_t outputs;
} csv;

static sg_status put_header(csv *to, const sg_model *m)
{
    if (to->outputs == 1) return cli_csv_text(to->out, "prediction\n");
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < to->outputs; i++) {
        if (i) st = cli_csv_text(to->out, ",");
        if (st == SG_OK) st = cli_csv_name(to->out, "prediction_", sg_model_output_name(m, i));
    }
    return st == SG_OK ? cli_csv_text(to->out, "\n") : st;
}

static sg_status put_rows(void *arg, size_t first, size_t rows, const double *y)
{
    csv *to = arg;
    sg_status st = SG_OK;
    (void)first;
    if (cli_interrupted()) {
        sg_set_errmsg("interrupted: nothing was written");
        return SG_EIO;
    }
    for (size_t i = 0; st == SG_OK && i < rows; i++) {
        st = cli_csv_numbers(to->out, y + i * to->outputs, to->outputs);
        if (st == SG_OK) st = cli_csv_text(to->out, "\n");
    }
    return st;
}

/* The rows of a team come to its leader. */
static sg_status put_none(void *arg, size_t first, size_t rows, const double *y)
{
    (void)arg;
    (void)first;
    (void)rows;
    (void)y;
    return SG_OK;
}

static sg_status open_csv(csv *to, const char *path, const sg_model *m)
{
    sg_status st = sg_output_open(path, &to->out);
    return st == SG_OK ? put_header(to, m) : st;
}

static int write_csv(const cli_call *c, const sg_model *m, const sg_source *rows)
{
    const char *path = cli_own(c, "output");
    csv to = {.outputs = sg_model_outputs(m)};
    int code = CLI_DONE;
    if (*path) cli_interrupt_watch(); /* no unfinished file beside the target after Ctrl-C */
    if (cli_leads(c)) code = cli_check(open_csv(&to, *path ? path : "-", m));
    code = cli_follow(c, code);
    if (code == CLI_DONE)
        code = cli_check(sg_model_predict_source(m, rows, cli_threads(c), cli_leads(c) ? put_rows : put_none, &to));
    if (code == CLI_DONE && to.out) return cli_check(sg_output_commit(to.out));
    sg_output_free(to.out);
    return code;
}

/* --- as JSON --- */

typedef struct json {
    cli_json emit;
    size_t outputs;
} json;

static sg_status emit_rows(void *arg, size_t first, size_t rows, const double *y)
{
    json *to = arg;
    (void)first;
    for (size_t i = 0; i < rows; i++, y += to->outputs) {
        if (to->outputs > 1) cli_json_open(&to->emit, NULL, '[');
        for (size_t k = 0; k < to->outputs; k++) cli_json_number(&to->emit, NULL, y[k]);
        if (to->outputs > 1) cli_json_close(&to->emit, '[');
    }
    return SG_OK;
}

static int write_json(const cli_call *c, const sg_model *m, const sg_source *rows)
{
    const char *path = cli_own(c, "output");
    json to = {.outputs = sg_model_outputs(m)};
    int code = *path ? write_csv(c, m, rows) : CLI_DONE; /* then the numbers are in that file */
    if (code != CLI_DONE) return code;
    cli_json_open(&to.emit, NULL, '{');
    cli_json_count(&to.emit, "rows", rows->rows);
    if (*path) cli_json_text(&to.emit, "output", path);
    else {
        cli_json_open(&to.emit, "predictions", '[');
        code = cli_check(sg_model_predict_source(m, rows, cli_threads(c), emit_rows, &to));
        cli_json_close(&to.emit, '[');
    }
    cli_json_close(&to.emit, '{');
    putchar('\n');
    return code;
}

int cli_predict(const cli_call *c)
{
    sg_model *m = NULL;
    sg_data *data = NULL;
    int code = cli_check_outputs(c);
    if (code == CLI_DONE) code = cli_load(c, c->operand[0], &m);
    if (code == CLI_DONE) code = cli_read_for(c, m, false, &data);
    if (code == CLI_DONE) {
        sg_source rows = sg_data_source(data);
        cli_mention_others(c, m, data);
        code = c->json ? write_json(c, m, &rows) : write_csv(c, m, &rows);
    }
    sg_data_free(data);
    sg_model_free(m);
    return code;
}
