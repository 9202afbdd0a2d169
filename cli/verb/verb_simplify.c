/* verb_simplify.c: fewer rules and conditions, and what they cost. */
#include "mpi/mpi_run.h"
#include "output/json_emit.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>

/* Points of the frontier, the model as it is first. */
typedef struct frontier {
    sg_simplify_point *point;
    size_t count;
    bool failed; /* no memory */
} frontier;

static void append_point(void *arg, const sg_simplify_point *p)
{
    frontier *t = arg;
    sg_simplify_point *grown = realloc(t->point, (t->count + 1) * sizeof *grown);
    if (grown) t->point = grown;
    t->failed = t->failed || !grown;
    if (!t->failed) t->point[t->count++] = *p;
}

static void print_json(const frontier *t, const char *path)
{
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_open(&j, "frontier", '[');
    for (const sg_simplify_point *p = t->point; p < t->point + t->count; p++) {
        cli_json_open(&j, NULL, '{');
        cli_json_count(&j, "rules", p->rules);
        cli_json_count(&j, "conditions", p->conditions);
        cli_json_count(&j, "mfs", p->mfs);
        cli_json_number(&j, "rmse", p->rmse);
        cli_json_flag(&j, "chosen", p->chosen != 0);
        cli_json_close(&j, '{');
    }
    cli_json_close(&j, '[');
    cli_json_text(&j, "model", *path ? path : NULL);
    cli_json_close(&j, '{');
    putchar('\n');
}

static void print_text(const frontier *t, const char *path)
{
    const double first = t->count ? t->point->rmse : 0;
    printf("rules  conditions   MFs        RMSE  change\n");
    for (const sg_simplify_point *p = t->point; p < t->point + t->count; p++) {
        printf("%5zu  %10zu  %4zu  %10.6g  ", p->rules, p->conditions, p->mfs, p->rmse);
        if (p == t->point || !(first > 0)) printf("%s", p == t->point ? "as it is" : "");
        else printf("%+.1f %%", 100 * (p->rmse - first) / first);
        puts(p->chosen ? "  <- chosen" : "");
    }
    if (*path) printf("model  %s\n", path);
    else puts("-o FILE writes the chosen one; --max-rules and --tolerance choose another.");
}

/* "2%" or "0.02"; who writes 2 means 2 %, not 200 %. */
static int parse_tolerance(const char *text, double *out)
{
    char *end;
    if (!cli_parse_percent(text, out)) {
        *out = strtod(text, &end);
        if (end == text || *end) *out = -1;
        if (*out > 1)
            return cli_usage_error("--tolerance: \"%s\" would be %g %%; expected %g%% or %g", text, 100 * *out, *out,
                                   *out / 100);
    }
    if (!(*out >= 0 && *out <= 1000)) return cli_usage_error("--tolerance: \"%s\" is none; expected 2%% or 0.02", text);
    return CLI_DONE;
}

/* As `calibrate` tells, by the number of rows. */
static void warn_training_rows(const cli_command *c, const sg_model *m, const sg_source *rows)
{
    if ((double)rows->rows != cli_record_number(m, "rows")) return;
    cli_notice(
        c, "these are as many rows as the model was trained on: if they are the same, its RMSE here is too good, and "
           "less is simplified than could be; rows that it was not trained on judge better");
}

static int simplify_model(const cli_command *c, const sg_model *m, const sg_dataset *data, double tolerance)
{
    frontier t = {0};
    sg_simplify_options how = {.max_rules = strtoul(cli_option_get(c, "max-rules"), NULL, 10),
                               .tolerance = tolerance,
                               .on_point = append_point,
                               .arg = &t};
    sg_source rows = sg_dataset_source(data);
    sg_model *simpler = NULL;
    const char *path = cli_option_get(c, "output");
    int code = cli_exit_code(sg_model_simplify(m, &rows, &how, &simpler));
    if (code == CLI_DONE && t.failed) code = cli_error("out of memory");
    if (code == CLI_DONE) warn_training_rows(c, m, &rows);
    if (code == CLI_DONE && *path) code = cli_exit_code(sg_model_save(simpler, path));
    if (code == CLI_DONE && c->json) print_json(&t, path);
    else if (code == CLI_DONE) print_text(&t, path);
    if (code == CLI_DONE && sg_model_calibration_rows(m) && !sg_model_calibration_rows(simpler))
        cli_notice(c, "the simpler model errs otherwise and knows no intervals: sugeno calibrate finds them, with rows "
                      "of their own");
    free(t.point);
    sg_model_free(simpler);
    return code;
}

int cli_simplify(const cli_command *c)
{
    sg_model *m = NULL;
    sg_dataset *data = NULL;
    double tolerance;
    int code = parse_tolerance(cli_option_get(c, "tolerance"), &tolerance);
    if (code == CLI_DONE && strcmp(cli_option_get(c, "output"), "-") == 0)
        code = cli_usage_error("-o -: standard output has the table; expected a file");
    if (code == CLI_DONE) code = cli_check_output_path(c, "-o ", cli_option_get(c, "output"), c->operands);
    if (code == CLI_DONE) code = cli_load_model(c, c->operand[0], &m);
    if (code == CLI_DONE) code = cli_open_data_for_model(c, m, true, &data);
    if (code == CLI_DONE) code = simplify_model(c, m, data, tolerance);
    sg_dataset_free(data);
    sg_model_free(m);
    return code;
}
