/* training.h: a whole training run, with a progress bar and with Ctrl-C as a way to end it. */
#ifndef SUGENO_CLI_VERB_TRAINING_H
#define SUGENO_CLI_VERB_TRAINING_H

#include "cli.h"

typedef struct cli_training {
    sg_trainer *trainer; /* NULL after a search */
    sg_model *model;     /* the best iterate, or the last one, or the last finite one */
    size_t iterations, planned;
    double seconds;
    bool interrupted, diverged;
    bool uncalibrated;       /* what --intervals asks for could not be learnt */
    bool saved;              /* there is a checkpoint to go on from */
    char error_message[512]; /* the sentence, where it diverged or is unsure */
} cli_training;

/* With --checkpoint it goes on from the file, if there is one. From its first step on the first signal is noted and no
 * longer ends the program, so that what shall be kept can be written and reported. Divergence is no failure here, as
 * there is a model: see diverged; nor is a model without intervals: see unsure. */
sg_status cli_training_run(const cli_command *c, const sg_options *o, const sg_source *train, const sg_source *valid,
                           cli_training *out);
/* Due in any case. */
void cli_training_release(cli_training *t);

#endif
