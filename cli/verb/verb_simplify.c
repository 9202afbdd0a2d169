/* verb_simplify.c: implements sugeno simplify, which removes rules and prints the accuracy of each candidate. */
#include "cli.h"
#include "output/json_emit.h"

#include <stdio.h>
#include <stdlib.h>

/* The candidate models, starting with the original one. */
typedef struct frontier {
    sg_simplify_point *point;
    size_t count;
    bool failed; /* out of memory */
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
}

static void print_text(const frontier *t, const char *path)
{
    const double first = t->count ? t->point->rmse : 0;
    printf("rules  conditions   MFs        RMSE  change\n");
    for (const sg_simplify_point *p = t->point; p < t->point + t->count; p++) {
        printf("%5zu  %10zu  %4zu  %10.6g  ", p->rules, p->conditions, p->mfs, p->rmse);
        if (p == t->point || !(first > 0)) printf("%s", p == t->point ? "original" : "");
        else printf("%+.1f %%", 100 * (p->rmse - first) / first);
        puts(p->chosen ? "  <- chosen" : "");
    }
    if (*path) printf("model  %s\n", path);
    else puts("Use -o FILE to write the chosen model, or --max-rules or --tolerance to choose another.");
}

static int simplify_model(const cli_command *c, const cli_model_data *d)
{
    frontier t = {0};
    sg_simplify_options how = {
        .max_rules = c->settings.max_rules, .tolerance = c->settings.tolerance, .on_point = append_point, .arg = &t};
    sg_model *simpler = NULL;
    const char *path = c->settings.output;
    int code = cli_exit_code(sg_model_simplify(d->model, &d->rows, &how, &simpler));
    if (code == CLI_DONE && t.failed) code = cli_error("out of memory");
    if (code == CLI_DONE && (sg_model_curves(d->model) || !sg_model_calibration_rows(d->model)))
        cli_warn_training_rows(c, d->model, d->rows.rows,
                               "the RMSE of the full model is too optimistic, and too little is removed; use rows "
                               "that were not used for training");
    if (code == CLI_DONE && *path) code = cli_exit_code(sg_model_save(simpler, path));
    if (code == CLI_DONE && c->json) print_json(&t, path);
    else if (code == CLI_DONE) print_text(&t, path);
    if (code == CLI_DONE && sg_model_calibration_rows(d->model) && !sg_model_calibration_rows(simpler))
        cli_notice(c, "the simpler model has no prediction intervals; run sugeno calibrate with other rows");
    free(t.point);
    sg_model_free(simpler);
    return code;
}

int cli_simplify(const cli_command *c)
{
    cli_model_data d = {0};
    if (cli_is_stdout(c->settings.output))
        return cli_usage_error("-o -: standard output is used for the table; expected a file");
    int code = cli_check_output_path(c, "-o ", c->settings.output, c->operands);
    if (code == CLI_DONE) code = cli_open_model_data(c, true, &d);
    if (code == CLI_DONE) code = simplify_model(c, &d);
    cli_model_data_release(&d);
    return code;
}
