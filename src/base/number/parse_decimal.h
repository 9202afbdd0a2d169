/* parse_decimal.h: fast parsing of decimal numbers, eight digits at a time.
 *
 * The parser is inline, because it dominates the time to read a large CSV file. It rejects unusual numbers (a plus
 * sign, more than 19 digits, a long exponent, overflow), which sg_number_parse parses instead. */
#pragma once

#include "base/number/eisel_lemire.h"
#include "base/number/parse_eight_digits.h"

/* Number of bytes that must be readable after the byte that ends a number. */
enum { SG_DECIMAL_PADDING = 7 };

enum { SG_DECIMAL_EXACT_DIGITS = 15 }; /* integers with this many digits are exact doubles */
extern const double sg_powers_of_ten[SG_DECIMAL_EXACT_DIGITS + 1];

/* The part [-] digits [. digits] of a number. Its magnitude is significand * 10^-fraction_digits if the digits fit. */
typedef struct sg_decimal {
    const char *first; /* first digit or point */
    const char *end;   /* one past the last byte */
    uint64_t significand;
    size_t digits, fraction_digits, negative;
} sg_decimal;

/* Parses the rest of the number that starts with d. Returns the end of the number, or NULL if it is rejected. */
const char *sg_decimal_parse_slow(const sg_decimal *d, double *out);

/* Parses the number at p, correctly rounded. Returns its end, or NULL if it is rejected. `stop` is the byte most likely
 * to follow the number; an integer followed by this byte takes the shortest path. */
static inline const char *sg_decimal_parse(const char *p, char stop, double *out)
{
    static const double signs[] = {1, -1};
    size_t negative = 0, places = 0;
    if (__builtin_expect(*p == '-', 0)) p++, negative = 1; /* not p += *p == '-', which would delay the loads */
    const char *first = p;
    uint64_t w = 0;
    p = sg_digits_parse_bytewise(p, &w);
    size_t digits = (size_t)(p - first);
    if (*p == stop && digits - 1 < SG_DECIMAL_EXACT_DIGITS) {
        *out = (double)(int64_t)w * signs[negative];
        return p;
    }
    if (*p == '.') {
        const char *fraction = ++p;
        p = sg_digits_parse(p, &w);
        places = (size_t)(p - fraction);
        digits += places;
    }
    if (digits - 1 >= SG_DIGITS_MAX || (*p | 32) == 'e')
        return sg_decimal_parse_slow(&(sg_decimal){first, p, w, digits, places, negative}, out);
    /* Clinger's fast path: both operands are exact, so the division rounds once. It would also work for some numbers of
     * 16 digits, but testing for them costs a mispredicted branch. */
    double value = digits <= SG_DECIMAL_EXACT_DIGITS ? (double)(int64_t)w / sg_powers_of_ten[places]
                                                     : sg_decimal_to_double(w, -(long)places);
    *out = value * signs[negative];
    return p;
}
