/* explain_partial.c: partial dependence as CSV or JSON: a value of the input, and the mean prediction there. */
#include "output/csv_emit.h"
#include "output/json_emit.h"
#include "verb/explain_modes.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

enum { PD_POINTS = 33 };

typedef struct pd_curve {
    const sg_model *model;
    size_t input, points, outputs, rows;
    double *at, *y; /* (points), (points, outputs) */
} pd_curve;

/* The text of a level; those that are not listed are the last point. */
static const char *level_text(const pd_curve *x, size_t i)
{
    const char *level = sg_model_level(x->model, x->input, i);
    return level ? level : "other";
}

/* --- as CSV --- */

static sg_status put_header(const pd_curve *x, sg_atomic_file *to)
{
    const char *name = sg_model_input_name(x->model, x->input);
    bool taken = x->outputs == 1 && strcmp(name, "prediction") == 0; /* see explain_csv.c */
    sg_status st = taken ? cli_csv_text(to, "prediction (input)") : cli_csv_name(to, "", name);
    if (st == SG_OK && x->outputs == 1) st = cli_csv_text(to, ",prediction");
    for (size_t o = 0; st == SG_OK && x->outputs > 1 && o < x->outputs; o++) {
        st = cli_csv_text(to, ",");
        if (st == SG_OK) st = cli_csv_name(to, "prediction_", sg_model_output_name(x->model, o));
    }
    return st == SG_OK ? cli_csv_text(to, "\n") : st;
}

static sg_status put_point(const pd_curve *x, size_t i, sg_atomic_file *to)
{
    bool level = sg_model_levels(x->model, x->input) > 0;
    sg_status st = level ? cli_csv_name(to, "", level_text(x, i)) : cli_csv_numbers(to, &x->at[i], 1);
    if (st == SG_OK) st = cli_csv_text(to, ",");
    if (st == SG_OK) st = cli_csv_numbers(to, x->y + i * x->outputs, x->outputs);
    return st == SG_OK ? cli_csv_text(to, "\n") : st;
}

static int write_csv(const pd_curve *x, const char *path)
{
    sg_atomic_file *to = NULL;
    sg_status st = sg_atomic_file_open(path, &to);
    if (st == SG_OK) st = put_header(x, to);
    for (size_t i = 0; st == SG_OK && i < x->points; i++) st = put_point(x, i, to);
    if (st == SG_OK) return cli_exit_code(sg_atomic_file_commit(to));
    sg_atomic_file_free(to);
    return cli_exit_code(st);
}

/* --- as JSON --- */

static void emit_point(cli_json *j, const pd_curve *x, size_t i)
{
    cli_json_open(j, NULL, '{');
    if (sg_model_levels(x->model, x->input)) cli_json_text(j, "at", level_text(x, i));
    else cli_json_number(j, "at", x->at[i]);
    if (x->outputs == 1) cli_json_number(j, "prediction", x->y[i]);
    else {
        cli_json_open(j, "predictions", '[');
        for (size_t o = 0; o < x->outputs; o++) cli_json_number(j, NULL, x->y[i * x->outputs + o]);
        cli_json_close(j, '[');
    }
    cli_json_close(j, '{');
}

static int print_json(const pd_curve *x, const char *path)
{
    cli_json j = {0};
    int code = *path ? write_csv(x, path) : CLI_DONE;
    if (code != CLI_DONE) return code;
    cli_json_open(&j, NULL, '{');
    cli_json_text(&j, "input", sg_model_input_name(x->model, x->input));
    cli_json_count(&j, "rows", x->rows);
    if (*path) cli_json_text(&j, "output", path);
    else {
        cli_json_open(&j, "points", '[');
        for (size_t i = 0; i < x->points; i++) emit_point(&j, x, i);
        cli_json_close(&j, '[');
    }
    cli_json_close(&j, '{');
    putchar('\n');
    return CLI_DONE;
}

int cli_explain_partial(const cli_command *c, const sg_model *m, const sg_source *rows, size_t input)
{
    const char *path = cli_option_get(c, "output");
    pd_curve x = {.model = m,
                  .input = input,
                  .points = sg_model_input_grid(m, input, PD_POINTS, NULL),
                  .outputs = sg_model_outputs(m)};
    x.at = calloc(x.points, sizeof *x.at);
    x.y = calloc(x.points, x.outputs * sizeof *x.y);
    int code = x.at && x.y ? CLI_DONE : cli_error("out of memory");
    if (code == CLI_DONE) {
        sg_model_input_grid(m, input, PD_POINTS, x.at);
        code = cli_exit_code(sg_model_partial_dependence(m, rows, input, x.at, x.points, cli_threads(c), x.y, &x.rows));
    }
    if (code == CLI_DONE) code = c->json ? print_json(&x, path) : write_csv(&x, *path ? path : "-");
    free(x.at);
    free(x.y);
    return code;
}
