/* with_progress.c: see with_progress.h. */
#include "output/with_progress.h"

sg_status cli_progress_task_start(cli_progress_task *w, const cli_command *c)
{
    *w = (cli_progress_task){.drawing = ATOMIC_FLAG_INIT, .sync_status = SG_OK};
    cli_progress_bar_start(&w->bar, c->quiet);
    cli_interrupt_watch();
    return cli_stop_sync_start(&w->stop_sync, c, 0);
}

void cli_progress_task_use_percent(cli_progress_task *w)
{
    w->scale = 100;
    w->bar.noun = "percent";
}

int cli_progress_task_poll(void *arg, size_t done, size_t planned)
{
    cli_progress_task *w = arg;
    if (!atomic_flag_test_and_set(&w->drawing)) {
        if (w->scale)
            cli_progress_bar_show(&w->bar, (size_t)((double)done / (double)planned * (double)w->scale), w->scale);
        else cli_progress_bar_show(&w->bar, done, planned);
        atomic_flag_clear(&w->drawing);
    }
    return cli_stop_sync_poll(&w->stop_sync, done, &w->sync_status) || w->sync_status != SG_OK;
}

void cli_progress_task_end(cli_progress_task *w)
{
    cli_stop_sync_end(&w->stop_sync);
    cli_progress_bar_end(&w->bar);
}
