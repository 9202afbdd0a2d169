/* explain_partial.c: prints partial dependence, the mean prediction at each value of an input, as CSV or JSON. */
#include "cli.h"
#include "output/csv_emit.h"
#include "output/json_emit.h"

#include <stdlib.h>
#include <string.h>

enum { PD_POINTS = 33 };

typedef struct pd_output {
    const sg_model *model;
    size_t input, points, outputs, rows;
    double *at, *y; /* (points), (points, outputs) */
} pd_output;

/* Returns the name of a level. The last point stands for all unlisted levels. */
static const char *level_text(const pd_output *x, size_t i)
{
    const char *level = sg_model_level(x->model, x->input, i);
    return level ? level : "other";
}

/* --- as CSV --- */

static void write_header(const pd_output *x, cli_csv *to)
{
    const char *name = sg_model_input_name(x->model, x->input);
    bool conflict = x->outputs == 1 && strcmp(name, "prediction") == 0; /* see explain_csv.c */
    cli_csv_name(to, "", conflict ? "prediction (input)" : name);
    if (x->outputs == 1) cli_csv_text(to, ",prediction");
    for (size_t o = 0; x->outputs > 1 && o < x->outputs; o++) {
        cli_csv_text(to, ",");
        cli_csv_name(to, "prediction_", sg_model_output_name(x->model, o));
    }
    cli_csv_text(to, "\n");
}

static int write_csv(const pd_output *x, const char *path)
{
    cli_csv to;
    cli_csv_open(&to, path);
    write_header(x, &to);
    for (size_t i = 0; i < x->points; i++) {
        if (sg_model_levels(x->model, x->input)) cli_csv_name(&to, "", level_text(x, i));
        else cli_csv_numbers(&to, &x->at[i], 1);
        cli_csv_text(&to, ",");
        cli_csv_numbers(&to, x->y + i * x->outputs, x->outputs);
        cli_csv_text(&to, "\n");
    }
    return cli_exit_code(cli_csv_close(&to, SG_OK));
}

/* --- as JSON --- */

static void emit_point(cli_json *j, const pd_output *x, size_t i)
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

static void print_json(const pd_output *x, const char *path)
{
    cli_json j = {0};
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
}

int cli_explain_partial(const cli_command *c, const sg_model *m, const sg_source *rows, size_t input)
{
    const char *path = c->settings.output;
    pd_output x = {.model = m,
                   .input = input,
                   .points = sg_model_input_grid(m, input, PD_POINTS, NULL),
                   .outputs = sg_model_outputs(m)};
    x.at = calloc(x.points, sizeof *x.at);
    x.y = calloc(x.points, x.outputs * sizeof *x.y);
    int code = x.at && x.y ? CLI_DONE : cli_error("out of memory");
    if (code == CLI_DONE) {
        sg_model_input_grid(m, input, PD_POINTS, x.at);
        code = cli_exit_code(
            sg_model_partial_dependence(m, rows, input, x.at, x.points, c->settings.threads, x.y, &x.rows));
    }
    if (code == CLI_DONE && (*path || !c->json)) code = write_csv(&x, path);
    if (code == CLI_DONE && c->json) print_json(&x, path);
    free(x.at);
    free(x.y);
    return code;
}
