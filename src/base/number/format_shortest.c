/* format_shortest.c: see format_shortest.h.
 *
 * The value times a power of ten that leaves 17 digits before the point is one product with the leading bits of a
 * power of five: 64 bits of what is behind the point come with it, of which the last may be wrong. Fewer digits are
 * made by rounding that, and read back as any text is. */
#include "base/number/format_shortest.h"

#include "base/number/eisel_lemire.h"

#include <string.h>

enum { MAX_DIGITS = 17 };
static const uint64_t ten_to_17 = UINT64_C(100000000000000000);

typedef struct scaled_decimal {
    uint64_t whole, part; /* value * 10^(16 - exponent): before the point, and behind it in units of 2^-64 */
    int exponent;         /* of the first digit */
} scaled_decimal;

/* floor(log10(2^e)) for a double's e; 2048 keeps what is shifted positive. */
static int floor_log10_pow2(int e) { return (int)((1262611 * (int64_t)e + (INT64_C(2048) << 22)) >> 22) - 2048; }

/* Of m * 2^e, m with its top bit set. False where there is no such power of five. */
static bool scale_by_power_of_ten(uint64_t m, int e, int exponent, scaled_decimal *d)
{
    int q = MAX_DIGITS - 1 - exponent;
    uint64_t z[2];
    if (q < SG_POWER_OF_FIVE_MIN || q > SG_POWER_OF_FIVE_MAX) return false;
    sg_multiply_power_of_five(m, q, z);
    int shift = -(e + sg_floor_log2_pow10(q) + 1); /* from 4 to 11, since the whole has 53 to 58 bits */
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

/* To a multiple of `unit`, 1, 10 or 100, which it is divided by. False where the last bits decide. */
static bool round_to(const scaled_decimal *d, uint64_t unit, uint64_t *out)
{
    const uint64_t error = 4, half = UINT64_C(1) << 63;
    uint64_t rest = d->whole % unit, from_half = d->part - (unit == 1 ? half : 0);
    bool beside = unit == 1 || rest == unit / 2 || rest + 1 == unit / 2;
    if (beside && from_half + error <= 2 * error) return false;
    *out = d->whole / unit + (unit == 1 ? d->part > half : rest >= unit / 2);
    return true;
}

/* --- text --- */

static char *put_bytes(char *to, const char *from, size_t n)
{
    memcpy(to, from, n);
    return to + n;
}

static char *put_exponent(char *to, int exponent)
{
    unsigned e = exponent < 0 ? (unsigned)-exponent : (unsigned)exponent;
    *to++ = 'e';
    if (exponent < 0) *to++ = '-';
    if (e >= 100) *to++ = (char)('0' + e / 100);
    if (e >= 10) *to++ = (char)('0' + e / 10 % 10);
    *to++ = (char)('0' + e % 10);
    return to;
}

/* n digits, of which the first is at 10^exponent. */
static char *put_fixed(char *to, const char *digit, int n, int exponent)
{
    int before = exponent < 0 ? 0 : exponent + 1, there = n < before ? n : before;
    if (before == 0) *to++ = '0';
    to = put_bytes(to, digit, (size_t)there);
    to = put_bytes(to, "0000000000000000", (size_t)(before - there));
    if (n <= before) return to;
    *to++ = '.';
    if (exponent < 0) to = put_bytes(to, "000", (size_t)(-exponent - 1));
    return put_bytes(to, digit + there, (size_t)(n - there));
}

/* As %.*g does it: `precision` digits, without zeros at the end. */
static void put_number(char *to, uint64_t significand, int precision, int exponent)
{
    char digit[MAX_DIGITS];
    int n = precision;
    for (int i = precision; i-- > 0; significand /= 10) digit[i] = (char)('0' + significand % 10);
    while (n > 1 && digit[n - 1] == '0') n--;
    if (exponent >= -4 && exponent < precision) {
        *put_fixed(to, digit, n, exponent) = '\0';
        return;
    }
    *to++ = digit[0];
    if (n > 1) *to++ = '.';
    to = put_bytes(to, digit + 1, (size_t)n - 1);
    *put_exponent(to, exponent) = '\0';
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
        if (!round_to(&d, unit[i], &significand)) return false;
        if (sg_decimal_to_double(significand, d.exponent + 1 - precision) != size) continue;
        bool carried = significand == ten_to_17 / unit[i];
        if (value < 0) *text++ = '-';
        put_number(text, carried ? significand / 10 : significand, precision, d.exponent + carried);
        return true;
    }
    return false;
}
