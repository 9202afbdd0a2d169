/* json_append.h: appends JSON to a text. */
#pragma once

#include "base/text.h"

/* Appends `format`, with the conversions of printf written as JSON values: %s is a quoted string, %g the shortest
 * number that reads back as the same double, or null if it is not finite, %zu an integer. There are no others, and no
 * flags. */
__attribute__((format(printf, 2, 3))) void sg_json_append(sg_text *t, const char *format, ...);
/* Appends the array [x[0], x[stride], ...] of n numbers; null for one that is not finite. */
void sg_json_append_numbers(sg_text *t, const double *x, size_t n, size_t stride);
/* Appends `, "name": ` and the array of n numbers. */
void sg_json_append_list(sg_text *t, const char *name, const double *x, size_t n);
