/* parse_decimal.h: the text of an ordinary number to a double, eight digits at a time.
 *
 * Inline, since reading a large CSV file is little else. What is not ordinary (a plus sign, more
 * than 19 digits, a long exponent, a number beyond the largest double) is refused here and left to
 * sg_number_parse. */
#ifndef SG_BASE_NUMBER_PARSE_DECIMAL_H
#define SG_BASE_NUMBER_PARSE_DECIMAL_H

#include "base/number/eisel_lemire.h"
#include "base/number/parse_digits.h"

/* So many bytes behind the one that ends a number must be readable. */
enum { SG_DECIMAL_PADDING = 7 };

enum { SG_DECIMAL_EXACT_DIGITS = 15 }; /* numbers of so many digits are doubles */
extern const double sg_powers_of_ten[SG_DECIMAL_EXACT_DIGITS + 1];

/* What [-] digits [. digits] says: significand * 10^-places, if there are not too many digits. */
typedef struct sg_decimal {
    const char *first; /* digit or point    */
    const char *end;   /* what is behind it */
    uint64_t significand;
    size_t digits, fraction_digits, negative;
} sg_decimal;

/* The number that d is the beginning of, and what is behind it; or NULL. */
const char *sg_decimal_parse_slow(const sg_decimal *d, double *out);

/* The number at p, correctly rounded, and what is behind it; NULL where there is no ordinary one.
 * `stop` is what is most likely behind it: whole numbers before it take the shortest way. */
static inline const char *sg_decimal_parse(const char *p, char stop, double *out)
{
    static const double signs[] = {1, -1};
    size_t negative = 0, places = 0;
    if (__builtin_expect(*p == '-', 0)) p++, negative = 1; /* not p += *p == '-': the loads wait */
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
    /* Clinger's fast path: both are exact doubles, so the division rounds once. Some numbers of 16
     * digits are too, but which of them no processor can foresee. */
    double value = digits <= SG_DECIMAL_EXACT_DIGITS ? (double)(int64_t)w / sg_powers_of_ten[places]
                                                     : sg_decimal_to_double(w, -(long)places);
    *out = value * signs[negative];
    return p;
}

#endif
