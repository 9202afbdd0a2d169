/* progress_bar.h: shows the progress of long operations on standard error: a bar on a terminal, otherwise a line from
 * time to time. */
#pragma once

#include "sugeno.h"

#include <stdbool.h>

typedef struct cli_progress_bar {
    bool enabled, terminal, drawn;
    const char *noun;              /* of the plain lines: "sugeno: iteration 7/500" */
    double started, due;           /* in seconds of cli_now                         */
    size_t resumed_at;             /* iterations made before the start              */
    double train_rmse, valid_rmse; /* NaN if unknown; train_rmse is smoothed        */
} cli_progress_bar;

/* Returns the monotonic clock in seconds. */
double cli_now(void);
void cli_progress_bar_start(cli_progress_bar *b, bool quiet);
/* Updates the errors after a training step, and the bar. */
void cli_progress_bar_step(cli_progress_bar *b, const sg_progress *p);
/* Updates the bar if it is due, so it may be called often. Call it from one thread at a time. */
void cli_progress_bar_update(cli_progress_bar *b, size_t done, size_t planned);
void cli_progress_bar_end(cli_progress_bar *b);
