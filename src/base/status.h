/* status.h: error status and messages. */
#pragma once

#include "sugeno.h"

/* Sets the message of sg_errmsg() and returns st: `return sg_fail(SG_EIO, "%s: ...", path);` A macro, so that compilers
 * and analysers see that the result is st, not SG_OK. */
#define sg_fail(st, ...) (sg_set_error(__VA_ARGS__), sg_status_identity(st))
__attribute__((format(printf, 1, 2))) void sg_set_error(const char *format, ...);
static inline sg_status sg_status_identity(sg_status st) { return st; }

/* Fails with "out of memory for <what>". */
static inline sg_status sg_fail_out_of_memory(const char *what)
{
    return sg_fail(SG_ENOMEM, "out of memory for %s", what);
}

/* Copies an excerpt of text for a message, at most size - 1 bytes. Control characters and invalid UTF-8 become '?';
 * long text ends in "...". Returns out. */
const char *sg_quote_excerpt(const char *text, size_t length, char *out, size_t size);

/* Escapes a message for a terminal (sg_escape_char) and truncates it to size - 1 bytes. Returns out. */
const char *sg_escape_message(const char *text, char *out, size_t size);

/* sg_quote_excerpt of a string, in a buffer that is valid until the end of the enclosing block. Needs string.h. */
#define SG_EXCERPT(text) sg_quote_excerpt((text), strlen(text), (char[64]){0}, 64)
