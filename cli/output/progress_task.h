/* progress_task.h: a long library call with a progress bar that Ctrl-C can cancel. */
#pragma once

#include "mpi/rank_sync.h"
#include "output/progress_bar.h"

#include <stdatomic.h>

typedef struct cli_progress_task {
    cli_progress_bar bar;
    bool percent;            /* show percentages instead of units of work   */
    atomic_flag drawing;     /* several threads may poll; one of them draws */
    cli_stop_sync stop_sync; /* with several ranks, only one thread polls   */
    sg_status sync_status;   /* status of stop_sync                         */
} cli_progress_task;

/* Starts the task. noun names what is counted; NULL counts iterations, and a noun that contains "percent" shows
 * percentages. From now on, the first signal is noted and does not end the program. */
sg_status cli_progress_task_start(cli_progress_task *w, const cli_command *c, const char *noun);
/* An sg_cancel_fn. arg is the task. */
int cli_progress_task_poll(void *arg, size_t done, size_t planned);
/* Ends the task. Returns st or, if st is SG_OK, the status of the communication between ranks. */
sg_status cli_progress_task_end(cli_progress_task *w, sg_status st);
