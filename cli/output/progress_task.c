/* progress_task.c: updates the progress bar and checks for Ctrl-C whenever the library polls. */
#include "output/progress_task.h"

#include <string.h>

sg_status cli_progress_task_start(cli_progress_task *w, const cli_command *c, const char *noun)
{
    *w = (cli_progress_task){.drawing = ATOMIC_FLAG_INIT, .percent = noun && strstr(noun, "percent")};
    cli_progress_bar_start(&w->bar, c->quiet);
    if (noun) w->bar.noun = noun;
    cli_interrupt_watch();
    return cli_stop_sync_start(&w->stop_sync, c, 0);
}

int cli_progress_task_poll(void *arg, size_t done, size_t planned)
{
    cli_progress_task *w = arg;
    if (!atomic_flag_test_and_set(&w->drawing)) {
        if (w->percent) cli_progress_bar_update(&w->bar, (size_t)((double)done / (double)planned * 100), 100);
        else cli_progress_bar_update(&w->bar, done, planned);
        atomic_flag_clear(&w->drawing);
    }
    return cli_stop_sync_poll(&w->stop_sync, done, &w->sync_status) || w->sync_status != SG_OK;
}

sg_status cli_progress_task_end(cli_progress_task *w, sg_status st)
{
    cli_stop_sync_end(&w->stop_sync);
    cli_progress_bar_end(&w->bar);
    return st == SG_OK ? w->sync_status : st;
}
