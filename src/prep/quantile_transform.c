/* quantile_transform.c: maps features to normal scores with a piecewise linear function, and computes quantiles. */
#include "prep/quantile_transform.h"

#include "base/number/portable_math.h"

#include <math.h>
#include <stdlib.h>

/* --- normal scores --- */

static double polynomial(const double *c, double x)
{
    double sum = c[7];
    for (int i = 6; i >= 0; i--) sum = sum * x + c[i];
    return sum;
}

/* Uses Wichura's algorithm AS 241 (Applied Statistics 37, 1988), without the far tails. */
double sg_normal_quantile(double p)
{
    static const double a[8] = {3.3871328727963666080e0,  1.3314166789178437745e+2, 1.9715909503065514427e+3,
                                1.3731693765509461125e+4, 4.5921953931549871457e+4, 6.7265770927008700853e+4,
                                3.3430575583588128105e+4, 2.5090809287301226727e+3},
                        b[8] = {1,
                                4.2313330701600911252e+1,
                                6.8718700749205790830e+2,
                                5.3941960214247511077e+3,
                                2.1213794301586595867e+4,
                                3.9307895800092710610e+4,
                                2.8729085735721942674e+4,
                                5.2264952788528545610e+3},
                        c[8] = {1.42343711074968357734e0,  4.63033784615654529590e0, 5.76949722146069140550e0,
                                3.64784832476320460504e0,  1.27045825245236838258e0, 2.41780725177450611770e-1,
                                2.27238449892691845833e-2, 7.74545014278341407640e-4},
                        d[8] = {1,
                                2.05319162663775882187e0,
                                1.67638483018380384940e0,
                                6.89767334985100004550e-1,
                                1.48103976427480074590e-1,
                                1.51986665636164571966e-2,
                                5.47593808499534494600e-4,
                                1.05075007164441684324e-9};
    double q = p - 0.5;
    if (fabs(q) <= 0.425) {
        double r = 0.180625 - q * q;
        return q * polynomial(a, r) / polynomial(b, r);
    }
    double r = sqrt(-sg_log(q < 0 ? p : 1 - p)) - 1.6, far = polynomial(c, r) / polynomial(d, r);
    return q < 0 ? -far : far;
}

/* --- fitting --- */

static int by_value(const void *a, const void *b)
{
    double x = *(const double *)a, y = *(const double *)b;
    return (x > y) - (x < y);
}

void sg_sort_doubles(double *value, size_t n)
{
    if (n) qsort(value, n, sizeof *value, by_value);
}

double sg_quantile_sorted(const double *value, size_t n, double share)
{
    double place = share * (double)(n - 1);
    size_t i = (size_t)place;
    if (i + 1 >= n) return value[n - 1];
    return value[i] + (place - (double)i) * (value[i + 1] - value[i]);
}

/* Returns the fraction of values below x, in which values equal to x count half. It is never 0 or 1. */
static double mid_rank(const double *value, size_t n, double x)
{
    size_t below = 0, at_most = n, high = n;
    while (below < high) {
        size_t middle = below + (high - below) / 2;
        if (value[middle] < x) below = middle + 1;
        else high = middle;
    }
    for (size_t low = below; low < at_most;) {
        size_t middle = low + (at_most - low) / 2;
        if (value[middle] <= x) low = middle + 1;
        else at_most = middle;
    }
    double rank = n ? ((double)below + (double)at_most) / (2 * (double)n) : 0.5, least = 0.25 / ((double)n + 1);
    return fmin(1 - least, fmax(least, rank));
}

/* Adds a knot unless it is too close to the last one or has no higher score. Returns the new number of knots. */
static size_t add_knot(double x, double rank, double least, size_t count, double *knot, double *score)
{
    double s = sg_normal_quantile(rank);
    if (count && (!(x - knot[count - 1] > least) || !(s > score[count - 1]))) return count;
    knot[count] = x + 0.0; /* -0 becomes 0, because the sort may leave either first */
    score[count] = s;
    return count + 1;
}

void sg_quantile_transform_fit(double *value, size_t n, double low, double high, double *knot, double *score)
{
    double least = 1e-9 * (high - low);
    sg_sort_doubles(value, n);
    size_t count = add_knot(low, mid_rank(value, n, low), 0, 0, knot, score);
    for (size_t i = 1; i + 1 < SG_QUANTILE_KNOTS && n; i++) {
        double x = value[(size_t)((double)(n - 1) * ((double)i / (SG_QUANTILE_KNOTS - 1)) + 0.5)];
        if (high - x > least) count = add_knot(x, mid_rank(value, n, x), least, count, knot, score);
    }
    double last = sg_normal_quantile(mid_rank(value, n, high));
    knot[count] = high + 0.0;
    score[count] = last > score[count - 1] ? last : score[count - 1] + 0.1;
    for (size_t i = count + 1; i < SG_QUANTILE_KNOTS; i++) {
        knot[i] = knot[count];
        score[i] = score[count];
    }
}

/* --- the transform --- */

static size_t count(const sg_transform *s, int k)
{
    (void)k;
    return s->in * SG_QUANTILE_KNOTS;
}

/* Returns the number of distinct knots, which is at least 2 in a valid transform. */
static size_t count_knots(const double *knot)
{
    size_t n = 1;
    while (n < SG_QUANTILE_KNOTS && knot[n] > knot[n - 1]) n++;
    return n;
}

static const char *validate(const sg_transform *s)
{
    static const char rise[] = "knots and scores must be equal in number and increasing";
    for (size_t k = 0; k < s->in; k++) {
        const double *knot = s->parameter[0] + k * SG_QUANTILE_KNOTS, *score = s->parameter[1] + k * SG_QUANTILE_KNOTS;
        size_t n = count_knots(knot);
        if (n < 2) return rise;
        for (size_t i = 1; i < n; i++) {
            double slope = (score[i] - score[i - 1]) / (knot[i] - knot[i - 1]);
            if (!(slope > 0 && isfinite(slope) && isfinite(1 / slope))) return rise;
        }
        for (size_t i = n; i < SG_QUANTILE_KNOTS; i++)
            if (knot[i] != knot[n - 1] || score[i] != score[n - 1]) return rise;
    }
    return NULL;
}

/* Interpolates the n points (from, to) linearly at x, or extrapolates the outermost two points on that side. */
static double interpolate(const double *from, const double *to, size_t n, double x)
{
    size_t low = 0, high = n - 1;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (from[middle] <= x) low = middle;
        else high = middle;
    }
    return to[low] + (x - from[low]) * ((to[low + 1] - to[low]) / (from[low + 1] - from[low]));
}

static void apply(const sg_transform *s, size_t n, size_t pitch, const double *x, double *z)
{
    for (size_t k = 0; k < s->in; k++) {
        const double *knot = s->parameter[0] + k * SG_QUANTILE_KNOTS, *score = s->parameter[1] + k * SG_QUANTILE_KNOTS;
        size_t knots = count_knots(knot);
        for (size_t i = k * pitch; i < k * pitch + n; i++) z[i] = interpolate(knot, score, knots, x[i]);
    }
}

static double inverse(const sg_transform *s, size_t feature, double z)
{
    const double *knot = s->parameter[0] + feature * SG_QUANTILE_KNOTS;
    return interpolate(s->parameter[1] + feature * SG_QUANTILE_KNOTS, knot, count_knots(knot), z);
}

const sg_transform_kind sg_transform_quantile = {
    "quantile", {"knots", "scores"}, count, SG_QUANTILE_KNOTS, validate, apply, inverse, NULL};
