/* terminal_escape.c: escapes control characters for a terminal. Column names may contain any bytes. */
#include "base/text.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

/* Returns the code point of a valid UTF-8 character of the given length. */
static uint32_t decode_utf8(const unsigned char *p, size_t bytes)
{
    static const unsigned char first[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    uint32_t c = p[0] & first[bytes];
    for (size_t i = 1; i < bytes; i++) c = c << 6 | (p[i] & 0x3f);
    return c;
}

/* Returns whether a terminal would interpret the character: a control character, a line separator, or a mark for
 * bidirectional text. */
static bool is_control(uint32_t c)
{
    if (c < 0x20 || (c >= 0x7f && c < 0xa0)) return true;
    return c == 0x200e || c == 0x200f || (c >= 0x2028 && c <= 0x202e) || (c >= 0x2066 && c <= 0x2069) || c == 0xfeff;
}

size_t sg_escape_char(const char *text, char out[SG_ESCAPE_SIZE])
{
    static const char *const known[] = {['\t'] = "\\t", ['\n'] = "\\n", ['\r'] = "\\r"};
    if (!*text) return 0;
    size_t bytes = sg_utf8_char_length(text, strnlen(text, 4));
    uint32_t c = bytes ? decode_utf8((const unsigned char *)text, bytes) : (unsigned char)*text;
    if (bytes && !is_control(c)) {
        memcpy(out, text, bytes);
        out[bytes] = '\0';
    } else if (bytes && c < sizeof known / sizeof *known && known[c]) {
        snprintf(out, SG_ESCAPE_SIZE, "%s", known[c]);
    } else {
        snprintf(out, SG_ESCAPE_SIZE, bytes > 1 ? "\\u%04x" : "\\x%02x", c & 0xffff);
    }
    return bytes ? bytes : 1;
}

void sg_text_append_escaped(sg_text *t, const char *text)
{
    char one[SG_ESCAPE_SIZE];
    for (size_t n; (n = sg_escape_char(text, one)); text += n) sg_text_append(t, one);
}
