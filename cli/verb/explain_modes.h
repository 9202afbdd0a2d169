/* explain_modes.h: the modes of sugeno explain. Each function prints its result and returns an exit code. */
#ifndef SUGENO_CLI_VERB_EXPLAIN_MODES_H
#define SUGENO_CLI_VERB_EXPLAIN_MODES_H

#include "cli.h"

/* Writes the terms of the rows [first, first + n). */
int cli_explain_csv(const cli_command *c, const sg_model *m, const sg_source *rows, size_t first, size_t n);
int cli_explain_importance(const cli_command *c, const sg_model *m, const sg_source *rows);
int cli_explain_partial(const cli_command *c, const sg_model *m, const sg_source *rows, size_t input);

#endif
