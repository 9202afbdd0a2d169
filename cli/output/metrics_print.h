/* metrics_print.h: prints metrics as rows of a table and as JSON. */
#ifndef SUGENO_CLI_OUTPUT_METRICS_PRINT_H
#define SUGENO_CLI_OUTPUT_METRICS_PRINT_H

#include "cli.h"
#include "output/json_emit.h"

/* Writes the keys rmse, mae and r2 into the open object. */
void cli_metrics_json(cli_json *j, const sg_metrics *m);
/* Prints the header of a table, and a row that starts with a name. */
void cli_metrics_header(void);
void cli_metrics_row(const char *name, const sg_metrics *m);

#endif
