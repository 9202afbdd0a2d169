/* training_loop.c: trains step by step, with a progress bar, checkpoints and Ctrl-C. A search calls sg_train. */
#include "verb/training_loop.h"

#include "output/progress_bar.h"

#include <errno.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* --- checkpoints --- */

typedef struct checkpoint_timer {
    const cli_command *command;
    const char *path;       /* "" for no checkpoints                       */
    double next_save;       /* time returned by cli_now                    */
    size_t saved_iteration; /* iteration in the file; 0 if there is none   */
    bool failing;           /* the last attempt failed, which was reported */
} checkpoint_timer;

static void start_checkpoints(checkpoint_timer *s, const cli_command *c, size_t iteration)
{
    *s = (checkpoint_timer){.command = c,
                            .path = cli_is_root(c) ? c->settings.checkpoint : "",
                            .saved_iteration = iteration,
                            .next_save = cli_now() + c->settings.checkpoint_every};
    if (iteration) cli_notice(c, "resuming from %s after iteration %zu", s->path, iteration);
}

/* Saves a checkpoint. A failure causes only a notice: training continues, and the previous checkpoint remains. The
 * pause ensures that writing takes at most a tenth of the time. */
static void save_checkpoint(checkpoint_timer *s, sg_trainer *t, size_t iteration, cli_progress_bar *bar)
{
    double started = cli_now(), interval = s->command->settings.checkpoint_every;
    bool failed = sg_trainer_save(t, s->path) != SG_OK;
    if (!failed) s->saved_iteration = iteration;
    if (failed && !s->failing) {
        cli_progress_bar_end(bar);
        cli_notice(s->command, "%s; training continues%s", sg_errmsg(),
                   s->saved_iteration ? ", and the previous checkpoint is kept" : "");
    }
    s->failing = failed;
    double now = cli_now(), pause = 9 * (now - started);
    s->next_save = interval > 0 ? now + (pause > interval ? pause : interval) : 0;
}

void cli_checkpoint_remove(const cli_command *c)
{
    const char *path = c->settings.checkpoint;
    char *real = *path ? realpath(path, NULL) : NULL; /* a symbolic link remains */
    if (real && unlink(real) != 0) cli_notice(c, "can't remove %s: %s", path, strerror(errno));
    free(real);
}

/* --- training --- */

static sg_status run_steps(const cli_command *c, sg_trainer *trainer, cli_training *out)
{
    sg_progress p = sg_trainer_progress(trainer);
    cli_progress_bar bar;
    checkpoint_timer timer;
    cli_stop_sync sync;
    cli_progress_bar_start(&bar, c->quiet);
    bar.resumed_at = p.iteration;
    start_checkpoints(&timer, c, p.iteration);
    cli_interrupt_watch();
    sg_status st = cli_stop_sync_start(&sync, c, p.iteration);
    while (st == SG_OK && p.more && !cli_stop_sync_poll(&sync, p.iteration, &st) && st == SG_OK) {
        st = sg_trainer_step(trainer, &p);
        if (st == SG_OK) cli_progress_bar_step(&bar, &p);
        if (st == SG_OK && p.more && *timer.path && cli_now() >= timer.next_save)
            save_checkpoint(&timer, trainer, p.iteration, &bar);
    }
    if (st == SG_OK && *timer.path && timer.saved_iteration != p.iteration)
        save_checkpoint(&timer, trainer, p.iteration, &bar);
    cli_stop_sync_end(&sync);
    cli_progress_bar_end(&bar);
    out->saved = timer.saved_iteration > 0;
    out->interrupted = st == SG_OK && p.more;
    out->iterations = p.iteration;
    out->planned = p.iterations;
    return st;
}

static sg_status train_at_once(const cli_command *c, const sg_options *o, const sg_source *train,
                               const sg_source *valid, cli_training *out)
{
    cli_progress_task task;
    sg_status st = cli_progress_task_start(&task, c, "percent");
    if (st == SG_OK) st = sg_train(o, train, valid, cli_progress_task_poll, &task, &out->model);
    st = cli_progress_task_end(&task, st);
    out->interrupted = st == SG_OK && cli_interrupted() && !cli_comm(c); /* a distributed search is not cancelled */
    return st;
}

static void store_error_message(cli_training *t)
{
    snprintf(t->error_message, sizeof t->error_message, "%s", sg_errmsg());
}

/* Does what sg_train does after its last step. */
static sg_status finish_model(const cli_command *c, const sg_options *o, const sg_source *train, const sg_source *valid,
                              cli_training *t)
{
    cli_progress_task task;
    bool calibrate = !t->diverged && !t->interrupted;
    sg_status st = sg_trainer_model(t->trainer, &t->model);
    if (st != SG_OK) return st;
    st = cli_progress_task_start(&task, c, "intervals: percent");
    if (st == SG_OK) st = sg_model_finish(t->model, o, train, valid, !calibrate, cli_progress_task_poll, &task);
    st = cli_progress_task_end(&task, st);
    t->unfinished = st != SG_OK && !t->diverged;
    if (t->unfinished) store_error_message(t);
    else if (calibrate && c->settings.intervals && sg_model_calibration_rows(t->model) == 0)
        cli_notice(c, "interrupted: the model has no prediction intervals");
    return SG_OK;
}

static sg_status train_in_steps(const cli_command *c, const sg_options *o, const sg_source *train,
                                const sg_source *valid, cli_training *out)
{
    const char *checkpoint = c->settings.checkpoint;
    sg_status st = *checkpoint ? sg_trainer_resume(checkpoint, o, train, valid, &out->trainer)
                               : sg_trainer_new(o, train, valid, &out->trainer);
    if (st == SG_OK) st = run_steps(c, out->trainer, out);
    out->diverged = st == SG_EDIVERGED;
    if (out->diverged) store_error_message(out);
    return st == SG_OK || out->diverged ? finish_model(c, o, train, valid, out) : st;
}

sg_status cli_training_run(const cli_command *c, const sg_options *o, const sg_source *train, const sg_source *valid,
                           cli_training *out)
{
    double started = cli_now();
    *out = (cli_training){0};
    sg_status st = sg_options_trains_in_steps(o) ? train_in_steps(c, o, train, valid, out)
                                                 : train_at_once(c, o, train, valid, out);
    out->seconds = cli_now() - started;
    return st;
}

void cli_training_release(cli_training *t)
{
    sg_model_free(t->model);
    sg_trainer_free(t->trainer);
}
