/* arrow_type.c: see arrow_type.h. A loop for each type, so that a column is copied at the speed of memory; buffers need
 * not be aligned, hence memcpy. Whole numbers are exact up to 2^53, and the nearest double beyond. */
#include "data/format/arrow/arrow_type.h"

#include <float.h>
#include <limits.h>
#include <math.h>
#include <stdlib.h>
#include <string.h>

/* --- numbers --- */

static size_t decode_f64(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    size_t nonfinite = 0;
    (void)scale;
    values += first * sizeof *out;
    for (size_t i = 0; i < n; i++) {
        double value;
        memcpy(&value, values + i * sizeof value, sizeof value);
        out[i * pitch] = value;
        nonfinite += !(fabs(value) <= DBL_MAX);
    }
    return nonfinite;
}

static size_t decode_f32(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    size_t nonfinite = 0;
    (void)scale;
    for (size_t i = 0; i < n; i++) {
        float value;
        memcpy(&value, values + (first + i) * sizeof value, sizeof value);
        out[i * pitch] = (double)value;
        nonfinite += !(fabsf(value) <= FLT_MAX);
    }
    return nonfinite;
}

/* Sign, five bits of exponent, ten of fraction. */
static double half_to_double(uint16_t bits)
{
    int exponent = bits >> 10 & 31, fraction = bits & 1023;
    double size = exponent == 31 ? (fraction ? (double)NAN : (double)INFINITY)
                  : exponent     ? ldexp(1024 + fraction, exponent - 25)
                                 : ldexp(fraction, -24);
    return bits >> 15 ? -size : size;
}

static size_t decode_f16(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    size_t nonfinite = 0;
    (void)scale;
    for (size_t i = 0; i < n; i++) {
        uint16_t bits;
        memcpy(&bits, values + (first + i) * sizeof bits, sizeof bits);
        out[i * pitch] = half_to_double(bits);
        nonfinite += (bits >> 10 & 31) == 31;
    }
    return nonfinite;
}

static size_t decode_i8(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    (void)scale;
    for (size_t i = 0; i < n; i++) out[i * pitch] = (double)((const int8_t *)values)[first + i];
    return 0;
}

static size_t decode_u8(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    (void)scale;
    for (size_t i = 0; i < n; i++) out[i * pitch] = (double)((const uint8_t *)values)[first + i];
    return 0;
}

static size_t decode_i16(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    (void)scale;
    for (size_t i = 0; i < n; i++) {
        int16_t value;
        memcpy(&value, values + (first + i) * sizeof value, sizeof value);
        out[i * pitch] = (double)value;
    }
    return 0;
}

static size_t decode_u16(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    (void)scale;
    for (size_t i = 0; i < n; i++) {
        uint16_t value;
        memcpy(&value, values + (first + i) * sizeof value, sizeof value);
        out[i * pitch] = (double)value;
    }
    return 0;
}

static size_t decode_i32(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    (void)scale;
    for (size_t i = 0; i < n; i++) {
        int32_t value;
        memcpy(&value, values + (first + i) * sizeof value, sizeof value);
        out[i * pitch] = (double)value;
    }
    return 0;
}

static size_t decode_u32(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    (void)scale;
    for (size_t i = 0; i < n; i++) {
        uint32_t value;
        memcpy(&value, values + (first + i) * sizeof value, sizeof value);
        out[i * pitch] = (double)value;
    }
    return 0;
}

static size_t decode_i64(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    (void)scale;
    for (size_t i = 0; i < n; i++) {
        int64_t value;
        memcpy(&value, values + (first + i) * sizeof value, sizeof value);
        out[i * pitch] = (double)value;
    }
    return 0;
}

static size_t decode_u64(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    (void)scale;
    for (size_t i = 0; i < n; i++) {
        uint64_t value;
        memcpy(&value, values + (first + i) * sizeof value, sizeof value);
        out[i * pitch] = (double)value;
    }
    return 0;
}

