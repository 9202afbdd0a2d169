/* verb_cv.c: implements sugeno cv, which cross-validates any preset, prints the metrics of each fold, and writes
 * out-of-fold predictions. */
#include "output/csv_emit.h"
#include "output/json_emit.h"
#include "output/progress_bar.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>

typedef struct folds {
    size_t k, finished, outputs;
    const char **targets; /* (outputs)    */
    sg_metrics *metrics;  /* (k, outputs) */
    bool interrupted;
} folds;

/* --- running --- */

typedef struct cv_run {
    cli_progress_task task;
    const folds *folds;
    const char *path;    /* path of the out-of-fold predictions */
    cli_csv predictions; /* opened at the first row, so that no file is created if a training fails */
} cv_run;

static int poll_progress(void *arg, size_t done, size_t planned)
{
    return cli_progress_task_poll(&((cv_run *)arg)->task, done, planned);
}

static void write_names(cli_csv *w, const folds *f, const char *prefix)
{
    for (size_t i = 0; i < f->outputs; i++) {
        cli_csv_text(w, ",");
        cli_csv_name(w, prefix, f->targets[i]);
    }
}

static void open_predictions(cv_run *run)
{
    cli_csv *w = &run->predictions;
    cli_csv_open(w, run->path);
    cli_csv_text(w, "row,fold");
    write_names(w, run->folds, "");
    if (run->folds->outputs == 1) cli_csv_text(w, ",prediction");
    else write_names(w, run->folds, "prediction_");
    cli_csv_text(w, "\n");
}

/* An sg_out_of_fold_fn. Rows and folds are numbered from 1 in the file. */
static sg_status write_prediction(void *arg, size_t row, size_t fold, const double *targets, const double *predictions)
{
    cv_run *run = arg;
    cli_csv *w = &run->predictions;
    if (!w->file) open_predictions(run);
    cli_csv_count(w, row + 1);
    cli_csv_text(w, ",");
    cli_csv_count(w, fold + 1);
    cli_csv_text(w, ",");
    cli_csv_numbers(w, targets, run->folds->outputs);
    cli_csv_text(w, ",");
    cli_csv_numbers(w, predictions, run->folds->outputs);
    cli_csv_text(w, "\n");
    return w->status;
}

static int run_folds(const cli_command *c, const sg_source *rows, folds *f)
{
    cv_run run = {.folds = f, .path = c->settings.predictions};
    sg_cv_options how = {.folds = f->k,
                         .ordered = c->settings.ordered,
                         .stop = poll_progress,
                         .on_out_of_fold = *run.path ? write_prediction : NULL,
                         .arg = &run};
    sg_status st = cli_progress_task_start(&run.task, c, sg_options_is_search(c->options) ? "percent" : NULL);
    if (st == SG_OK) st = sg_cross_validate(c->options, rows, &how, f->metrics, &f->finished);
    cli_interrupt_unwatch();
    st = cli_progress_task_end(&run.task, st);
    st = cli_csv_close(&run.predictions, st);
    if (st != SG_OK) return cli_exit_code(st);
    f->interrupted = f->finished < f->k;
    if (f->finished == 0) return cli_error("interrupted before the first fold was finished");
    if (f->interrupted) cli_notice(c, "interrupted after %zu of %zu folds", f->finished, f->k);
    return CLI_DONE;
}

/* --- mean and standard deviation over folds --- */

static void summarise(const folds *f, size_t output, sg_metrics *mean, sg_metrics *sd)
{
    double n = (double)f->finished;
    *mean = *sd = (sg_metrics){0};
    for (size_t i = 0; i < f->finished; i++) {
        const sg_metrics *m = &f->metrics[i * f->outputs + output];
        mean->rmse += m->rmse / n;
        mean->mae += m->mae / n;
        mean->r2 += m->r2 / n;
    }
    for (size_t i = 0; i < f->finished && n > 1; i++) {
        const sg_metrics *m = &f->metrics[i * f->outputs + output];
        sd->rmse += (m->rmse - mean->rmse) * (m->rmse - mean->rmse) / (n - 1);
        sd->mae += (m->mae - mean->mae) * (m->mae - mean->mae) / (n - 1);
        sd->r2 += (m->r2 - mean->r2) * (m->r2 - mean->r2) / (n - 1);
    }
    *sd = (sg_metrics){.rmse = sqrt(sd->rmse), .mae = sqrt(sd->mae), .r2 = sqrt(sd->r2)};
}

