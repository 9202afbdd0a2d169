/* effect_number.c: formats what curves and pairs add. */
#include "explain/additive/effect_number.h"

#include "base/number/portable_math.h"
#include "explain/additive/curve_shape.h"
#include "explain/text/text_writer.h"

#include <math.h>
#include <stdio.h>

/* With more than MAX_DECIMALS decimals, or beyond max_units, the usual format with an exponent is shorter. */
enum { MAX_DECIMALS = 9 };
static const double max_units = 1e15;

int sg_decimals_to_resolve(double step)
{
    enum { MOST = 300 }; /* 10^decimals must be finite */
    int decimals = 0;
    double unit = 1;
    if (!(step > 0) || !isfinite(step)) return 0;
    for (; unit > step && decimals < MOST; decimals++) unit /= 10;
    for (; unit * 10 <= step && decimals > -MOST; decimals--) unit *= 10;
    return decimals;
}

int sg_effect_decimals(const sg_model *m, size_t o)
{
    const sg_additive *s = m->additive;
    double span = 0;
    for (size_t i = 0; i < s->curves; i++) span = fmax(span, sg_range_span(sg_curve_range(s, &s->curve[i], o)));
    for (size_t i = 0; i < s->pairs; i++) span = fmax(span, sg_range_span(sg_pair_range(s, &s->pair[i], o)));
    return sg_decimals_to_resolve(span / 200);
}

static double to_units(double value, int decimals)
{
    if (decimals < 0) return round(fabs(value) / sg_pow_uint(10, (uint64_t)-decimals));
    return round(fabs(value) * sg_pow_uint(10, (uint64_t)decimals));
}

bool sg_effect_is_zero(double value, int decimals) { return to_units(value, decimals) == 0; }

const char *sg_format_effect(double value, int decimals, bool sign, char buf[SG_NUMBER_BUFFER_SIZE])
{
    char digits[SG_NUMBER_BUFFER_SIZE];
    double units = to_units(value, decimals);
    const char *before = units == 0 ? "" : value < 0 ? "-" : sign ? "+" : "";
    if (decimals > MAX_DECIMALS || decimals < -MAX_DECIMALS || !(units < max_units)) {
        snprintf(buf, SG_NUMBER_BUFFER_SIZE, "%s%.24s", before, sg_format_short(fabs(value), digits));
        return buf;
    }
    unsigned long long n = (unsigned long long)units, one = 1;
    for (int i = 0; i < decimals; i++) one *= 10;
    for (int i = decimals; i < 0; i++) n *= 10;
    if (decimals > 0 && n) snprintf(buf, SG_NUMBER_BUFFER_SIZE, "%s%llu.%0*llu", before, n / one, decimals, n % one);
    else snprintf(buf, SG_NUMBER_BUFFER_SIZE, "%s%llu", before, n);
    return buf;
}
