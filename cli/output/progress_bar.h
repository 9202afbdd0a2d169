/* progress_bar.h: shows the progress of long operations on standard error, as a bar on a terminal and as a line from
 * time to time otherwise. */
#pragma once

#include "sugeno.h"

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
/* Updates the bar if an update is due, so that it may be called often, but only by one thread at a time. */
void cli_progress_bar_update(cli_progress_bar *b, size_t done, size_t planned);
void cli_progress_bar_end(cli_progress_bar *b);
