/* text.c: growing strings, JSON strings and UTF-8. */
#include "base/text.h"

#include "base/memory.h"

#include <stdarg.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

void sg_text_append_bytes(sg_text *t, const char *bytes, size_t n)
{
    if (t->failed) return;
    if (n > SIZE_MAX - t->length - 1 || !sg_array_reserve(&t->bytes, &t->capacity, t->length + n + 1, 1)) {
        t->failed = true;
        return;
    }
    if (n) memcpy(t->bytes + t->length, bytes, n);
    t->length += n;
    t->bytes[t->length] = '\0';
}

void sg_text_append(sg_text *t, const char *text) { sg_text_append_bytes(t, text, strlen(text)); }

void sg_text_append_format(sg_text *t, const char *format, ...)
{
    va_list args;
    va_start(args, format);
    va_list again;
    va_copy(again, args);
    int n = vsnprintf(NULL, 0, format, args);
    va_end(args);
    if (n < 0 || t->failed || !sg_array_reserve(&t->bytes, &t->capacity, t->length + (size_t)n + 1, 1)) {
        t->failed = true;
    } else {
        vsnprintf(t->bytes + t->length, (size_t)n + 1, format, again);
        t->length += (size_t)n;
    }
    va_end(again);
}

void sg_text_append_number(sg_text *t, double value)
{
    char buf[SG_NUMBER_BUFFER_SIZE];
    sg_text_append(t, sg_number_format_shortest(value, buf));
}

void sg_text_append_rounded(sg_text *t, double value, int digits)
{
    char buf[SG_NUMBER_BUFFER_SIZE];
    sg_text_append(t, sg_number_format_rounded(value, digits, buf));
}

void sg_text_append_json(sg_text *t, const char *text)
{
    sg_text_append(t, "\"");
    for (const char *p = text; *p; p++) {
        unsigned char c = (unsigned char)*p;
        if (c == '"' || c == '\\') sg_text_append_format(t, "\\%c", c);
        else if (c < 0x20 || c == 0x7f) sg_text_append_format(t, "\\u%04x", c);
        else sg_text_append_bytes(t, p, 1);
    }
    sg_text_append(t, "\"");
}

void sg_text_release(sg_text *t)
{
    free(t->bytes);
    *t = (sg_text){0};
}

sg_status sg_text_finish(sg_text *t, const char *what, char **out)
{
    if (t->failed) {
        sg_text_release(t);
        return sg_fail(SG_ENOMEM, "out of memory for %s", what);
    }
    *out = t->bytes;
    *t = (sg_text){0};
    return SG_OK;
}

size_t sg_utf8_char_length(const char *text, size_t n)
{
    const unsigned char *p = (const unsigned char *)text;
    if (n == 0) return 0;
    if (p[0] < 0x80) return 1;
    size_t need = p[0] >= 0xf0 ? 4 : p[0] >= 0xe0 ? 3 : 2;
    if (p[0] < 0xc2 || p[0] > 0xf4 || n < need) return 0;
    for (size_t i = 1; i < need; i++)
        if ((p[i] & 0xc0) != 0x80) return 0;
    if (p[0] == 0xe0 && p[1] < 0xa0) return 0; /* overlong */
    if (p[0] == 0xed && p[1] > 0x9f) return 0; /* surrogate */
    if (p[0] == 0xf0 && p[1] < 0x90) return 0;
    if (p[0] == 0xf4 && p[1] > 0x8f) return 0; /* beyond U+10FFFF */
    return need;
}

bool sg_is_utf8(const char *text, size_t n)
{
    size_t bytes = 1;
    for (size_t i = 0; i < n && bytes; i += bytes) bytes = sg_utf8_char_length(text + i, n - i);
    return bytes > 0;
}
