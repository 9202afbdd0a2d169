/* status.c: stores the message that sg_errmsg() returns, one per thread. */
#include "base/status.h"

#include "base/text.h"

#include <stdarg.h>
#include <stdio.h>
#include <string.h>

static _Thread_local char message[1024];

const char *sg_version(void) { return SG_VERSION; }

const char *sg_errmsg(void) { return message; }

void sg_set_errmsg(const char *sentence) { sg_set_error("%s", sentence); }

void sg_set_error(const char *format, ...)
{
    char text[sizeof message]; /* sg_errmsg() itself may be an argument */
    va_list args;
    va_start(args, format);
    vsnprintf(text, sizeof text, format, args);
    va_end(args);
    sg_escape_message(text, message, sizeof message);
}

const char *sg_escape_message(const char *text, char *out, size_t size)
{
    char one[SG_ESCAPE_SIZE];
    size_t n = 0;
    for (size_t bytes; (bytes = sg_escape_char(text, one)) && n + strlen(one) < size; text += bytes) {
        memcpy(out + n, one, strlen(one));
        n += strlen(one);
    }
    out[n] = '\0';
    return out;
}

const char *sg_quote_excerpt(const char *text, size_t length, char *out, size_t size)
{
    size_t n = 0, i = 0;
    while (i < length) {
        size_t bytes = sg_utf8_char_length(text + i, length - i);
        size_t step = bytes ? bytes : 1;
        if (n + step + 4 > size) {
            memcpy(out + n, "...", 3);
            n += 3;
            break;
        }
        if (bytes > 1) memcpy(out + n, text + i, bytes);
        else out[n] = bytes == 1 && text[i] >= ' ' && text[i] != 127 ? text[i] : '?';
        n += step;
        i += step;
    }
    out[n] = '\0';
    return out;
}
