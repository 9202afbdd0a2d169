/* training.c: see training.h. */
#include "training.h"

#include "bar.h"

#include <stdio.h>

static sg_status loop(sg_trainer *trainer, bool quiet, cli_training *out)
{
    sg_progress p = {.more = 1};
    sg_status st = SG_OK;
    cli_bar bar;
    cli_bar_start(&bar, quiet);
    cli_interrupt_watch();
    while (st == SG_OK && p.more && !cli_interrupted()) {
        st = sg_trainer_step(trainer, &p);
        if (st == SG_OK) cli_bar_step(&bar, &p);
    }
    cli_bar_end(&bar);
    out->interrupted = st == SG_OK && p.more;
    out->iterations = p.iteration;
    out->planned = p.iterations;
    return st;
}

sg_status cli_training_run(const cli_call *c, const sg_options *o, const sg_source *train,
                           const sg_source *valid, cli_training *out)
{
    double started = cli_now();
    *out = (cli_training){0};
    sg_status st = sg_trainer_new(o, train, valid, &out->trainer);
    if (st != SG_OK) return st;
    st = loop(out->trainer, c->quiet, out);
    if (st == SG_EDIVERGED) {
        out->diverged = true;
        snprintf(out->why, sizeof out->why, "%s", sg_errmsg());
        st = SG_OK;
    }
    if (st == SG_OK) st = sg_trainer_model(out->trainer, &out->model);
    out->seconds = cli_now() - started;
    return st;
}

void cli_training_release(cli_training *t)
{
    sg_model_free(t->model);
    sg_trainer_free(t->trainer);
    *t = (cli_training){0};
}
