/* status.h: error status and messages. */
#pragma once

#include "sugeno.h"

/* Sets the message of sg_errmsg() and returns st, as in `return sg_fail(SG_EIO, "%s: ...", path);`. This is a macro so
 * that compilers and analysers see that the result is st, not SG_OK. */
#define sg_fail(st, ...) (sg_set_error(__VA_ARGS__), sg_status_identity(st))
__attribute__((format(printf, 1, 2))) void sg_set_error(const char *format, ...);
static inline sg_status sg_status_identity(sg_status st) { return st; }

/* Returns SG_ENOMEM after setting the message "out of memory for <what>". */
static inline sg_status sg_fail_out_of_memory(const char *what)
{
    return sg_fail(SG_ENOMEM, "out of memory for %s", what);
}

/* Copies at most size - 1 bytes of text to out, for use in a message. Control characters and invalid UTF-8 become '?';
 * a truncated text ends in "...". Returns out. */
const char *sg_quote_excerpt(const char *text, size_t length, char *out, size_t size);

/* Copies text to out, escaped for a terminal by sg_escape_char and truncated to size - 1 bytes. Returns out. */
const char *sg_escape_message(const char *text, char *out, size_t size);

/* Returns an excerpt of a string, in a buffer that is valid until the end of the enclosing block. Requires string.h. */
#define SG_EXCERPT(text) sg_quote_excerpt((text), strlen(text), (char[64]){0}, 64)
