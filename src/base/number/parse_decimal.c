/* parse_decimal.c: parses numbers with an exponent or with many digits. */
#include "base/number/parse_decimal.h"

#include "base/number/eisel_lemire.h"

#include <math.h>

const double sg_powers_of_ten[] = {1e0, 1e1, 1e2,  1e3,  1e4,  1e5,  1e6,  1e7,
                                   1e8, 1e9, 1e10, 1e11, 1e12, 1e13, 1e14, 1e15};

/* Returns whether the digits, without leading zeros, fit into the significand. */
static bool significand_fits(const sg_decimal *d)
{
    size_t n = d->digits;
    if (n <= SG_DIGITS_MAX) return true;
    for (const char *p = d->first; *p == '0' || *p == '.'; p++) n -= *p == '0';
    return n <= SG_DIGITS_MAX;
}

/* Adds the number at p, after the e, to *exponent. Returns its end, or NULL if it has no digits or more than four. */
static const char *parse_exponent(const char *p, long *exponent)
{
    bool minus = *p == '-';
    if (*p == '-' || *p == '+') p++;
    const char *first = p;
    long e = 0;
    for (; p - first < 5 && sg_is_digit(*p); p++) e = e * 10 + (*p - '0');
    *exponent += minus ? -e : e;
    return p > first && p - first < 5 ? p : NULL;
}

const char *sg_decimal_parse_slow(const sg_decimal *d, double *out)
{
    const char *p = d->end;
    long exponent = -(long)d->fraction_digits;
    if (d->digits == 0 || !significand_fits(d)) return NULL;
    if (*p == 'e' || *p == 'E') p = parse_exponent(p + 1, &exponent);
    double value = sg_decimal_to_double(d->significand, exponent);
    *out = d->negative ? -value : value;
    return isinf(value) ? NULL : p;
}
