/* left_out.h: the rows that cross-validation left out, with what was predicted of them, as CSV: row and fold, both
 * from 1, targets, predictions. */
#ifndef SUGENO_CLI_LEFT_OUT_H
#define SUGENO_CLI_LEFT_OUT_H

#include "sugeno.h"

typedef struct cli_left_out {
    const char *path;
    const char *const *targets; /* (outputs): names */
    size_t outputs;
    sg_output *out; /* NULL before the first row */
} cli_left_out;

sg_status cli_left_out_put(cli_left_out *l, size_t row, size_t fold, const double *targets, const double *predictions);
/* After the last row: the file is there. Nothing where there was no row. */
sg_status cli_left_out_commit(cli_left_out *l);
/* Otherwise. */
void cli_left_out_abandon(cli_left_out *l);

#endif
