/* text.h: a growing text, numbers to and from text, UTF-8. Independent of the locale. */
#ifndef SG_BASE_TEXT_H
#define SG_BASE_TEXT_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

/* A text that grows. Out of memory is remembered: append freely, check `failed` once at the end. */
typedef struct sg_text {
    char *bytes; /* NUL-ended once something was appended */
    size_t length, room;
    bool failed;
} sg_text;

void sg_text_bytes(sg_text *t, const char *bytes, size_t n);
void sg_text_add(sg_text *t, const char *text);
__attribute__((format(printf, 2, 3))) void sg_text_format(sg_text *t, const char *format, ...);
/* The shortest decimal that reads back as the same double. */
void sg_text_number(sg_text *t, double value);
/* With `digits` significant digits, for people. */
void sg_text_rounded(sg_text *t, double value, int digits);
/* For a terminal, which acts on none of it: see sg_shown. */
void sg_text_shown(sg_text *t, const char *text);
/* A JSON string with its quotes. */
void sg_text_json(sg_text *t, const char *text);
void sg_text_release(sg_text *t);

enum { SG_NUMBER_SIZE = 32 };
/* As sg_text_number and sg_text_rounded, into a buffer. Both return buf. */
const char *sg_number_shortest(double value, char buf[SG_NUMBER_SIZE]);
const char *sg_number_rounded(double value, int digits, char buf[SG_NUMBER_SIZE]);

typedef enum sg_number { SG_NUMBER_OK, SG_NUMBER_NOT, SG_NUMBER_RANGE } sg_number;
/* All n bytes as one decimal number, correctly rounded; NOT for anything else (also inf, nan and
 * hexadecimal), RANGE where it is beyond the largest double. */
sg_number sg_number_parse(const char *text, size_t n, double *out);

/* Bytes of the valid UTF-8 character at text, 0 where there is none. */
size_t sg_utf8_length(const char *text, size_t n);
bool sg_is_utf8(const char *text, size_t n);

#endif
