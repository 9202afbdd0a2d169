/* saver.c: see saver.h. */
#include "saver.h"

#include "together.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Writing takes no more than about a tenth of the time. */
static const double share = 9;

void cli_saver_start(cli_saver *s, const cli_call *c, size_t iteration)
{
    *s = (cli_saver){.call = c,
                     .path = cli_leads(c) ? cli_own(c, "checkpoint") : "",
                     .saved = iteration,
                     .every = strtod(cli_own(c, "checkpoint-every"), NULL)};
    s->due = cli_now() + s->every;
    if (iteration) cli_notice(c, "%s: goes on after iteration %zu", s->path, iteration);
}

static void save(cli_saver *s, sg_trainer *t, size_t iteration, cli_bar *bar)
{
    double started = cli_now();
    bool failed = sg_trainer_save(t, s->path) != SG_OK;
    if (!failed) s->saved = iteration;
    if (failed && !s->failing) {
        cli_bar_end(bar);
        cli_notice(s->call, "%s; the training goes on%s", sg_errmsg(),
                   s->saved ? ", an older checkpoint is there" : "");
    }
    s->failing = failed;
    double now = cli_now(), pause = share * (now - started);
    s->due = s->every > 0 ? now + (pause > s->every ? pause : s->every) : 0;
}

void cli_saver_step(cli_saver *s, sg_trainer *t, size_t iteration, cli_bar *bar)
{
    if (*s->path && cli_now() >= s->due) save(s, t, iteration, bar);
}

void cli_saver_end(cli_saver *s, sg_trainer *t, size_t iteration, cli_bar *bar)
{
    if (*s->path && s->saved != iteration) save(s, t, iteration, bar);
}

void cli_saver_forget(const cli_call *c)
{
    const char *path = cli_own(c, "checkpoint");
    char *real = *path ? realpath(path, NULL) : NULL; /* a symbolic link stays one */
    if (real && unlink(real) != 0) cli_notice(c, "can't remove %s: %s", path, strerror(errno));
    free(real);
}
