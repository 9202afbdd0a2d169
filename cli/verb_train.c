/* verb_train.c: data to model. */
#include "saver.h"
#include "together.h"
#include "train_report.h"

#include <stdlib.h>
#include <string.h>

typedef struct rows {
    sg_data *data, *more; /* DATA and --valid */
    sg_source train, valid;
    bool validates;
} rows;

static void release(rows *r)
{
    sg_data_free(r->data);
    sg_data_free(r->more);
}

/* --- reading --- */

/* The same columns as in DATA, so that the file may hold others. */
static int read_valid(const cli_call *c, const char *path, rows *r)
{
    cli_read_local(c, c->local_valid);
    int code = cli_check(sg_data_open_beside(&path, 1, c->options, &r->train, &r->more));
    if (code != CLI_DONE) return code;
    r->valid = sg_data_source(r->more);
    r->validates = true;
    return CLI_DONE;
}

/* Said before anything is read. */
static int refuse(const cli_call *c)
{
    static const char *const option[] = {"valid", "checkpoint"};
    for (size_t i = 0; sg_options_search(c->options) && i < sizeof option / sizeof *option; i++)
        if (*cli_own(c, option[i]))
            return cli_usage(
                "--%s is not for the preset %s, which chooses how to train by itself: leave it out, or give a preset "
                "that trains once, such as --preset mbgd-rda",
                option[i], sg_options_get(c->options, "preset"));
    if (strcmp(sg_options_get(c->options, "intervals"), "1") == 0)
        return cli_usage("--intervals 1: expected 0, or at least 2 parts, each of which is left out once");
    bool parts = sg_options_search(c->options) || strcmp(sg_options_get(c->options, "intervals"), "0") != 0;
    if (!parts && *sg_options_get(c->options, "group"))
        return cli_usage("--group is for cv, for --intervals, and for presets that choose by validation, such as "
                         "--preset auto: %s trains "
                         "once, on all rows; to keep the column out of its inputs give --ignore",
                         sg_options_get(c->options, "preset"));
    return CLI_DONE;
}

static int read_rows(const cli_call *c, rows *r)
{
    const char *valid = cli_own(c, "valid");
    double fraction = strtod(sg_options_get(c->options, "valid-fraction"), NULL);
    if (*valid && fraction > 0) return cli_usage("--valid and --valid-fraction: give one of them, not both");
    int code = cli_read(c, 0, c->operands, &r->data);
    if (code != CLI_DONE) return code;
    r->train = sg_data_source(r->data);
    return *valid ? read_valid(c, valid, r) : CLI_DONE;
}

/* --- after training --- */

static int keep(const cli_call *c, const cli_training *t)
{
    if (!cli_leads(c)) return CLI_DONE;
    const char *path = cli_own(c, "output"), *checkpoint = cli_own(c, "checkpoint");
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
    int code = cli_check(sg_model_save(t->model, path));
    if (code == CLI_DONE && !t->interrupted) cli_saver_forget(c);
    return code;
}

static int score(const cli_call *c, const cli_training *t, const sg_source *all, cli_train_report *out)
{
    sg_source used = t->trainer ? sg_trainer_rows(t->trainer) : *all;
    size_t outputs = sg_model_outputs(t->model);
    const char *weights = sg_options_get(c->options, "weights");
    sg_metrics *metrics = calloc(outputs, sizeof *metrics);
    if (!metrics) return cli_error("out of memory");
    int code = cli_check(sg_model_evaluate(t->model, &used, weights, cli_threads(c), metrics));
    *out = (cli_train_report){.training = t,
                              .rows = metrics[0].rows,
                              .path = *cli_own(c, "output") ? cli_own(c, "output") : NULL,
                              .train_rmse = cli_joint_rmse(metrics, outputs)};
    free(metrics);
    return code;
}

static int train_on(const cli_call *c, const rows *r)
{
    cli_training t;
    cli_train_report report;
    int code = cli_check(cli_training_run(c, c->options, &r->train, r->validates ? &r->valid : NULL, &t));
    if (code == CLI_DONE) code = cli_follow(c, keep(c, &t));
    if (code == CLI_DONE) code = score(c, &t, &r->train, &report);
    if (code == CLI_DONE) {
        cli_train_report_print(c, &report);
        if (t.diverged || t.unsure) code = cli_error("%s", t.why);
    }
    cli_training_release(&t);
    return code;
}

int cli_train(const cli_call *c)
{
    rows r = {0};
    int code = cli_check_outputs(c);
    if (code == CLI_DONE) code = refuse(c);
    if (code == CLI_DONE) code = read_rows(c, &r);
    if (code == CLI_DONE) code = train_on(c, &r);
    release(&r);
    return code;
}
