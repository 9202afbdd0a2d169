/* progress_bar.h: how far a long piece of work is, on standard error: a line that is redrawn on a terminal,
 * plain lines now and then elsewhere. */
#ifndef SUGENO_CLI_OUTPUT_PROGRESS_BAR_H
#define SUGENO_CLI_OUTPUT_PROGRESS_BAR_H

#include "sugeno.h"

#include <stdbool.h>

typedef struct cli_progress_bar {
    bool enabled, terminal, drawn;
    const char *program, *noun;    /* of the plain lines: "sugeno: iteration 7/500" */
    double started, due;           /* seconds, as of cli_now */
    size_t resumed_at;             /* iterations that were made before it started */
    double train_rmse, valid_rmse; /* RMSE, NaN where there is none; train is smoothed */
} cli_progress_bar;

double cli_now(void);
void cli_progress_bar_start(cli_progress_bar *b, bool quiet);
/* Takes the figures of a training step, then shows as cli_progress_bar_show does. */
void cli_progress_bar_step(cli_progress_bar *b, const sg_progress *p);
/* Draws only when it is due: call it as often as you like, from one thread at a time. */
void cli_progress_bar_show(cli_progress_bar *b, size_t done, size_t planned);
void cli_progress_bar_end(cli_progress_bar *b);

#endif
