/* verb_predict.c: a model's predictions as CSV, row by row as they come. */
#include "prediction.h"
#include "together.h"

#include <stdio.h>

/* --- as CSV --- */

typedef struct csv {
    sg_output *out;
    cli_prediction *what;
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
        st = cli_prediction_line(to->what, y + i * to->what->width, to->out);
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

static sg_status open_csv(csv *to, const char *path)
{
    sg_status st = sg_output_open(path, &to->out);
    return st == SG_OK ? cli_prediction_header(to->what, to->out) : st;
}

static int write_csv(const cli_call *c, cli_prediction *what, const sg_source *rows)
{
    const char *path = cli_own(c, "output");
    csv to = {.what = what};
    int code = CLI_DONE;
    if (*path) cli_interrupt_watch(); /* no unfinished file beside the target after Ctrl-C */
    if (cli_leads(c)) code = cli_check(open_csv(&to, *path ? path : "-"));
    code = cli_follow(c, code);
    if (code == CLI_DONE)
        code = cli_check(cli_prediction_run(what, rows, cli_threads(c), cli_leads(c) ? put_rows : put_none, &to));
    if (code == CLI_DONE && to.out) return cli_check(sg_output_commit(to.out));
    sg_output_free(to.out);
    return code;
}

/* --- as JSON --- */

typedef struct json {
    cli_json emit;
    cli_prediction *what;
    size_t which; /* of the things that are told */
} json;

static sg_status emit_rows(void *arg, size_t first, size_t rows, const double *y)
{
    json *to = arg;
    (void)first;
    for (size_t i = 0; i < rows; i++) cli_prediction_item(to->what, to->which, y + i * to->what->width, &to->emit);
    return SG_OK;
}

/* One after the other, each in a pass of its own: nothing is held. */
static int emit_all(const cli_call *c, json *to, const sg_source *rows)
{
    const char *key;
    int code = CLI_DONE;
    for (to->which = 0; code == CLI_DONE && (key = cli_prediction_key(to->what, to->which)); to->which++) {
        cli_json_open(&to->emit, key, '[');
        code = cli_check(cli_prediction_run(to->what, rows, cli_threads(c), emit_rows, to));
        cli_json_close(&to->emit, '[');
    }
    return code;
}

static int write_json(const cli_call *c, cli_prediction *what, const sg_source *rows)
{
    const char *path = cli_own(c, "output");
    json to = {.what = what};
    int code = *path ? write_csv(c, what, rows) : CLI_DONE; /* then the numbers are in that file */
    if (code != CLI_DONE) return code;
    cli_json_open(&to.emit, NULL, '{');
    cli_json_count(&to.emit, "rows", rows->rows);
    if (*path) cli_json_text(&to.emit, "output", path);
    else code = emit_all(c, &to, rows);
    cli_json_close(&to.emit, '{');
    putchar('\n');
    return code;
}

int cli_predict(const cli_call *c)
{
    sg_model *m = NULL;
    sg_data *data = NULL;
    cli_prediction what = {0};
    int code = cli_check_outputs(c);
    if (code == CLI_DONE) code = cli_load(c, c->operand[0], &m);
    if (code == CLI_DONE) code = cli_prediction_init(&what, c, m);
    if (code == CLI_DONE) code = cli_read_for(c, m, false, &data);
    if (code == CLI_DONE) {
        sg_source rows = sg_data_source(data);
        cli_mention_others(c, m, data);
        code = c->json ? write_json(c, &what, &rows) : write_csv(c, &what, &rows);
    }
    cli_prediction_release(&what);
    sg_data_free(data);
    sg_model_free(m);
    return code;
}
