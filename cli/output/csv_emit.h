/* csv_emit.h: CSV, written to an output piece by piece. */
#ifndef SUGENO_CLI_OUTPUT_CSV_EMIT_H
#define SUGENO_CLI_OUTPUT_CSV_EMIT_H

#include "sugeno.h"

sg_status cli_csv_text(sg_atomic_file *o, const char *text);
/* prefix and name as one cell: in quotes, each quote in it twice; or as it is where nothing in it needs them. */
sg_status cli_csv_name(sg_atomic_file *o, const char *prefix, const char *name);
/* Numbers with commas between them. */
sg_status cli_csv_numbers(sg_atomic_file *o, const double *value, size_t n);

#endif
