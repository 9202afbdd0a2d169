/* json_emit.h: one JSON object, written to standard output piece by piece. */
#ifndef SUGENO_CLI_OUTPUT_JSON_EMIT_H
#define SUGENO_CLI_OUTPUT_JSON_EMIT_H

#include <stdbool.h>
#include <stddef.h>

typedef struct cli_json {
    bool comma; /* something stands before what comes next */
} cli_json;

/* key NULL: inside an array, or the outermost value. bracket is '{' or '['. */
void cli_json_open(cli_json *j, const char *key, char bracket);
void cli_json_close(cli_json *j, char bracket);
void cli_json_text(cli_json *j, const char *key, const char *text); /* NULL: null */
void cli_json_number(cli_json *j, const char *key, double value);   /* NaN: null  */
void cli_json_count(cli_json *j, const char *key, size_t value);
void cli_json_flag(cli_json *j, const char *key, bool value);

#endif
