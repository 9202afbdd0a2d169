/* progress_bar.h: shows the progress of long operations on standard error, as a bar on a terminal and as a line from
 * time to time otherwise. */
#pragma once

#include "mpi/rank_sync.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct cli_progress_bar {
    bool enabled, terminal, drawn;
    const char *noun;              /* used in plain lines: "sugeno: iteration 7/500" */
    double started, due;           /* times returned by cli_now                      */
    size_t resumed_at;             /* iterations done before the start               */
    double train_rmse, valid_rmse; /* NaN if unknown; train_rmse is smoothed         */
} cli_progress_bar;

/* Returns the time of a monotonic clock in seconds. */
double cli_now(void);
void cli_progress_bar_start(cli_progress_bar *b, bool quiet);
/* Updates the errors and the bar after a training step. */
void cli_progress_bar_step(cli_progress_bar *b, const sg_progress *p);
/* Updates the bar if an update is due. It may be called often, but only by one thread at a time. */
void cli_progress_bar_update(cli_progress_bar *b, size_t done, size_t planned);
void cli_progress_bar_end(cli_progress_bar *b);

/* A long library call with a progress bar that Ctrl-C can cancel. */
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
