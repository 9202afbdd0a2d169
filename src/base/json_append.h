/* json_append.h: appends JSON to an sg_text. */
#pragma once

#include "base/text.h"

/* Appends `format`, in which JSON values replace the conversions of printf: a quoted string for %s, an integer for %zu,
 * and for %g the shortest number that parses to the same double, or null if it is not finite. Flags and other
 * conversions are not supported. */
__attribute__((format(printf, 2, 3))) void sg_json_append(sg_text *t, const char *format, ...);
/* Appends the array [x[0], x[stride], ...] of n numbers. A number that is not finite is written as null. */
void sg_json_append_numbers(sg_text *t, const double *x, size_t n, size_t stride);
/* Appends `, "name": ` and the array of the n numbers x. */
void sg_json_append_list(sg_text *t, const char *name, const double *x, size_t n);
