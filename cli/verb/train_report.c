/* train_report.c: see train_report.h. */
#include "verb/train_report.h"

#include "mpi/mpi_run.h"
#include "output/json_emit.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

static size_t best_iteration(const sg_model *m) { return (size_t)cli_record_number(m, "best_iteration"); }

static void print_json(const cli_train_report *r)
{
    const cli_training *t = r->training;
    const sg_model *m = t->model;
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    cli_json_text(&j, "preset", cli_record_get(m, "preset"));
    cli_json_open(&j, "targets", '[');
    for (size_t i = 0; i < sg_model_outputs(m); i++) cli_json_text(&j, NULL, sg_model_output_name(m, i));
    cli_json_close(&j, '[');
    cli_json_count(&j, "rows", r->rows);
    cli_json_count(&j, "inputs", sg_model_inputs(m));
    cli_json_count(&j, "rules", sg_model_rules(m));
    cli_json_count(&j, "parameters", sg_model_parameters(m));
    cli_json_number(&j, "iterations", cli_record_number(m, "iterations"));
    cli_json_count(&j, "best_iteration", best_iteration(m));
    cli_json_number(&j, "seconds", t->seconds);
    cli_json_number(&j, "train_rmse", r->train_rmse);
    cli_json_number(&j, "valid_rmse", cli_record_number(m, "valid_rmse"));
    cli_json_flag(&j, "interrupted", t->interrupted);
    cli_json_flag(&j, "diverged", t->diverged);
    cli_json_text(&j, "model", r->path);
    cli_json_close(&j, '{');
    putchar('\n');
}

static void print_text(const cli_train_report *r, FILE *out)
{
    const cli_training *t = r->training;
    const sg_model *m = t->model;
    const char *iterations = cli_record_get(m, "iterations"), *best = cli_record_get(m, "best_iteration");
    double valid = cli_record_number(m, "valid_rmse");
    fprintf(out, "preset      %s\n", cli_record_get(m, "preset"));
    fprintf(out, "target      ");
    for (size_t i = 0; i < sg_model_outputs(m); i++) {
        if (i) fputs(", ", out);
        cli_print_escaped(out, sg_model_output_name(m, i), 0);
    }
    fprintf(out, "\nrows        %zu\n", r->rows);
    fprintf(out, "inputs      %zu\n", sg_model_inputs(m));
    fprintf(out, "rules       %zu\n", sg_model_rules(m));
    fprintf(out, "parameters  %zu\n", sg_model_parameters(m));
    fprintf(out, "iterations  %s", iterations);
    if (strcmp(iterations, best) != 0) fprintf(out, ", the best one is %s", best);
    fprintf(out, "\nseconds     %.2f\n", t->seconds);
    fprintf(out, "train RMSE  %.6g\n", r->train_rmse);
    if (!isnan(valid)) fprintf(out, "valid RMSE  %.6g\n", valid);
    if (r->path) fprintf(out, "model       %s\n", r->path);
}

/* What a search tried, the best first, why it chose what it chose, and what its user should know. */
static void print_search(const sg_model *m)
{
    const char *name, *value;
    for (size_t i = 0; sg_model_record(m, i, &name, &value); i++) {
        bool tried = strncmp(name, "tried_", 6) == 0, chosen = strcmp(name, "chosen") == 0;
        if (!tried && !chosen && strncmp(name, "note_", 5) != 0) continue;
        fputs(tried ? "tried   " : chosen ? "chosen  " : "note    ", stderr);
        cli_print_escaped(stderr, value, 0);
        fputc('\n', stderr);
    }
}

void cli_train_report_print(const cli_command *c, const cli_train_report *r)
{
    if (!cli_is_root(c)) return;
    bool taken = r->path && strcmp(r->path, "-") == 0; /* the model itself is on standard output */
    if (!c->quiet) print_search(r->training->model);
    if (c->json) print_json(r);
    else print_text(r, taken ? stderr : stdout);
    if (!r->training->diverged && r->train_rmse > cli_record_number(r->training->model, "target_deviation"))
        cli_notice(c, "no better than predicting the mean%s",
                   sg_options_is_search(c->options) ? "" : ": try a smaller --rate or more --iters");
}
