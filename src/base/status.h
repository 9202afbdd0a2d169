/* status.h: how a function says that it failed, and why. */
#ifndef SG_BASE_STATUS_H
#define SG_BASE_STATUS_H

#include "sugeno.h"

/* Stores the sentence for sg_errmsg() and returns st: `return sg_fail(SG_EIO, "%s: ...", path);`
 * A macro, so that compilers and analysers see that what comes back is st, and not SG_OK. */
#define sg_fail(st, ...) (sg_say(__VA_ARGS__), sg_same(st))
__attribute__((format(printf, 1, 2))) void sg_say(const char *format, ...);
static inline sg_status sg_same(sg_status st) { return st; }

/* Copies at most size - 1 bytes of text so that it can stand in a message: control characters
 * and broken UTF-8 become '?', long text ends in "...". Returns out. */
const char *sg_quotable(const char *text, size_t length, char *out, size_t size);

/* A sentence as a terminal may have it (sg_shown), cut where there is no more room. Returns out. */
const char *sg_sayable(const char *text, char *out, size_t size);

#endif
