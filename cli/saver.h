/* saver.h: when a training is saved to --checkpoint: every few seconds and when it ends. Without the option,
 * never. */
#ifndef SUGENO_CLI_SAVER_H
#define SUGENO_CLI_SAVER_H

#include "bar.h"
#include "cli.h"

typedef struct cli_saver {
    const cli_call *call;
    const char *path; /* "": never                                    */
    double every;     /* seconds                                      */
    double due;       /* as of cli_now                                */
    size_t saved;     /* iteration of the file, 0: there is none      */
    bool failing;     /* the last attempt failed, and that was said   */
} cli_saver;

void cli_saver_start(cli_saver *s, const cli_call *c, size_t iteration);
/* Saves when it is due: call it after each step. A failure is a notice: the training goes on, and what was
 * saved before stays. */
void cli_saver_step(cli_saver *s, sg_trainer *t, size_t iteration, cli_bar *bar);
/* Saves what is not saved yet. */
void cli_saver_end(cli_saver *s, sg_trainer *t, size_t iteration, cli_bar *bar);
/* The model is written: the checkpoint is of no more use. */
void cli_saver_forget(const cli_call *c);

#endif
