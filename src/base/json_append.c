/* json_append.c: formats numbers, strings and arrays as JSON. */
#include "base/json_append.h"

#include <math.h>
#include <stdarg.h>
#include <string.h>

static void append_number(sg_text *t, double value)
{
    if (isfinite(value)) sg_text_append_number(t, value);
    else sg_text_append(t, "null");
}

void sg_json_append(sg_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    for (const char *next; *format; format = next) {
        next = format + strcspn(format, "%");
        sg_text_append_bytes(t, format, (size_t)(next - format));
        if (strncmp(next, "%s", 2) == 0) sg_text_append_json(t, va_arg(args, const char *));
        else if (strncmp(next, "%g", 2) == 0) append_number(t, va_arg(args, double));
        else if (strncmp(next, "%zu", 3) == 0) sg_text_append_format(t, "%zu", va_arg(args, size_t));
        if (*next) next += next[1] == 'z' ? 3 : 2;
    }
    va_end(args);
}

void sg_json_append_numbers(sg_text *t, const double *x, size_t n, size_t stride)
{
    sg_text_append(t, "[");
    for (size_t i = 0; i < n; i++) {
        if (i) sg_text_append(t, ", ");
        append_number(t, x[i * stride]);
    }
    sg_text_append(t, "]");
}

void sg_json_append_list(sg_text *t, const char *name, const double *x, size_t n)
{
    sg_json_append(t, ", %s: ", name);
    sg_json_append_numbers(t, x, n, 1);
}
