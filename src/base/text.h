/* text.h: a growing text, numbers to and from text, UTF-8. Independent of the locale. */
#ifndef SG_BASE_TEXT_H
#define SG_BASE_TEXT_H

#include "base/status.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text that grows. Out of memory is remembered: append freely, check `failed` once at the end. */
typedef struct sg_text {
    char *bytes; /* NUL-ended once something was appended */
    size_t length, capacity;
    bool failed;
} sg_text;

void sg_text_append_bytes(sg_text *t, const char *bytes, size_t n);
void sg_text_append(sg_text *t, const char *text);
__attribute__((format(printf, 2, 3))) void sg_text_append_format(sg_text *t, const char *format, ...);
/* The shortest decimal that reads back as the same double. */
void sg_text_append_number(sg_text *t, double value);
/* With `digits` significant digits, for people. */
void sg_text_append_rounded(sg_text *t, double value, int digits);
/* For a terminal, which acts on none of it: see sg_escape_char. */
void sg_text_append_escaped(sg_text *t, const char *text);
/* A JSON string with its quotes. */
void sg_text_append_json(sg_text *t, const char *text);
void sg_text_release(sg_text *t);
/* Hands the bytes over to the caller, which frees *out, and empties t. Fails with "out of memory for <what>" if an
 * append failed. */
sg_status sg_text_finish(sg_text *t, const char *what, char **out);

enum { SG_NUMBER_BUFFER_SIZE = 32 };
/* As sg_text_append_number and sg_text_append_rounded, into a buffer. Both return buf. */
const char *sg_number_format_shortest(double value, char buf[SG_NUMBER_BUFFER_SIZE]);
const char *sg_number_format_rounded(double value, int digits, char buf[SG_NUMBER_BUFFER_SIZE]);

typedef enum sg_number_result { SG_NUMBER_OK, SG_NUMBER_INVALID, SG_NUMBER_OUT_OF_RANGE } sg_number_result;
/* All n bytes as one decimal number, correctly rounded; NOT for anything else (also inf, nan and
 * hexadecimal), RANGE where it is beyond the largest double. */
sg_number_result sg_number_parse(const char *text, size_t n, double *out);

/* Bytes of the valid UTF-8 character at text, 0 where there is none. */
size_t sg_utf8_char_length(const char *text, size_t n);
bool sg_is_utf8(const char *text, size_t n);

#endif