static size_t decode_bool(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    (void)scale;
    for (size_t i = first; i < first + n; i++, out += pitch)
        *out = (double)(((const unsigned char *)values)[i / 8] >> i % 8 & 1);
    return 0;
}

/* --- the table --- */

/* "d:" stands for those of 16 bytes, whose format names no bits; see format_of_decimal. The last one is all the rest.
 */
static const sg_arrow_type types[] = {
    {"n", true, false, SG_ARROW_NULL, 0, NULL},
    {"b", true, false, SG_ARROW_NUMERIC, 2, decode_bool},
    {"c", true, true, SG_ARROW_NUMERIC, 2, decode_i8},
    {"C", true, true, SG_ARROW_NUMERIC, 2, decode_u8},
    {"s", true, true, SG_ARROW_NUMERIC, 2, decode_i16},
    {"S", true, true, SG_ARROW_NUMERIC, 2, decode_u16},
    {"i", true, true, SG_ARROW_NUMERIC, 2, decode_i32},
    {"I", true, true, SG_ARROW_NUMERIC, 2, decode_u32},
    {"l", true, true, SG_ARROW_NUMERIC, 2, decode_i64},
    {"L", true, true, SG_ARROW_NUMERIC, 2, decode_u64},
    {"e", true, false, SG_ARROW_NUMERIC, 2, decode_f16},
    {"f", true, false, SG_ARROW_NUMERIC, 2, decode_f32},
    {"g", true, false, SG_ARROW_NUMERIC, 2, decode_f64},
    {"u", true, false, SG_ARROW_STRING, 3, NULL},
    {"U", true, false, SG_ARROW_STRING, 3, NULL},
    {"vu", true, false, SG_ARROW_STRING, 3, NULL},
    {"tdD", true, false, SG_ARROW_TEMPORAL, 2, decode_i32},
    {"tts", true, false, SG_ARROW_TEMPORAL, 2, decode_i32},
    {"ttm", true, false, SG_ARROW_TEMPORAL, 2, decode_i32},
    {"ti", false, false, SG_ARROW_TEMPORAL, 2, NULL}, /* intervals of several numbers */
    {"t", false, false, SG_ARROW_TEMPORAL, 2, decode_i64},
    {"d32", true, false, SG_ARROW_NUMERIC, 2, sg_arrow_decode_decimal32},
    {"d64", true, false, SG_ARROW_NUMERIC, 2, sg_arrow_decode_decimal64},
    {"d:", true, false, SG_ARROW_NUMERIC, 2, sg_arrow_decode_decimal128},
    {"", false, false, SG_ARROW_OTHER, 0, NULL},
};

static const sg_arrow_type *find_type(const char *format)
{
    const sg_arrow_type *t = types;
    while (t->exact ? strcmp(format, t->format) != 0 : strncmp(format, t->format, strlen(t->format)) != 0) t++;
    return t;
}

/* d:precision,scale or d:precision,scale,bits. */
static sg_arrow_format parse_decimal_format(const char *format)
{
    static const struct {
        long bits;
        const char *name;
    } sizes[] = {{32, "d32"}, {64, "d64"}, {128, "d:"}};
    const char *comma = strchr(format, ','), *name = "";
    char *end = NULL;
    long scale = comma ? strtol(comma + 1, &end, 10) : 0, bits = 128;
    if (end && *end == ',') bits = strtol(end + 1, &end, 10);
    for (size_t i = 0; i < sizeof sizes / sizeof *sizes; i++)
        if (sizes[i].bits == bits) name = sizes[i].name;
    if (!end || *end || scale < -1000 || scale > 1000) name = "";
    return (sg_arrow_format){find_type(name), (int)scale};
}

sg_arrow_format sg_arrow_format_parse(const char *format)
{
    if (strncmp(format, "d:", 2) == 0) return parse_decimal_format(format);
    return (sg_arrow_format){*format == 'd' ? find_type("") : find_type(format), 0};
}
