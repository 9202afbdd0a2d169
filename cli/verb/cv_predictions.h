/* cv_predictions.h: the rows that cross-validation left out, with what was predicted of them, as CSV: row and fold,
 * both from 1, targets, predictions. */
#ifndef SUGENO_CLI_VERB_CV_PREDICTIONS_H
#define SUGENO_CLI_VERB_CV_PREDICTIONS_H

#include "sugeno.h"

typedef struct cli_cv_predictions {
    const char *path;
    const char *const *targets; /* (outputs): names */
    size_t outputs;
    sg_atomic_file *out; /* NULL before the first row */
} cli_cv_predictions;

sg_status cli_cv_predictions_write(cli_cv_predictions *l, size_t row, size_t fold, const double *targets,
                                   const double *predictions);
/* After the last row: the file is there. Nothing where there was no row. */
sg_status cli_cv_predictions_commit(cli_cv_predictions *l);
/* Otherwise. */
void cli_cv_predictions_abandon(cli_cv_predictions *l);

#endif
