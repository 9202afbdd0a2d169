/* text.h: growing strings, conversion between numbers and text, and UTF-8, all independent of the locale. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A growing string. If memory is exhausted, `failed` is set and later appends do nothing, so one check is enough. */
typedef struct sg_text {
    char *bytes; /* NUL-terminated after the first append */
    size_t length, capacity;
    bool failed;
} sg_text;

void sg_text_append_bytes(sg_text *t, const char *bytes, size_t n);
void sg_text_append(sg_text *t, const char *text);
__attribute__((format(printf, 2, 3))) void sg_text_append_format(sg_text *t, const char *format, ...);
/* Appends the shortest decimal that parses to the same double. */
void sg_text_append_number(sg_text *t, double value);
/* Appends the number rounded to `digits` significant digits. */
void sg_text_append_rounded(sg_text *t, double value, int digits);
/* Appends the text, escaped for a terminal by sg_escape_char. */
void sg_text_append_escaped(sg_text *t, const char *text);
/* Appends the text as a JSON string, with quotes. */
void sg_text_append_json(sg_text *t, const char *text);
void sg_text_release(sg_text *t);
/* Moves the text to *out, which the caller frees, and empties t. Fails with "out of memory for <what>" if an append
 * failed. */
sg_status sg_text_finish(sg_text *t, const char *what, char **out);

enum { SG_NUMBER_BUFFER_SIZE = 32 };
/* Like sg_text_append_number and sg_text_append_rounded, but write to buf and return it. */
const char *sg_number_format_shortest(double value, char buf[SG_NUMBER_BUFFER_SIZE]);
const char *sg_number_format_rounded(double value, int digits, char buf[SG_NUMBER_BUFFER_SIZE]);

typedef enum sg_number_result { SG_NUMBER_OK, SG_NUMBER_INVALID, SG_NUMBER_OUT_OF_RANGE } sg_number_result;
/* Parses all n bytes as one decimal number, correctly rounded. Returns SG_NUMBER_INVALID for any other text (such as
 * inf, nan or hexadecimal), and SG_NUMBER_OUT_OF_RANGE if the number exceeds the largest double. */
sg_number_result sg_number_parse(const char *text, size_t n, double *out);

/* Returns the length of the first UTF-8 character of text, which has n bytes, or 0 if the character is invalid. */
size_t sg_utf8_char_length(const char *text, size_t n);
bool sg_is_utf8(const char *text, size_t n);
