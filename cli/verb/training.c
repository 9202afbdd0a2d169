/* training.c: see training.h. */
#include "verb/training.h"

#include "output/with_progress.h"
#include "verb/checkpoint_timer.h"

#include <stdio.h>
#include <string.h>

static sg_status run_steps(const cli_command *c, sg_trainer *trainer, cli_training *out)
{
    sg_progress p = sg_trainer_progress(trainer);
    sg_status st = SG_OK;
    cli_progress_bar bar;
    cli_checkpoint_timer saver;
    cli_stop_sync pulse;
    cli_progress_bar_start(&bar, c->quiet);
    bar.resumed_at = p.iteration;
    cli_checkpoint_timer_start(&saver, c, p.iteration);
    cli_interrupt_watch();
    st = cli_stop_sync_start(&pulse, c, p.iteration);
    while (st == SG_OK && p.more && !cli_stop_sync_poll(&pulse, p.iteration, &st) && st == SG_OK) {
        st = sg_trainer_step(trainer, &p);
        if (st == SG_OK) cli_progress_bar_step(&bar, &p);
        if (st == SG_OK && p.more) cli_checkpoint_timer_step(&saver, trainer, p.iteration, &bar);
    }
    if (st == SG_OK) cli_checkpoint_timer_end(&saver, trainer, p.iteration, &bar);
    cli_stop_sync_end(&pulse);
    cli_progress_bar_end(&bar);
    out->saved = saver.saved_iteration > 0;
    out->interrupted = st == SG_OK && p.more;
    out->iterations = p.iteration;
    out->planned = p.iterations;
    return st;
}

/* A search: one call of the library. */
static sg_status run_search(const cli_command *c, const sg_options *o, const sg_source *train, const sg_source *valid,
                            cli_training *out)
{
    cli_progress_task w;
    sg_status st = cli_progress_task_start(&w, c);
    cli_progress_task_use_percent(&w);
    if (st == SG_OK) st = sg_train(o, train, valid, cli_progress_task_poll, &w, &out->model);
    if (st == SG_OK) st = w.sync_status;
    cli_progress_task_end(&w);
    out->interrupted = st == SG_OK && cli_interrupted() && !cli_comm(c); /* a team's search is not stopped */
    return st;
}

/* How sure the model is, after a training that came to its end. */
static sg_status calibrate_folds(const cli_command *c, const sg_options *o, const sg_source *train,
                                 const sg_source *valid, sg_model *m)
{
    cli_progress_task w;
    if (strcmp(sg_options_get(o, "intervals"), "0") == 0) return SG_OK;
    sg_status st = cli_progress_task_start(&w, c);
    cli_progress_task_use_percent(&w);
    w.bar.noun = "intervals: percent";
    if (st == SG_OK) st = sg_model_calibrate_folds(m, o, train, valid, cli_progress_task_poll, &w);
    if (st == SG_OK) st = w.sync_status;
    cli_progress_task_end(&w);
    if (st == SG_OK && sg_model_calibration_rows(m) == 0) cli_notice(c, "stopped: the model knows no intervals");
    return st;
}

/* After the last step. */
static sg_status finish_model(const cli_command *c, const sg_options *o, const sg_source *train, const sg_source *valid,
                              cli_training *t)
{
    sg_status st = sg_trainer_model(t->trainer, &t->model);
    if (st == SG_OK) st = sg_model_fit_support(t->model, train);
    if (st != SG_OK || t->diverged || t->interrupted) return st;
    t->uncalibrated = calibrate_folds(c, o, train, valid, t->model) != SG_OK;
    if (t->uncalibrated) snprintf(t->error_message, sizeof t->error_message, "%s", sg_errmsg());
    return SG_OK;
}

sg_status cli_training_run(const cli_command *c, const sg_options *o, const sg_source *train, const sg_source *valid,
                           cli_training *out)
{
    double started = cli_now();
    *out = (cli_training){0};
    if (sg_options_is_search(o)) {
        sg_status searched = run_search(c, o, train, valid, out);
        out->seconds = cli_now() - started;
        return searched;
    }
    const char *checkpoint = cli_option_get(c, "checkpoint");
    sg_status st = *checkpoint ? sg_trainer_resume(checkpoint, o, train, valid, &out->trainer)
                               : sg_trainer_new(o, train, valid, &out->trainer);
    if (st != SG_OK) return st;
    st = run_steps(c, out->trainer, out);
    if (st == SG_EDIVERGED) {
        out->diverged = true;
        snprintf(out->error_message, sizeof out->error_message, "%s", sg_errmsg());
        st = SG_OK;
    }
    if (st == SG_OK) st = finish_model(c, o, train, valid, out);
    out->seconds = cli_now() - started;
    return st;
}

void cli_training_release(cli_training *t)
{
    sg_model_free(t->model);
    sg_trainer_free(t->trainer);
    *t = (cli_training){0};
}
