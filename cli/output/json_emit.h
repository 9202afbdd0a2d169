/* json_emit.h: writes one JSON object to standard output piece by piece. */
#pragma once

#include "sugeno.h"

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_json {
    bool comma; /* the next item needs a comma before it */
    int depth;  /* open brackets */
} cli_json;

/* key is NULL inside an array and for the outermost value. bracket is '{' or '['. Closing the outermost bracket ends
 * the line. */
void cli_json_open(cli_json *j, const char *key, char bracket);
void cli_json_close(cli_json *j, char bracket);
void cli_json_text(cli_json *j, const char *key, const char *text); /* NULL becomes null            */
void cli_json_number(cli_json *j, const char *key, double value);   /* NaN and infinity become null */
void cli_json_count(cli_json *j, const char *key, size_t value);
void cli_json_flag(cli_json *j, const char *key, bool value);
/* Writes the keys rmse, mae and r2 into the open object. */
void cli_json_metrics(cli_json *j, const sg_metrics *m);
/* Writes {"rows": rows, key: path}, the summary of a verb that has written a file. */
void cli_json_file_summary(size_t rows, const char *key, const char *path);
