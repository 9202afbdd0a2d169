/* verb_predict.c: implements sugeno predict, which writes predictions as CSV or JSON, with prediction intervals and
 * flags of inputs outside the training data if requested. */
#include "mpi/rank_sync.h"
#include "output/csv_emit.h"
#include "output/json_emit.h"

#include <stdlib.h>
#include <string.h>

typedef enum json_key { KEY_PREDICTIONS, KEY_LOWER, KEY_UPPER, KEY_OUTSIDE, KEYS } json_key;

typedef struct prediction_writer {
    const cli_command *command;
    const sg_model *model;
    size_t outputs, width; /* width: values per row, including the flags of --outside */
    double *lower, *upper; /* (outputs): bounds of the current row */
    char *name_buffer;     /* large enough for the names of all inputs */
    cli_csv csv;
    cli_json json;
    json_key key; /* the JSON array that is being written */
} prediction_writer;

static int init_writer(prediction_writer *p, const cli_command *c, const sg_model *m)
{
    size_t length = 1, inputs = sg_model_inputs(m);
    for (size_t i = 0; i < inputs; i++) length += strlen(sg_model_input_name(m, i)) + 1;
    *p = (prediction_writer){.command = c, .model = m, .outputs = sg_model_outputs(m)};
    p->width = p->outputs + (c->settings.outside ? inputs : 0);
    p->lower = calloc(2 * p->outputs, sizeof *p->lower);
    p->upper = p->lower ? p->lower + p->outputs : NULL;
    p->name_buffer = malloc(length);
    if (!p->lower || !p->name_buffer) return cli_error("out of memory while writing predictions");
    double level = c->settings.interval;
    int code = level > 0 ? cli_exit_code(sg_model_interval(m, level, NULL, 0, NULL, NULL)) : CLI_DONE;
    if (code == CLI_DONE && c->settings.outside && !sg_model_has_support(m))
        cli_notice(c, "the model file does not record how strongly the rules fire on the training data; --outside "
                      "checks only the ranges of the inputs");
    return code;
}

static void release_writer(prediction_writer *p)
{
    free(p->lower);
    free(p->name_buffer);
}

static sg_status predict_rows(prediction_writer *p, const sg_source *rows, sg_predictions_fn *take)
{
    size_t threads = p->command->settings.threads;
    return p->command->settings.outside ? sg_model_predict_ood(p->model, rows, threads, take, p)
                                        : sg_model_predict_source(p->model, rows, threads, take, p);
}

static sg_status compute_interval(prediction_writer *p, const double *y)
{
    return sg_model_interval(p->model, p->command->settings.interval, y, 1, p->lower, p->upper);
}

/* --- as CSV --- */

/* Writes a column name such as "lower" or, if the model has several targets, "lower_target". */
static void write_column_name(prediction_writer *p, const char *name, const char *prefix, size_t output)
{
    if (p->outputs == 1) cli_csv_text(&p->csv, name);
    else cli_csv_name(&p->csv, prefix, sg_model_output_name(p->model, output));
}

static void write_header(prediction_writer *p)
{
    for (size_t o = 0; o < p->outputs; o++) {
        if (o) cli_csv_text(&p->csv, ",");
        write_column_name(p, "prediction", "prediction_", o);
    }
    for (size_t o = 0; p->command->settings.interval > 0 && o < p->outputs; o++) {
        cli_csv_text(&p->csv, ",");
        write_column_name(p, "lower", "lower_", o);
        cli_csv_text(&p->csv, ",");
        write_column_name(p, "upper", "upper_", o);
    }
    cli_csv_text(&p->csv, p->command->settings.outside ? ",outside\n" : "\n");
}

static void write_interval(prediction_writer *p, const double *y)
{
    sg_status st = compute_interval(p, y);
    if (p->csv.status == SG_OK) p->csv.status = st;
    for (size_t o = 0; o < p->outputs; o++) {
        double bounds[2] = {p->lower[o], p->upper[o]};
        cli_csv_text(&p->csv, ",");
        cli_csv_numbers(&p->csv, bounds, 2);
    }
}

/* Writes the names of flagged inputs into one cell, separated by semicolons. */
static void write_outside(prediction_writer *p, const double *outside)
{
    char *end = p->name_buffer;
    for (size_t i = 0; i < sg_model_inputs(p->model); i++) {
        const char *name = sg_model_input_name(p->model, i);
        if (outside[i] == 0) continue;
        if (end > p->name_buffer) *end++ = ';';
        memcpy(end, name, strlen(name));
        end += strlen(name);
    }
    *end = '\0';
    cli_csv_text(&p->csv, ",");
    if (*p->name_buffer) cli_csv_name(&p->csv, "", p->name_buffer);
}

