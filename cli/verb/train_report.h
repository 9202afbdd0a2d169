/* train_report.h: what train says when it is done. */
#ifndef SUGENO_CLI_VERB_TRAIN_REPORT_H
#define SUGENO_CLI_VERB_TRAIN_REPORT_H

#include "verb/training.h"

typedef struct cli_train_report {
    const cli_training *training;
    size_t rows;
    double train_rmse; /* of the model that is kept, on all training rows */
    const char *path;  /* of the model, NULL where it was not written     */
} cli_train_report;

void cli_train_report_print(const cli_command *c, const cli_train_report *r);

#endif
