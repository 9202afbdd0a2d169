/* verb_train.c: data to model. */
#include "mpi/mpi_run.h"
#include "verb/checkpoint_timer.h"
#include "verb/train_report.h"

#include <stdlib.h>
#include <string.h>

typedef struct train_data {
    sg_dataset *data, *more; /* DATA and --valid */
    sg_source train, valid;
    bool validates;
} train_data;

static void release_data(train_data *r)
{
    sg_dataset_free(r->data);
    sg_dataset_free(r->more);
}

/* --- reading --- */

/* The same columns as in DATA, so that the file may hold others. */
static int read_valid(const cli_command *c, const char *path, train_data *r)
{
    cli_set_local_files(c, c->local_valid);
    int code = cli_exit_code(sg_dataset_open_valid(&path, 1, c->options, &r->train, &r->more));
    if (code != CLI_DONE) return code;
    r->valid = sg_dataset_source(r->more);
    r->validates = true;
    return CLI_DONE;
}

/* Said before anything is read. */
static int reject_invalid_options(const cli_command *c)
{
    static const char *const option[] = {"valid", "checkpoint"};
    for (size_t i = 0; sg_options_is_search(c->options) && i < sizeof option / sizeof *option; i++)
        if (*cli_option_get(c, option[i]))
            return cli_usage_error(
                "--%s is not for the preset %s, which chooses how to train by itself: leave it out, or give a preset "
                "that trains once, such as --preset mbgd-rda",
                option[i], sg_options_get(c->options, "preset"));
    if (strcmp(sg_options_get(c->options, "intervals"), "1") == 0)
        return cli_usage_error("--intervals 1: expected 0, or at least 2 parts, each of which is left out once");
    bool parts = sg_options_is_search(c->options) || strcmp(sg_options_get(c->options, "intervals"), "0") != 0;
    if (!parts && *sg_options_get(c->options, "group"))
        return cli_usage_error("--group is for cv, for --intervals, and for presets that choose by validation, such as "
                               "--preset auto: %s trains "
                               "once, on all rows; to keep the column out of its inputs give --ignore",
                               sg_options_get(c->options, "preset"));
    return CLI_DONE;
}

static int read_rows(const cli_command *c, train_data *r)
{
    const char *valid = cli_option_get(c, "valid");
    double fraction = strtod(sg_options_get(c->options, "valid-fraction"), NULL);
    if (*valid && fraction > 0) return cli_usage_error("--valid and --valid-fraction: give one of them, not both");
    int code = cli_open_data(c, 0, c->operands, &r->data);
    if (code != CLI_DONE) return code;
    r->train = sg_dataset_source(r->data);
    return *valid ? read_valid(c, valid, r) : CLI_DONE;
}

/* --- after training --- */

static int save_model(const cli_command *c, const cli_training *t)
{
    if (!cli_is_root(c)) return CLI_DONE;
    const char *path = cli_option_get(c, "output"), *checkpoint = cli_option_get(c, "checkpoint");
    if (t->interrupted && !t->trainer) cli_notice(c, "stopped: the model is the best that was known by then");
    else if (t->interrupted)
        cli_notice(c, "stopped at iteration %zu of %zu%s%s%s", t->iterations, t->planned,
                   *path ? "; the model so far is written" : "", t->saved ? "; the same command goes on from " : "",
                   t->saved ? checkpoint : "");
    if (!*path) {
        cli_notice(c, t->saved ? "no model was written: the same command with -o FILE keeps it"
                               : "no model was written: give -o FILE to keep it");
        return CLI_DONE;
    }
    int code = cli_exit_code(sg_model_save(t->model, path));
    if (code == CLI_DONE && !t->interrupted) cli_checkpoint_remove(c);
    return code;
}

static int evaluate_model(const cli_command *c, const cli_training *t, const sg_source *all, cli_train_report *out)
{
    sg_source used = t->trainer ? sg_trainer_rows(t->trainer) : *all;
    size_t outputs = sg_model_outputs(t->model);
    const char *weights = sg_options_get(c->options, "weights");
    sg_metrics *metrics = calloc(outputs, sizeof *metrics);
    if (!metrics) return cli_error("out of memory");
    int code = cli_exit_code(sg_model_evaluate(t->model, &used, weights, cli_threads(c), metrics));
    *out = (cli_train_report){.training = t,
                              .rows = metrics[0].rows,
                              .path = *cli_option_get(c, "output") ? cli_option_get(c, "output") : NULL,
                              .train_rmse = cli_pooled_rmse(metrics, outputs)};
    free(metrics);
    return code;
}

static int train_model(const cli_command *c, const train_data *r)
{
    cli_training t;
    cli_train_report report;
    int code = cli_exit_code(cli_training_run(c, c->options, &r->train, r->validates ? &r->valid : NULL, &t));
    if (code == CLI_DONE) code = cli_bcast_exit_code(c, save_model(c, &t));
    if (code == CLI_DONE) code = evaluate_model(c, &t, &r->train, &report);
    if (code == CLI_DONE) {
        cli_train_report_print(c, &report);
        if (t.diverged || t.uncalibrated) code = cli_error("%s", t.error_message);
    }
    cli_training_release(&t);
    return code;
}

int cli_train(const cli_command *c)
{
    train_data r = {0};
    int code = cli_check_outputs(c);
    if (code == CLI_DONE) code = reject_invalid_options(c);
    if (code == CLI_DONE) code = read_rows(c, &r);
    if (code == CLI_DONE) code = train_model(c, &r);
    release_data(&r);
    return code;
}
