/* status.h: how a function says that it failed, and why. */
#ifndef SG_BASE_STATUS_H
#define SG_BASE_STATUS_H

#include "sugeno.h"

/* Stores the sentence for sg_errmsg() and returns st: `return sg_fail(SG_EIO, "%s: ...", path);`
 * A macro, so that compilers and analysers see that what comes back is st, and not SG_OK. */
#define sg_fail(st, ...) (sg_set_error(__VA_ARGS__), sg_status_identity(st))
__attribute__((format(printf, 1, 2))) void sg_set_error(const char *format, ...);
static inline sg_status sg_status_identity(sg_status st) { return st; }

/* Copies at most size - 1 bytes of text so that it can stand in a message: control characters
 * and broken UTF-8 become '?', long text ends in "...". Returns out. */
const char *sg_quote_excerpt(const char *text, size_t length, char *out, size_t size);

/* A sentence as a terminal may have it (sg_escape_char), cut where there is no more room. Returns out. */
const char *sg_escape_message(const char *text, char *out, size_t size);

#endif
