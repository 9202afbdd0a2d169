/* python_literal.c: a parser for the Python literals in .npy headers, and a UTF-8 encoder. */
#include "data/format/npy/python_literal.h"

#include "data/read_options.h"

#include <string.h>

size_t sg_utf8_encode(uint32_t code, char to[4])
{
    static const unsigned char lead[] = {0, 0xc0, 0xe0, 0xf0};
    if (code > 0x10ffff || (code >= 0xd800 && code < 0xe000)) return 0;
    size_t n = code < 0x80 ? 1 : code < 0x800 ? 2 : code < 0x10000 ? 3 : 4;
    for (size_t i = n - 1; i > 0; i--, code >>= 6) to[i] = (char)(0x80 | (code & 0x3f));
    to[0] = (char)(lead[n - 1] | code);
    return n;
}

uint32_t sg_utf8_decode(const char *text, size_t length, size_t *bytes)
{
    static const unsigned char mask[] = {0, 0x7f, 0x1f, 0x0f, 0x07};
    *bytes = sg_utf8_char_length(text, length);
    if (*bytes == 0) *bytes = 1; /* invalid: consume one byte */
    uint32_t code = (unsigned char)text[0] & mask[*bytes];
    for (size_t i = 1; i < *bytes; i++) code = code << 6 | ((unsigned char)text[i] & 0x3f);
    return code;
}

bool sg_utf8_append(sg_text *out, uint32_t code)
{
    char byte[4];
    size_t n = sg_utf8_encode(code, byte);
    sg_text_append_bytes(out, byte, n);
    return n > 0;
}

sg_status sg_py_literal_fail(const sg_py_literal *l, const char *what)
{
    char found[32];
    size_t left = (size_t)(l->end - l->at);
    sg_quote_excerpt(l->at, left < 12 ? left : 12, found, sizeof found);
    return sg_fail(SG_EDATA, "%s: damaged header: expected %s at character %zu, got \"%s\"", l->file, what,
                   (size_t)(l->at - l->start) + 1, found);
}

static void skip_blanks(sg_py_literal *l)
{
    while (l->at < l->end && strchr(" \t\r\n", *l->at) && *l->at) l->at++;
}

bool sg_py_literal_accept(sg_py_literal *l, char sign)
{
    skip_blanks(l);
    if (l->at == l->end || *l->at != sign) return false;
    l->at++;
    return true;
}

sg_status sg_py_literal_expect(sg_py_literal *l, char sign)
{
    char what[] = {'\'', sign, '\'', '\0'};
    return sg_py_literal_accept(l, sign) ? SG_OK : sg_py_literal_fail(l, what);
}

sg_status sg_py_literal_expect_end(sg_py_literal *l)
{
    skip_blanks(l);
    return l->at == l->end ? SG_OK : sg_py_literal_fail(l, "the end of the header");
}

/* --- strings --- */

static int hex_digit(char c)
{
    static const char digits[] = "0123456789abcdef";
    const char *found = c ? strchr(digits, c | 0x20) : NULL; /* in lower case; digits do not change */
    return found ? (int)(found - digits) : -1;
}

static bool put_hex_escape(sg_py_literal *l, size_t digits, sg_text *out)
{
    uint32_t code = 0;
    if ((size_t)(l->end - l->at) < digits) return false;
    for (size_t i = 0; i < digits; i++) {
        int digit = hex_digit(l->at[i]);
        if (digit < 0) return false;
        code = code << 4 | (uint32_t)digit;
    }
    l->at += digits;
    return sg_utf8_append(out, code);
}

/* Parses the rest of an escape sequence after its backslash. Supports the sequences that repr() writes. */
static bool put_escape(sg_py_literal *l, sg_text *out)
{
    static const char letters[] = "\\'\"nrt", meant[] = "\\'\"\n\r\t";
    if (l->at == l->end) return false;
    char letter = *l->at++;
    const char *found = letter ? strchr(letters, letter) : NULL;
    if (found) sg_text_append_bytes(out, &meant[found - letters], 1);
    return found || (letter == 'x' && put_hex_escape(l, 2, out)) || (letter == 'u' && put_hex_escape(l, 4, out)) ||
           (letter == 'U' && put_hex_escape(l, 8, out));
}

sg_status sg_py_literal_string(sg_py_literal *l, sg_text *out)
{
    bool twice = sg_py_literal_accept(l, '"');
    if (!twice && !sg_py_literal_accept(l, '\'')) return sg_py_literal_fail(l, "a quoted string");
    sg_text_append(out, ""); /* creates the text even if the string is empty */
    for (char quote = twice ? '"' : '\''; l->at < l->end && *l->at != quote;) {
        const char *from = l->at++;
        if (*from != '\\') sg_text_append_bytes(out, from, 1);
        else if (!put_escape(l, out)) {
            l->at = from;
            return sg_py_literal_fail(l, "a valid escape sequence");
        }
    }
    if (l->at == l->end) return sg_py_literal_fail(l, "the end of the string");
    l->at++;
    if (out->failed) return sg_fail_read_memory(l->file);
    return SG_OK;
}

/* --- numbers and booleans --- */

sg_status sg_py_literal_integer(sg_py_literal *l, size_t *out)
{
    size_t value = 0;
    skip_blanks(l);
    const char *first = l->at;
    for (; l->at < l->end && *l->at >= '0' && *l->at <= '9'; l->at++)
        if (__builtin_mul_overflow(value, (size_t)10, &value) ||
            __builtin_add_overflow(value, (size_t)(*l->at - '0'), &value)) {
            l->at = first;
            return sg_py_literal_fail(l, "a smaller number");
        }
    if (l->at == first) return sg_py_literal_fail(l, "an integer");
    if (l->at < l->end && *l->at == 'L') l->at++; /* Python 2 wrote 10L */
    *out = value;
    return SG_OK;
}

sg_status sg_py_literal_bool(sg_py_literal *l, bool *out)
{
    skip_blanks(l);
    size_t left = (size_t)(l->end - l->at);
    bool yes = left >= 4 && memcmp(l->at, "True", 4) == 0;
    if (!yes && (left < 5 || memcmp(l->at, "False", 5) != 0)) return sg_py_literal_fail(l, "True or False");
    l->at += yes ? 4 : 5;
    *out = yes;
    return SG_OK;
}
