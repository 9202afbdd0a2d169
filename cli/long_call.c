/* long_call.c: see long_call.h. */
#include "long_call.h"

sg_status cli_long_start(cli_long *w, const cli_call *c)
{
    *w = (cli_long){.busy = ATOMIC_FLAG_INIT, .failed = SG_OK};
    cli_bar_start(&w->bar, c->quiet);
    cli_interrupt_watch();
    return cli_pulse_start(&w->pulse, c, 0);
}

void cli_long_percent(cli_long *w)
{
    w->shown = 100;
    w->bar.noun = "percent";
}

int cli_long_stops(void *arg, size_t done, size_t planned)
{
    cli_long *w = arg;
    if (!atomic_flag_test_and_set(&w->busy)) {
        if (w->shown) cli_bar_show(&w->bar, (size_t)((double)done / (double)planned * (double)w->shown), w->shown);
        else cli_bar_show(&w->bar, done, planned);
        atomic_flag_clear(&w->busy);
    }
    return cli_pulse_stops(&w->pulse, done, &w->failed) || w->failed != SG_OK;
}

void cli_long_end(cli_long *w)
{
    cli_pulse_end(&w->pulse);
    cli_bar_end(&w->bar);
}
