/* number_parse_format.c: parses and formats numbers, independently of the locale.
 *
 * Parsed numbers are correctly rounded. The parser tries Clinger's fast path, then the Eisel-Lemire method
 * (parse_decimal.h), and calls strtod only if digits after the 19th matter. */
#include "base/number/eisel_lemire.h"
#include "base/number/format_shortest.h"
#include "base/number/parse_decimal.h"
#include "base/text.h"
#include "sugeno.h"

#include <float.h>
#include <limits.h>
#include <locale.h>
#include <math.h>
#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

static locale_t c_locale;
static pthread_once_t c_locale_once = PTHREAD_ONCE_INIT;

static void make_c_locale(void) { c_locale = newlocale(LC_ALL_MASK, "C", (locale_t)0); }

/* Replaces the locale's decimal point, which may be several bytes long, with '.'. */
static void normalise_decimal_point(char *s)
{
    char *p = s;
    while (*p && strchr("0123456789+-einfa", *p)) p++;
    if (!*p) return;
    *p = '.';
    char *rest = p + 1;
    while (*rest && !sg_is_digit(*rest) && *rest != 'e') rest++;
    memmove(p + 1, rest, strlen(rest) + 1);
}

/* Turns 1e+22 and 1e-08 into 1e22 and 1e-8. */
static void normalise_exponent(char *s)
{
    char *to = strchr(s, 'e');
    if (!to) return;
    const char *from = ++to + 1;
    if (*to == '-') to++;
    while (*from == '0') from++;
    memmove(to, from, strlen(from) + 1);
}

const char *sg_number_format_rounded(double value, int digits, char buf[SG_NUMBER_BUFFER_SIZE])
{
    if (value == 0) value = 0; /* -0 becomes 0 */
    snprintf(buf, SG_NUMBER_BUFFER_SIZE, "%.*g", digits, value);
    normalise_decimal_point(buf);
    normalise_exponent(buf);
    return buf;
}

const char *sg_number_format_shortest(double value, char buf[SG_NUMBER_BUFFER_SIZE])
{
    if (value == 0 && signbit(value)) return memcpy(buf, "-0.0", 5); /* JSON parsers would read -0 as the integer 0 */
    if (sg_format_shortest(value, buf)) return buf;
    for (int digits = fabs(value) < DBL_MIN ? 1 : 15; digits <= 17; digits++) {
        double back;
        sg_number_format_rounded(value, digits, buf); /* rounding the largest numbers to few digits can overflow */
        if (sg_number_parse(buf, strlen(buf), &back) == SG_NUMBER_OK && back == value) break;
    }
    return buf;
}

/* A number of the form [+-] digits [. digits] [e [+-] digits]. */
typedef struct scanned_decimal {
    bool negative;
    bool exact; /* significand holds all digits */
    uint64_t significand;
    long exponent;
} scanned_decimal;

static const char *scan_digits(const char *p, const char *end, scanned_decimal *d, long step, bool *any)
{
    for (; p < end && sg_is_digit(*p); p++) {
        *any = true;
        if (d->significand < UINT64_C(1000000000000000000)) {
            d->significand = d->significand * 10 + (uint64_t)(*p - '0');
            d->exponent -= step;
        } else {
            d->exact = d->exact && *p == '0';
            d->exponent += 1 - step;
        }
    }
    return p;
}

static const char *scan_exponent(const char *p, const char *end, scanned_decimal *d)
{
    bool minus = p < end && *p == '-';
    if (p < end && (*p == '-' || *p == '+')) p++;
    if (p == end) return NULL;
    long e = 0;
    for (; p < end && sg_is_digit(*p); p++)
        if (e < LONG_MAX / 100) e = e * 10 + (*p - '0'); /* saturates */
    d->exponent += minus ? -e : e;
    return p;
}

static bool scan_decimal(const char *p, const char *end, scanned_decimal *d)
{
    bool any = false;
    *d = (scanned_decimal){.exact = true};
    if (p < end && (*p == '-' || *p == '+')) d->negative = *p++ == '-';
    p = scan_digits(p, end, d, 0, &any);
    if (p < end && *p == '.') p = scan_digits(p + 1, end, d, 1, &any);
    if (!any) return false;
    if (p < end && (*p == 'e' || *p == 'E')) p = scan_exponent(p + 1, end, d);
    return p == end;
}

static sg_number_result parse_strtod(const char *text, size_t n, double *out)
{
    char small[128], *copy = n < sizeof small ? small : malloc(n + 1);
    if (!copy) return SG_NUMBER_INVALID;
    memcpy(copy, text, n);
    copy[n] = '\0';
    pthread_once(&c_locale_once, make_c_locale);
    double value = c_locale ? strtod_l(copy, NULL, c_locale) : strtod(copy, NULL);
    if (copy != small) free(copy);
    if (!isfinite(value)) return SG_NUMBER_OUT_OF_RANGE;
    *out = value;
    return SG_NUMBER_OK;
}

/* Parses the numbers that sg_decimal_parse rejects. */
static sg_number_result parse_general(const char *text, size_t n, double *out)
{
    scanned_decimal d;
    double value;
    if (!scan_decimal(text, text + n, &d)) return SG_NUMBER_INVALID;
    if (!sg_decimal_to_double_truncated(d.significand, d.exponent, d.exact, &value)) return parse_strtod(text, n, out);
    if (isinf(value)) return SG_NUMBER_OUT_OF_RANGE;
    *out = d.negative ? -value : value;
    return SG_NUMBER_OK;
}

sg_number_result sg_number_parse(const char *text, size_t n, double *out)
{
    char copy[40 + SG_DECIMAL_PADDING + 1] = ""; /* zero-padded; ordinary numbers fit */
    double value;
    if (n > 40) return parse_general(text, n, out);
    if (n) memcpy(copy, text, n);
    if (sg_decimal_parse(copy, '\0', &value) != copy + n) return parse_general(text, n, out);
    *out = value;
    return SG_NUMBER_OK;
}

const char *sg_number_format(double value, char buf[32]) { return sg_number_format_shortest(value, buf); }
