/* training.c: see training.h. */
#include "training.h"

#include "long_call.h"
#include "saver.h"

#include <stdio.h>
#include <string.h>

static sg_status loop(const cli_call *c, sg_trainer *trainer, cli_training *out)
{
    sg_progress p = sg_trainer_progress(trainer);
    sg_status st = SG_OK;
    cli_bar bar;
    cli_saver saver;
    cli_pulse pulse;
    cli_bar_start(&bar, c->quiet);
    bar.before = p.iteration;
    cli_saver_start(&saver, c, p.iteration);
    cli_interrupt_watch();
    st = cli_pulse_start(&pulse, c, p.iteration);
    while (st == SG_OK && p.more && !cli_pulse_stops(&pulse, p.iteration, &st) && st == SG_OK) {
        st = sg_trainer_step(trainer, &p);
        if (st == SG_OK) cli_bar_step(&bar, &p);
        if (st == SG_OK && p.more) cli_saver_step(&saver, trainer, p.iteration, &bar);
    }
    if (st == SG_OK) cli_saver_end(&saver, trainer, p.iteration, &bar);
    cli_pulse_end(&pulse);
    cli_bar_end(&bar);
    out->saved = saver.saved > 0;
    out->interrupted = st == SG_OK && p.more;
    out->iterations = p.iteration;
    out->planned = p.iterations;
    return st;
}

/* A search: one call of the library. */
static sg_status search(const cli_call *c, const sg_options *o, const sg_source *train, const sg_source *valid,
                        cli_training *out)
{
    cli_long w;
    sg_status st = cli_long_start(&w, c);
    cli_long_percent(&w);
    if (st == SG_OK) st = sg_train(o, train, valid, cli_long_stops, &w, &out->model);
    if (st == SG_OK) st = w.failed;
    cli_long_end(&w);
    out->interrupted = st == SG_OK && cli_interrupted() && !cli_team(c); /* a team's search is not stopped */
    return st;
}

/* How sure the model is, after a training that came to its end. */
static sg_status learn_errors(const cli_call *c, const sg_options *o, const sg_source *train, const sg_source *valid,
                              sg_model *m)
{
    cli_long w;
    if (strcmp(sg_options_get(o, "intervals"), "0") == 0) return SG_OK;
    sg_status st = cli_long_start(&w, c);
    cli_long_percent(&w);
    w.bar.noun = "intervals: percent";
    if (st == SG_OK) st = sg_model_calibrate_folds(m, o, train, valid, cli_long_stops, &w);
    if (st == SG_OK) st = w.failed;
    cli_long_end(&w);
    if (st == SG_OK && sg_model_interval_rows(m) == 0) cli_notice(c, "stopped: the model knows no intervals");
    return st;
}

/* After the last step. */
static sg_status finish(const cli_call *c, const sg_options *o, const sg_source *train, const sg_source *valid,
                        cli_training *t)
{
    sg_status st = sg_trainer_model(t->trainer, &t->model);
    if (st == SG_OK) st = sg_model_cover(t->model, train);
    if (st != SG_OK || t->diverged || t->interrupted) return st;
    t->unsure = learn_errors(c, o, train, valid, t->model) != SG_OK;
    if (t->unsure) snprintf(t->why, sizeof t->why, "%s", sg_errmsg());
    return SG_OK;
}

sg_status cli_training_run(const cli_call *c, const sg_options *o, const sg_source *train, const sg_source *valid,
                           cli_training *out)
{
    double started = cli_now();
    *out = (cli_training){0};
    if (sg_options_search(o)) {
        sg_status searched = search(c, o, train, valid, out);
        out->seconds = cli_now() - started;
        return searched;
    }
    const char *checkpoint = cli_own(c, "checkpoint");
    sg_status st = *checkpoint ? sg_trainer_resume(checkpoint, o, train, valid, &out->trainer)
                               : sg_trainer_new(o, train, valid, &out->trainer);
    if (st != SG_OK) return st;
    st = loop(c, out->trainer, out);
    if (st == SG_EDIVERGED) {
        out->diverged = true;
        snprintf(out->why, sizeof out->why, "%s", sg_errmsg());
        st = SG_OK;
    }
    if (st == SG_OK) st = finish(c, o, train, valid, out);
    out->seconds = cli_now() - started;
    return st;
}

void cli_training_release(cli_training *t)
{
    sg_model_free(t->model);
    sg_trainer_free(t->trainer);
    *t = (cli_training){0};
}
