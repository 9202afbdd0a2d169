/* csv_emit.h: writes CSV to a file piece by piece. After a failed write, the writer ignores all subsequent calls, so
 * that callers need to check its status only once per row or at the end. */
#pragma once

#include "sugeno.h"

typedef struct cli_csv {
    sg_atomic_file *file; /* NULL if not open */
    sg_status status;     /* of the first call that failed, or SG_OK */
} cli_csv;

/* Opens a file; "" and "-" are standard output. */
void cli_csv_open(cli_csv *w, const char *path);
/* Writes text without quoting. */
void cli_csv_text(cli_csv *w, const char *text);
/* Writes prefix and name as one cell, quoted if necessary. */
void cli_csv_name(cli_csv *w, const char *prefix, const char *name);
/* Writes a line number or index. */
void cli_csv_count(cli_csv *w, size_t value);
/* Writes n numbers separated by commas. */
void cli_csv_numbers(cli_csv *w, const double *value, size_t n);
/* Commits the file if st and all writes succeeded, and discards it otherwise. Returns the first failure, or SG_OK. */
sg_status cli_csv_close(cli_csv *w, sg_status st);
