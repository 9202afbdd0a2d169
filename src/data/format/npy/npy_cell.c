/* npy_cell.c: converts cells of .npy files to doubles. Strings have a fixed length and are padded with NUL. */
#include "data/format/npy/npy_cell.h"

#include "base/text.h"
#include "data/format/npy/python_literal.h"

#include <math.h>
#include <string.h>

static uint32_t code_point(const char *from, bool big_endian)
{
    uint32_t code = 0;
    for (size_t i = 0; i < 4; i++) code = code << 8 | (unsigned char)from[big_endian ? i : 3 - i];
    return code;
}

/* Returns the number of characters without the padding. */
static size_t text_length(const sg_npy_column *c, const char *cell)
{
    size_t width = c->text_type == 'U' ? 4 : 1, n = c->size / width;
    while (n > 0) {
        for (size_t i = 0; i < width; i++)
            if (cell[(n - 1) * width + i]) return n;
        n--;
    }
    return 0;
}

static ptrdiff_t copy_bytes(const char *cell, size_t n, char *to)
{
    if (!sg_is_utf8(cell, n)) return SG_NPY_TEXT_INVALID;
    memcpy(to, cell, n);
    return (ptrdiff_t)n;
}

static ptrdiff_t copy_code_points(const sg_npy_column *c, const char *cell, size_t n, char *to)
{
    char *at = to;
    for (size_t i = 0; i < n; i++) {
        size_t bytes = sg_utf8_encode(code_point(cell + 4 * i, c->big_endian), at);
        if (bytes == 0) return SG_NPY_TEXT_INVALID;
        at += bytes;
    }
    return at - to;
}

ptrdiff_t sg_npy_text_decode(const sg_npy_column *c, const char *cell, char *to)
{
    size_t n = text_length(c, cell), lead = 0;
    ptrdiff_t got = c->text_type == 'U' ? copy_code_points(c, cell, n, to) : copy_bytes(cell, n, to);
    if (got == SG_NPY_TEXT_INVALID) return got;
    size_t length = (size_t)got;
    for (size_t i = 0; i < length; i++)
        if ((unsigned char)to[i] < 0x20 || to[i] == 0x7f) to[i] = ' ';
    while (length > 0 && to[length - 1] == ' ') length--;
    while (lead < length && to[lead] == ' ') lead++;
    memmove(to, to + lead, length - lead);
    return (ptrdiff_t)(length - lead);
}

static double level_code(const sg_npy_column *c, const char *cell, char *text)
{
    double value;
    ptrdiff_t n = sg_npy_text_decode(c, cell, text);
    if (n == SG_NPY_TEXT_INVALID) return (double)NAN;
    if (sg_number_parse(text, (size_t)n, &value) == SG_NUMBER_OK) return sg_string_table_find_number(c->levels, value);
    return sg_string_table_find(c->levels, text, (size_t)n);
}

void sg_npy_decode(const sg_npy_column *c, const char *from, const size_t *row, size_t n, double *out, size_t pitch)
{
    char text[SG_NPY_TEXT_MAX];
    if (c->type) sg_number_decode(c->type, c->big_endian, from, c->stride, row, n, out, pitch);
    else
        for (size_t i = 0; i < n; i++) out[i * pitch] = level_code(c, from + (row ? row[i] : i) * c->stride, text);
}
