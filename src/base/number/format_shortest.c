/* format_shortest.c: finds the shortest decimal that parses to the same double, without big integers.
 *
 * The value is scaled by the power of ten that leaves 17 digits before the point, in one multiplication by the leading
 * bits of a power of five. The product has 64 fractional bits, the last few of which may be wrong. It is rounded to
 * shorter decimals, which are verified by parsing. */
#include "base/number/format_shortest.h"

#include "base/number/eisel_lemire.h"

#include <string.h>

enum { MAX_DIGITS = 17 };
static const uint64_t ten_to_17 = UINT64_C(100000000000000000);

typedef struct scaled_decimal {
    uint64_t whole, part; /* value * 10^(16 - exponent): integer part, and fraction in units of 2^-64 */
    int exponent;         /* decimal exponent of the first digit */
} scaled_decimal;

/* Returns floor(log10(2^e)) if e is the exponent of a double. The offset 2048 keeps the shifted value positive. */
static int floor_log10_pow2(int e) { return (int)((1262611 * (int64_t)e + (INT64_C(2048) << 22)) >> 22) - 2048; }

/* Scales m * 2^e; the top bit of m must be set. Returns false if the power of five is not in the table. */
static bool scale_by_power_of_ten(uint64_t m, int e, int exponent, scaled_decimal *d)
{
    int q = MAX_DIGITS - 1 - exponent;
    uint64_t z[2];
    if (q < SG_POWER_OF_FIVE_MIN || q > SG_POWER_OF_FIVE_MAX) return false;
    sg_multiply_power_of_five(m, q, z);
    int shift = -(e + sg_floor_log2_pow10(q) + 1); /* between 4 and 11, because the integer part has 53 to 58 bits */
    *d = (scaled_decimal){z[0] >> shift, z[0] << (64 - shift) | z[1] >> shift, exponent};
    return true;
}

static bool split_digits(double value, scaled_decimal *d)
{
    uint64_t bits;
    memcpy(&bits, &value, sizeof bits);
    int biased = (int)(bits >> 52 & 0x7ff), exponent = floor_log10_pow2(biased - 1023);
    uint64_t m = (bits << 11) | UINT64_C(1) << 63;
    if (biased == 0 || biased == 0x7ff || !scale_by_power_of_ten(m, biased - 1086, exponent, d)) return false;
    return d->whole < ten_to_17 || scale_by_power_of_ten(m, biased - 1086, exponent + 1, d);
}

/* Divides by `unit` (1, 10 or 100) and rounds. Returns false if the result depends on the uncertain last bits. */
static bool round_to_unit(const scaled_decimal *d, uint64_t unit, uint64_t *out)
{
    const uint64_t error = 4, half = UINT64_C(1) << 63;
    uint64_t rest = d->whole % unit, from_half = d->part - (unit == 1 ? half : 0);
    bool near_tie = unit == 1 || rest == unit / 2 || rest + 1 == unit / 2;
    if (near_tie && from_half + error <= 2 * error) return false;
    *out = d->whole / unit + (unit == 1 ? d->part > half : rest >= unit / 2);
    return true;
}

/* --- Text --- */

static char *write_bytes(char *to, const char *from, size_t n)
{
    memcpy(to, from, n);
    return to + n;
}

static char *write_exponent(char *to, int exponent)
{
    unsigned e = exponent < 0 ? (unsigned)-exponent : (unsigned)exponent;
    *to++ = 'e';
    if (exponent < 0) *to++ = '-';
    if (e >= 100) *to++ = (char)('0' + e / 100);
    if (e >= 10) *to++ = (char)('0' + e / 10 % 10);
    *to++ = (char)('0' + e % 10);
    return to;
}

/* Writes n digits in fixed notation, the first with place value 10^exponent. Returns the end of the text. */
static char *write_fixed(char *to, const char *digit, int n, int exponent)
{
    int before = exponent < 0 ? 0 : exponent + 1, there = n < before ? n : before;
    if (before == 0) *to++ = '0';
    to = write_bytes(to, digit, (size_t)there);
    to = write_bytes(to, "0000000000000000", (size_t)(before - there));
    if (n <= before) return to;
    *to++ = '.';
    if (exponent < 0) to = write_bytes(to, "000", (size_t)(-exponent - 1));
    return write_bytes(to, digit + there, (size_t)(n - there));
}

/* Writes a significand of `precision` digits as %.*g does, without trailing zeros. */
static void write_number(char *to, uint64_t significand, int precision, int exponent)
{
    char digit[MAX_DIGITS];
    int n = precision;
    for (int i = precision; i-- > 0; significand /= 10) digit[i] = (char)('0' + significand % 10);
    while (n > 1 && digit[n - 1] == '0') n--;
    if (exponent >= -4 && exponent < precision) {
        *write_fixed(to, digit, n, exponent) = '\0';
        return;
    }
    *to++ = digit[0];
    if (n > 1) *to++ = '.';
    to = write_bytes(to, digit + 1, (size_t)n - 1);
    *write_exponent(to, exponent) = '\0';
}

bool sg_format_shortest(double value, char *text)
{
    static const uint64_t unit[] = {100, 10, 1};
    double size = value < 0 ? -value : value;
    scaled_decimal d;
    if (!split_digits(size, &d)) return false;
    for (int i = 0; i < 3; i++) {
        const int precision = MAX_DIGITS - 2 + i;
        uint64_t significand;
        if (!round_to_unit(&d, unit[i], &significand)) return false;
        if (sg_decimal_to_double(significand, d.exponent + 1 - precision) != size) continue;
        bool carried = significand == ten_to_17 / unit[i];
        if (value < 0) *text++ = '-';
        write_number(text, carried ? significand / 10 : significand, precision, d.exponent + carried);
        return true;
    }
    return false;
}
