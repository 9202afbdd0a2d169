/* checkpoint_timer.c: see checkpoint_timer.h. */
#include "verb/checkpoint_timer.h"

#include "mpi/mpi_run.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writing takes no more than about a tenth of the time. */
static const double pause_factor = 9;

void cli_checkpoint_timer_start(cli_checkpoint_timer *s, const cli_command *c, size_t iteration)
{
    *s = (cli_checkpoint_timer){.call = c,
                                .path = cli_is_root(c) ? cli_option_get(c, "checkpoint") : "",
                                .saved_iteration = iteration,
                                .interval = strtod(cli_option_get(c, "checkpoint-every"), NULL)};
    s->next_save = cli_now() + s->interval;
    if (iteration) cli_notice(c, "%s: goes on after iteration %zu", s->path, iteration);
}

static void save_checkpoint(cli_checkpoint_timer *s, sg_trainer *t, size_t iteration, cli_progress_bar *bar)
{
    double started = cli_now();
    bool failed = sg_trainer_save(t, s->path) != SG_OK;
    if (!failed) s->saved_iteration = iteration;
    if (failed && !s->failing) {
        cli_progress_bar_end(bar);
        cli_notice(s->call, "%s; the training goes on%s", sg_errmsg(),
                   s->saved_iteration ? ", an older checkpoint is there" : "");
    }
    s->failing = failed;
    double now = cli_now(), pause = pause_factor * (now - started);
    s->next_save = s->interval > 0 ? now + (pause > s->interval ? pause : s->interval) : 0;
}

void cli_checkpoint_timer_step(cli_checkpoint_timer *s, sg_trainer *t, size_t iteration, cli_progress_bar *bar)
{
    if (*s->path && cli_now() >= s->next_save) save_checkpoint(s, t, iteration, bar);
}

void cli_checkpoint_timer_end(cli_checkpoint_timer *s, sg_trainer *t, size_t iteration, cli_progress_bar *bar)
{
    if (*s->path && s->saved_iteration != iteration) save_checkpoint(s, t, iteration, bar);
}

void cli_checkpoint_remove(const cli_command *c)
{
    const char *path = cli_option_get(c, "checkpoint");
    char *real = *path ? realpath(path, NULL) : NULL; /* a symbolic link stays one */
    if (real && unlink(real) != 0) cli_notice(c, "can't remove %s: %s", path, strerror(errno));
    free(real);
}