/* An sg_predictions_fn. The root receives the rows of all ranks; the other ranks have no file. */
static sg_status write_csv_rows(void *arg, size_t first, size_t rows, const double *y)
{
    prediction_writer *p = arg;
    sg_status st = p->csv.file ? cli_check_interrupt() : SG_OK;
    (void)first;
    if (st != SG_OK || !p->csv.file) return st;
    for (size_t i = 0; p->csv.status == SG_OK && i < rows; i++, y += p->width) {
        cli_csv_numbers(&p->csv, y, p->outputs);
        if (p->command->settings.interval > 0) write_interval(p, y);
        if (p->command->settings.outside) write_outside(p, y + p->outputs);
        cli_csv_text(&p->csv, "\n");
    }
    return p->csv.status;
}

static int write_csv(prediction_writer *p, const sg_source *rows)
{
    const cli_command *c = p->command;
    if (*c->settings.output) cli_interrupt_watch(); /* Ctrl-C removes the temporary file */
    if (cli_is_root(c)) {
        cli_csv_open(&p->csv, c->settings.output);
        write_header(p);
    }
    int code = cli_bcast_exit_code(c, cli_exit_code(p->csv.status));
    sg_status st = cli_exit_code_status(code);
    if (st == SG_OK) st = predict_rows(p, rows, write_csv_rows);
    st = cli_csv_close(&p->csv, st);
    return code == CLI_DONE ? cli_exit_code(st) : code;
}

/* --- as JSON --- */

static void emit_outside(prediction_writer *p, const double *outside)
{
    cli_json_open(&p->json, NULL, '[');
    for (size_t i = 0; i < sg_model_inputs(p->model); i++)
        if (outside[i] > 0) cli_json_text(&p->json, NULL, sg_model_input_name(p->model, i));
    cli_json_close(&p->json, '[');
}

static void emit_numbers(prediction_writer *p, const double *x)
{
    if (p->outputs > 1) cli_json_open(&p->json, NULL, '[');
    for (size_t i = 0; i < p->outputs; i++) cli_json_number(&p->json, NULL, x[i]);
    if (p->outputs > 1) cli_json_close(&p->json, '[');
}

/* An sg_predictions_fn. */
static sg_status emit_rows(void *arg, size_t first, size_t rows, const double *y)
{
    prediction_writer *p = arg;
    (void)first;
    for (size_t i = 0; i < rows; i++, y += p->width) {
        if (p->key == KEY_LOWER || p->key == KEY_UPPER) compute_interval(p, y);
        if (p->key == KEY_OUTSIDE) emit_outside(p, y + p->outputs);
        else emit_numbers(p, p->key == KEY_PREDICTIONS ? y : p->key == KEY_LOWER ? p->lower : p->upper);
    }
    return SG_OK;
}

/* Writes each array in a separate pass over the rows, so that memory use does not grow with the number of rows. */
static int write_json(prediction_writer *p, const sg_source *rows)
{
    static const char *const names[KEYS] = {"predictions", "lower", "upper", "outside"};
    bool interval = p->command->settings.interval > 0;
    const bool wanted[KEYS] = {true, interval, interval, p->command->settings.outside};
    int code = CLI_DONE;
    cli_json_open(&p->json, NULL, '{');
    cli_json_count(&p->json, "rows", rows->rows);
    for (p->key = KEY_PREDICTIONS; code == CLI_DONE && p->key < KEYS; p->key++) {
        if (!wanted[p->key]) continue;
        cli_json_open(&p->json, names[p->key], '[');
        code = cli_exit_code(predict_rows(p, rows, emit_rows));
        cli_json_close(&p->json, '[');
    }
    cli_json_close(&p->json, '{');
    return code;
}

int cli_predict(const cli_command *c)
{
    cli_model_data d = {0};
    prediction_writer writer = {0};
    bool json = c->json && !*c->settings.output;
    int code = cli_check_outputs(c);
    if (code == CLI_DONE) code = cli_load_model(c, c->operand[0], &d.model);
    if (code == CLI_DONE) code = init_writer(&writer, c, d.model);
    if (code == CLI_DONE) code = cli_open_data_for_model(c, false, &d);
    if (code == CLI_DONE) code = json ? write_json(&writer, &d.rows) : write_csv(&writer, &d.rows);
    if (code == CLI_DONE && c->json && !json) cli_json_file_summary(d.rows.rows, "output", c->settings.output);
    release_writer(&writer);
    cli_model_data_release(&d);
    return code;
}
