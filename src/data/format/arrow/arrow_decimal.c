/* arrow_decimal.c: see arrow_type.h. Two numbers that doubles hold exactly have the nearest double as their quotient;
 * all others are written down and read as text, which is exact as well. */
#include "base/text.h"
#include "data/format/arrow/arrow_type.h"

#include <math.h>
#include <stdio.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

static const double power_of_ten[] = {1e0,  1e1,  1e2,  1e3,  1e4,  1e5,  1e6,  1e7,  1e8,  1e9,  1e10, 1e11,
                                      1e12, 1e13, 1e14, 1e15, 1e16, 1e17, 1e18, 1e19, 1e20, 1e21, 1e22};

static double scale_by_text(wide size, int scale)
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

static double decimal_to_double(wide size, bool negative, int scale)
{
    bool exact = size <= (wide)1 << 53 &&
                 (size_t)scale < sizeof power_of_ten / sizeof *power_of_ten; /* a negative one is large */
    double value = exact ? (double)(uint64_t)size / power_of_ten[scale] : scale_by_text(size, scale);
    return negative ? -value : value;
}

static double decimal64_to_double(int64_t value, int scale)
{
    return decimal_to_double(value < 0 ? -(wide)value : (wide)value, value < 0, scale);
}

size_t sg_arrow_decode_decimal32(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    size_t nonfinite = 0;
    for (size_t i = 0; i < n; i++) {
        int32_t value;
        memcpy(&value, values + (first + i) * sizeof value, sizeof value);
        out[i * pitch] = decimal64_to_double(value, scale);
        nonfinite += isinf(out[i * pitch]) != 0;
    }
    return nonfinite;
}

size_t sg_arrow_decode_decimal64(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    size_t nonfinite = 0;
    for (size_t i = 0; i < n; i++) {
        int64_t value;
        memcpy(&value, values + (first + i) * sizeof value, sizeof value);
        out[i * pitch] = decimal64_to_double(value, scale);
        nonfinite += isinf(out[i * pitch]) != 0;
    }
    return nonfinite;
}

size_t sg_arrow_decode_decimal128(const char *values, int scale, size_t first, size_t n, double *out, size_t pitch)
{
    size_t nonfinite = 0;
    for (size_t i = 0; i < n; i++) {
        wide value;
        memcpy(&value, values + (first + i) * sizeof value, sizeof value);
        bool negative = value >> 127;
        out[i * pitch] = decimal_to_double(negative ? -value : value, negative, scale);
        nonfinite += isinf(out[i * pitch]) != 0;
    }
    return nonfinite;
}
