/* checkpoint_timer.h: when a training is saved to --checkpoint: every few seconds and when it ends. Without the option,
 * never. */
#ifndef SUGENO_CLI_VERB_CHECKPOINT_TIMER_H
#define SUGENO_CLI_VERB_CHECKPOINT_TIMER_H

#include "cli.h"
#include "output/progress_bar.h"

typedef struct cli_checkpoint_timer {
    const cli_command *call;
    const char *path;       /* "": never                                    */
    double interval;        /* seconds                                      */
    double next_save;       /* as of cli_now                                */
    size_t saved_iteration; /* iteration of the file, 0: there is none      */
    bool failing;           /* the last attempt failed, and that was said   */
} cli_checkpoint_timer;

void cli_checkpoint_timer_start(cli_checkpoint_timer *s, const cli_command *c, size_t iteration);
/* Saves when it is due: call it after each step. A failure is a notice: the training goes on, and what was
 * saved before stays. */
void cli_checkpoint_timer_step(cli_checkpoint_timer *s, sg_trainer *t, size_t iteration, cli_progress_bar *bar);
/* Saves what is not saved yet. */
void cli_checkpoint_timer_end(cli_checkpoint_timer *s, sg_trainer *t, size_t iteration, cli_progress_bar *bar);
/* The model is written: the checkpoint is of no more use. */
void cli_checkpoint_remove(const cli_command *c);

#endif
