/* decimal.h: the text of an ordinary number to a double, eight digits at a time.
 *
 * Inline, since reading a large CSV file is little else. What is not ordinary (a plus sign, more
 * than 19 digits, a long exponent, a number beyond the largest double) is refused here and left to
 * sg_number_parse. */
#ifndef SG_BASE_DECIMAL_H
#define SG_BASE_DECIMAL_H

#include "base/digits.h"

/* So many bytes behind the one that ends a number must be readable. */
enum { SG_DECIMAL_BEYOND = 7 };

/* 10^0 to 10^22: those that are doubles. */
extern const double sg_powers_of_ten[23];

/* What [-] digits [. digits] says: significand * 10^-places, if there are not too many digits. */
typedef struct sg_decimal {
    const char *first; /* digit or point    */
    const char *rest;  /* what is behind it */
    uint64_t significand;
    size_t digits, places;
} sg_decimal;

/* The number that d is the beginning of, without its sign, and what is behind it; or NULL. */
const char *sg_decimal_finish(const sg_decimal *d, double *out);

/* The number at p, correctly rounded, and what is behind it; NULL where there is no ordinary one.
 * A struct is made only where the short way ends: it would cost more than all the rest. */
static inline const char *sg_decimal_read(const char *p, double *out)
{
    size_t negative = *p == '-';
    const char *first = p += negative;
    uint64_t w = 0;
    size_t digits, places = 0;
    p = sg_digits_take(p, &w);
    digits = (size_t)(p - first);
    if (*p == '.') {
        const char *fraction = ++p;
        p = sg_digits_take(p, &w);
        places = (size_t)(p - fraction);
        digits += places;
    }
    static const double signs[] = {1, -1};
    double value;
    /* Clinger's fast path: both are exact doubles, so the division rounds once. */
    if (digits - 1 < SG_DIGITS_MOST && w <= UINT64_C(1) << 53 && (*p | 32) != 'e')
        value = places ? (double)(int64_t)w / sg_powers_of_ten[places] : (double)(int64_t)w;
    else p = sg_decimal_finish(&(sg_decimal){first, p, w, digits, places}, &value);
    *out = value * signs[negative];
    return p;
}

#endif