/* --- printing --- */

static void print_output(const folds *f, size_t output)
{
    char name[32];
    sg_metrics mean, sd;
    summarise(f, output, &mean, &sd);
    cli_print_metrics_header();
    for (size_t i = 0; i < f->finished; i++) {
        snprintf(name, sizeof name, "fold %zu", i + 1);
        cli_print_metrics(name, &f->metrics[i * f->outputs + output]);
    }
    cli_print_metrics("mean", &mean);
    cli_print_metrics("+/-", &sd);
}

static void emit_output(cli_json *j, const folds *f, size_t output)
{
    sg_metrics mean, sd;
    summarise(f, output, &mean, &sd);
    cli_json_open(j, "folds", '[');
    for (size_t i = 0; i < f->finished; i++) {
        cli_json_open(j, NULL, '{');
        cli_json_metrics(j, &f->metrics[i * f->outputs + output]);
        cli_json_count(j, "rows", f->metrics[i * f->outputs + output].rows);
        cli_json_close(j, '{');
    }
    cli_json_close(j, '[');
    cli_json_number(j, "rmse_mean", mean.rmse);
    cli_json_number(j, "rmse_sd", sd.rmse);
    cli_json_number(j, "mae_mean", mean.mae);
    cli_json_number(j, "mae_sd", sd.mae);
    cli_json_number(j, "r2_mean", mean.r2);
    cli_json_number(j, "r2_sd", sd.r2);
}

static void print_text(const folds *f)
{
    for (size_t i = 0; i < f->outputs; i++) {
        if (f->outputs > 1) {
            if (i) putchar('\n');
            cli_print_escaped(stdout, f->targets[i], 0);
            putchar('\n');
        }
        print_output(f, i);
    }
}

static void print_json(const cli_command *c, const folds *f)
{
    const char *predictions = c->settings.predictions;
    cli_json j = {0};
    cli_json_open(&j, NULL, '{');
    if (f->outputs == 1) emit_output(&j, f, 0);
    else {
        cli_json_open(&j, "targets", '{');
        for (size_t i = 0; i < f->outputs; i++) {
            cli_json_open(&j, f->targets[i], '{');
            emit_output(&j, f, i);
            cli_json_close(&j, '{');
        }
        cli_json_close(&j, '{');
    }
    cli_json_flag(&j, "interrupted", f->interrupted);
    if (*predictions) cli_json_text(&j, "predictions", predictions);
    cli_json_close(&j, '{');
}

/* --- the verb --- */

static int alloc_folds(const cli_command *c, const sg_source *rows, folds *f)
{
    sg_status st = sg_target_count(c->options, rows, &f->outputs);
    if (st != SG_OK) return cli_exit_code(st);
    f->metrics = calloc(f->k * f->outputs, sizeof *f->metrics);
    f->targets = calloc(f->outputs, sizeof *f->targets);
    if (!f->metrics || !f->targets) return cli_error("out of memory");
    for (size_t i = 0; st == SG_OK && i < f->outputs; i++) st = sg_target_name(c->options, rows, i, &f->targets[i]);
    return cli_exit_code(st);
}

int cli_cv(const cli_command *c)
{
    sg_dataset *data;
    folds f = {.k = c->settings.folds};
    int code = cli_check_outputs(c);
    if (code == CLI_DONE) code = cli_open_data(c, 0, c->operands, &data);
    if (code != CLI_DONE) return code;
    sg_source rows = sg_dataset_source(data);
    code = alloc_folds(c, &rows, &f);
    if (code == CLI_DONE) code = run_folds(c, &rows, &f);
    if (code == CLI_DONE && c->json) print_json(c, &f);
    else if (code == CLI_DONE) print_text(&f);
    free(f.targets);
    free(f.metrics);
    sg_dataset_free(data);
    return code;
}
