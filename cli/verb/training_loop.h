/* training_loop.h: trains with a progress bar and checkpoints; Ctrl-C ends it and keeps the model so far. */
#pragma once

#include "cli.h"

typedef struct cli_training {
    sg_trainer *trainer; /* NULL after a search */
    sg_model *model;     /* the best iterate, the last one, or the last finite one */
    size_t iterations, planned;
    double seconds;
    bool interrupted;
    bool saved;                /* a checkpoint exists                               */
    bool diverged, unfinished; /* unfinished: computing support or intervals failed */
    char error_message[512];   /* if diverged or unfinished                         */
} cli_training;

/* Trains with any preset. With --checkpoint, resumes if the file exists. From the first step on, the first signal is
 * noted and does not end the program, so that the caller can write the model. Divergence and failed calibration are not
 * failures here, because there is a model (see diverged and unfinished). The caller releases *out in any case. */
sg_status cli_training_run(const cli_command *c, const sg_options *o, const sg_source *train, const sg_source *valid,
                           cli_training *out);
void cli_training_release(cli_training *t);
/* Removes the checkpoint, which is not needed after the model is written. */
void cli_checkpoint_remove(const cli_command *c);
