/* metrics_print.h: metrics in tables and in JSON. */
#ifndef SUGENO_CLI_OUTPUT_METRICS_PRINT_H
#define SUGENO_CLI_OUTPUT_METRICS_PRINT_H

#include "cli.h"
#include "output/json_emit.h"

/* The keys rmse, mae, r2 in the object that is open. */
void cli_metrics_json(cli_json *j, const sg_metrics *m);
/* A table: its head, and rows that begin with a name. */
void cli_metrics_head(void);
void cli_metrics_row(const char *name, const sg_metrics *m);

#endif
