/* predict_output.c: see predict_output.h. */
#include "verb/predict_output.h"

#include "output/csv_emit.h"

#include <stdlib.h>
#include <string.h>

static int alloc_buffers(cli_predict_output *p)
{
    size_t length = 1;
    for (size_t i = 0; i < sg_model_inputs(p->model); i++) length += strlen(sg_model_input_name(p->model, i)) + 1;
    p->lower = calloc(2 * p->outputs, sizeof *p->lower);
    p->upper = p->lower ? p->lower + p->outputs : NULL;
    p->name_buffer = malloc(length);
    return p->lower && p->name_buffer ? CLI_DONE : cli_error("out of memory for predictions");
}

int cli_predict_output_init(cli_predict_output *p, const cli_command *c, const sg_model *m)
{
    const char *level = cli_option_get(c, "interval");
    *p = (cli_predict_output){.model = m,
                              .outside = cli_option_flag(c, "outside"),
                              .interval = strcmp(level, "none") != 0,
                              .outputs = sg_model_outputs(m)};
    p->level = p->interval ? strtod(level, NULL) : 0;
    p->width = p->outputs + (p->outside ? sg_model_inputs(m) : 0);
    int code = alloc_buffers(p);
    if (code == CLI_DONE && p->interval) code = cli_exit_code(sg_model_interval(m, p->level, NULL, 0, NULL, NULL));
    if (code == CLI_DONE && p->outside && !sg_model_has_support(m))
        cli_notice(c, "the model does not know how its rules fire where they were trained: --outside looks at the "
                      "inputs' ranges alone");
    return code;
}

void cli_predict_output_release(cli_predict_output *p)
{
    free(p->lower);
    free(p->name_buffer);
}

sg_status cli_predict_output_run(const cli_predict_output *p, const sg_source *rows, size_t threads,
                                 sg_predictions_fn *take, void *arg)
{
    return p->outside ? sg_model_predict_ood(p->model, rows, threads, take, arg)
                      : sg_model_predict_source(p->model, rows, threads, take, arg);
}

/* --- as CSV --- */

/* The name alone, where there is one target. */
static sg_status put_name(const cli_predict_output *p, const char *what, const char *prefix, size_t output,
                          sg_atomic_file *out)
{
    return p->outputs == 1 ? cli_csv_text(out, what)
                           : cli_csv_name(out, prefix, sg_model_output_name(p->model, output));
}

static sg_status put_bounds_names(const cli_predict_output *p, sg_atomic_file *out)
{
    sg_status st = SG_OK;
    for (size_t o = 0; st == SG_OK && o < p->outputs; o++) {
        st = cli_csv_text(out, ",");
        if (st == SG_OK) st = put_name(p, "lower", "lower_", o, out);
        if (st == SG_OK) st = cli_csv_text(out, ",");
        if (st == SG_OK) st = put_name(p, "upper", "upper_", o, out);
    }
    return st;
}

sg_status cli_predict_output_csv_header(const cli_predict_output *p, sg_atomic_file *out)
{
    sg_status st = SG_OK;
    for (size_t o = 0; st == SG_OK && o < p->outputs; o++) {
        if (o) st = cli_csv_text(out, ",");
        if (st == SG_OK) st = put_name(p, "prediction", "prediction_", o, out);
    }
    if (st == SG_OK && p->interval) st = put_bounds_names(p, out);
    return st == SG_OK ? cli_csv_text(out, p->outside ? ",outside\n" : "\n") : st;
}

static sg_status put_bounds(cli_predict_output *p, const double *y, sg_atomic_file *out)
{
    sg_status st = sg_model_interval(p->model, p->level, y, 1, p->lower, p->upper);
    for (size_t o = 0; st == SG_OK && o < p->outputs; o++) {
        double pair[2] = {p->lower[o], p->upper[o]};
        st = cli_csv_text(out, ",");
        if (st == SG_OK) st = cli_csv_numbers(out, pair, 2);
    }
    return st;
}

/* Names with semicolons between them, in one cell. */
static sg_status put_outside(cli_predict_output *p, const double *outside, sg_atomic_file *out)
{
    char *end = p->name_buffer;
    for (size_t i = 0; i < sg_model_inputs(p->model); i++) {
        const char *name = sg_model_input_name(p->model, i);
        if (outside[i] == 0) continue;
        if (end > p->name_buffer) *end++ = ';';
        end = memcpy(end, name, strlen(name));
        end += strlen(name);
    }
    *end = 0;
    sg_status st = cli_csv_text(out, ",");
    return st == SG_OK && *p->name_buffer ? cli_csv_name(out, "", p->name_buffer) : st;
}

sg_status cli_predict_output_csv_row(cli_predict_output *p, const double *y, sg_atomic_file *out)
{
    sg_status st = cli_csv_numbers(out, y, p->outputs);
    if (st == SG_OK && p->interval) st = put_bounds(p, y, out);
    if (st == SG_OK && p->outside) st = put_outside(p, y + p->outputs, out);
    return st == SG_OK ? cli_csv_text(out, "\n") : st;
}

/* --- as JSON --- */

static const char *const keys[] = {"predictions", "lower", "upper", "outside"};
enum { PREDICTIONS, LOWER, UPPER, OUTSIDE, KEYS };

/* The place in keys of the i-th that is asked for. */
static size_t key_index(const cli_predict_output *p, size_t i)
{
    for (size_t k = 0; k < KEYS; k++) {
        bool asked = k == PREDICTIONS || (k == OUTSIDE ? p->outside : p->interval);
        if (asked && i-- == 0) return k;
    }
    return KEYS;
}

const char *cli_predict_output_json_key(const cli_predict_output *p, size_t i)
{
    size_t k = key_index(p, i);
    return k < KEYS ? keys[k] : NULL;
}

static void emit_numbers(const double *x, size_t n, cli_json *to)
{
    if (n > 1) cli_json_open(to, NULL, '[');
    for (size_t i = 0; i < n; i++) cli_json_number(to, NULL, x[i]);
    if (n > 1) cli_json_close(to, '[');
}

static void emit_outside(const cli_predict_output *p, const double *outside, cli_json *to)
{
    cli_json_open(to, NULL, '[');
    for (size_t i = 0; i < sg_model_inputs(p->model); i++)
        if (outside[i] > 0) cli_json_text(to, NULL, sg_model_input_name(p->model, i));
    cli_json_close(to, '[');
}

void cli_predict_output_json_value(cli_predict_output *p, size_t i, const double *y, cli_json *to)
{
    size_t k = key_index(p, i);
    if (k == OUTSIDE) {
        emit_outside(p, y + p->outputs, to);
        return;
    }
    if (k != PREDICTIONS) sg_model_interval(p->model, p->level, y, 1, p->lower, p->upper);
    emit_numbers(k == PREDICTIONS ? y : k == LOWER ? p->lower : p->upper, p->outputs, to);
}
