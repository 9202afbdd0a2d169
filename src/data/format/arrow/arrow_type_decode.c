/* arrow_type_decode.c: the table of Arrow types, and the conversions that number_type.c does not have: booleans, half
 * floats and decimals. */
#include "data/format/arrow/arrow_type_decode.h"

#include "base/text.h"
#include "data/format/number_type.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

/* --- half floats --- */

/* A half float consists of a sign bit, five bits of exponent and ten bits of fraction. */
static double half_to_double(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                 : ldexp(fraction, -24);
    return bits >> 15 ? -size : size;
}

/* --- decimals --- */

static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double decimal_by_text(wide size, int scale)
{
    enum { DIGITS = 40 };
    char text[DIGITS + 16], *at = text + DIGITS;
    double value;
    int behind = snprintf(at, 16, "e%d", -scale);
    do *--at = (char)('0' + (int)(size % 10));
    while (size /= 10);
    sg_number_result read = sg_number_parse(at, (size_t)(text + DIGITS - at + behind), &value);
    return read == SG_NUMBER_OK ? value : (double)INFINITY;
}

/* If doubles represent the digits and the power of ten exactly, their quotient is correctly rounded. Otherwise the
 * number is formatted and parsed, which also rounds correctly. */
static double decimal_to_double(wide size, bool negative, int scale)
{
    bool exact = size <= (wide)1 << 53 &&
                 (size_t)scale < sizeof power_of_ten / sizeof *power_of_ten; /* the cast makes a negative scale large */
    double value = exact ? (double)(uint64_t)size / power_of_ten[scale] : decimal_by_text(size, scale);
    return negative ? -value : value;
}

static double decimal64_to_double(int64_t value, int scale)
{
    return decimal_to_double(value < 0 ? -(wide)value : (wide)value, value < 0, scale);
}

static double decimal128_to_double(wide value, int scale)
{
    bool negative = value >> 127;
    return decimal_to_double(negative ? -value : value, negative, scale);
}

/* --- arrays --- */

#define DEFINE_DECODER(function, type, converted)                                                                      \
    static size_t function(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)           \
    {                                                                                                                  \
        size_t nonfinite = 0;                                                                                          \
        (void)scale;                                                                                                   \
        for (size_t i = 0; i < n; i++) {                                                                               \
            type value;                                                                                                \
            memcpy(&value, values + (first + i) * sizeof value, sizeof value);                                         \
            out[i * pitch] = converted;                                                                                \
            nonfinite += !isfinite(out[i * pitch]);                                                                    \
        }                                                                                                              \
        return nonfinite;                                                                                              \
    }

DEFINE_DECODER(decode_f16, uint16_t, half_to_double(value))
DEFINE_DECODER(decode_decimal32, int32_t, decimal64_to_double(value, scale))
DEFINE_DECODER(decode_decimal64, int64_t, decimal64_to_double(value, scale))
DEFINE_DECODER(decode_decimal128, wide, decimal128_to_double(value, scale))

static size_t decode_bool(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    (void)scale;
    for (size_t i = first; i < first + n; i++, out += pitch)
        *out = (double)(((const unsigned char *)values)[i / 8] >> i % 8 & 1);
    return 0;
}

/* --- the table --- */

/* "d32", "d64" and "d:" are decimals of 32, 64 and 128 bits; see parse_decimal_format. The last row matches any
 * format. */
static const sg_arrow_type types[] = {
    {"n", true, false, SG_ARROW_NULL, 0, NULL, NULL},
    {"b", true, false, SG_ARROW_NUMERIC, 2, NULL, decode_bool},
    {"c", true, true, SG_ARROW_NUMERIC, 2, "i1", NULL},
    {"C", true, true, SG_ARROW_NUMERIC, 2, "u1", NULL},
    {"s", true, true, SG_ARROW_NUMERIC, 2, "i2", NULL},
    {"S", true, true, SG_ARROW_NUMERIC, 2, "u2", NULL},
    {"i", true, true, SG_ARROW_NUMERIC, 2, "i4", NULL},
    {"I", true, true, SG_ARROW_NUMERIC, 2, "u4", NULL},
    {"l", true, true, SG_ARROW_NUMERIC, 2, "i8", NULL},
    {"L", true, true, SG_ARROW_NUMERIC, 2, "u8", NULL},
    {"e", true, false, SG_ARROW_NUMERIC, 2, NULL, decode_f16},
    {"f", true, false, SG_ARROW_NUMERIC, 2, "f4", NULL},
    {"g", true, false, SG_ARROW_NUMERIC, 2, "f8", NULL},
    {"u", true, false, SG_ARROW_STRING, 3, NULL, NULL},
    {"U", true, false, SG_ARROW_STRING, 3, NULL, NULL},
    {"vu", true, false, SG_ARROW_STRING, 3, NULL, NULL},
    {"tdD", true, false, SG_ARROW_TEMPORAL, 2, "i4", NULL},
    {"tts", true, false, SG_ARROW_TEMPORAL, 2, "i4", NULL},
    {"ttm", true, false, SG_ARROW_TEMPORAL, 2, "i4", NULL},
    {"ti", false, false, SG_ARROW_TEMPORAL, 2, NULL, NULL}, /* intervals, which have several fields */
    {"t", false, false, SG_ARROW_TEMPORAL, 2, "i8", NULL},
    {"d32", true, false, SG_ARROW_NUMERIC, 2, NULL, decode_decimal32},
    {"d64", true, false, SG_ARROW_NUMERIC, 2, NULL, decode_decimal64},
    {"d:", true, false, SG_ARROW_NUMERIC, 2, NULL, decode_decimal128},
    {"", false, false, SG_ARROW_OTHER, 0, NULL, NULL},
};

static const sg_arrow_type *find_type(const char *format)
{
    const sg_arrow_type *t = types;
    while (t->exact ? strcmp(format, t->format) != 0 : strncmp(format, t->format, strlen(t->format)) != 0) t++;
    return t;
}

/* Parses d:precision,scale or d:precision,scale,bits. */
static sg_arrow_format parse_decimal_format(const char *format)
{
    const char *comma = strchr(format, ',');
    char *end = NULL;
    long scale = comma ? strtol(comma + 1, &end, 10) : 0, bits = 128;
    if (end && *end == ',') bits = strtol(end + 1, &end, 10);
    bool valid = end && !*end && scale >= -1000 && scale <= 1000;
    const char *name = bits == 32 ? "d32" : bits == 64 ? "d64" : bits == 128 ? "d:" : "";
    return (sg_arrow_format){find_type(valid ? name : ""), (int)scale};
}

sg_arrow_format sg_arrow_format_parse(const char *format)
{
    if (strncmp(format, "d:", 2) == 0) return parse_decimal_format(format);
    return (sg_arrow_format){*format == 'd' ? find_type("") : find_type(format), 0};
}

bool sg_arrow_format_is_number(const sg_arrow_format *f) { return f->type->number_type || f->type->decode; }

size_t sg_arrow_decode(const sg_arrow_format *f, const char *values, size_t first, size_t n, double *out, size_t pitch)
{
    if (f->type->decode) return f->type->decode(values, f->scale, first, n, out, pitch);
    const sg_number_type *t = sg_number_type_find(f->type->number_type, 2);
    return t->decode(values + first * t->size, t->size, NULL, n, out, pitch);
}
