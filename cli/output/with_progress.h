/* with_progress.h: a long call of the library, with a progress bar and with Ctrl-C as a way to end it. */
#ifndef SUGENO_CLI_OUTPUT_WITH_PROGRESS_H
#define SUGENO_CLI_OUTPUT_WITH_PROGRESS_H

#include "mpi/mpi_run.h"
#include "output/progress_bar.h"

#include <stdatomic.h>

typedef struct cli_progress_task {
    cli_progress_bar bar;
    size_t scale;            /* work is shown as parts of so many; 0: as it is */
    atomic_flag drawing;     /* several threads ask, one of them draws         */
    cli_stop_sync stop_sync; /* of a team, which has one thread that asks      */
    sg_status sync_status;   /* of the pulse, or SG_OK                         */
} cli_progress_task;

/* From then on the first signal is noted, and no longer ends the program. */
sg_status cli_progress_task_start(cli_progress_task *w, const cli_command *c);
/* Work is shown in percent. */
void cli_progress_task_use_percent(cli_progress_task *w);
/* An sg_cancel_fn; arg is the watch. */
int cli_progress_task_poll(void *arg, size_t done, size_t planned);
void cli_progress_task_end(cli_progress_task *w);

#endif
