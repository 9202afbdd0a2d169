/* settle.c: see settle.h. */
#include "explain/settle.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Sums of so much stay finite. */
static const double most = 1e300;
/* Of the sum of all sizes. */
static const double least_rounding = 1e-13;

static double add(const double *term, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += term[i];
    return sum;
}

static double size_of(const double *term, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += fabs(term[i]);
    return sum;
}

static size_t largest(const double *term, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (fabs(term[i]) > fabs(term[best])) best = i;
    return best;
}

static bool settled(const double *term, size_t n, double sum, double *rounding)
{
    double so_far = add(term, n);
    *rounding = sum - so_far;
    return so_far + *rounding == sum && fabs(*rounding) <= least_rounding * size_of(term, n);
}

/* All terms become multiples of one power of two, so large that they add up without rounding; the largest is moved so
 * that they give the multiple next to the sum. What is left is smaller than half a step, and a double: no bit of the
 * sum is below its own last one. */
static void to_grid(double *term, size_t n, double sum)
{
    int exponent;
    frexp(size_of(term, n) + fabs(sum), &exponent);
    double step = ldexp(1, exponent > -1020 ? exponent - 50 : -1070), far = 1.5 * 0x1p52 * step;
    for (size_t i = 0; i < n; i++) term[i] = (term[i] + far) - far;
    term[largest(term, n)] += ((sum + far) - far) - add(term, n);
}

double sg_settle(double *term, size_t n, double sum)
{
    enum { TRIES = 8 }; /* one, unless terms lose most of their size in the first */
    double rounding;
    if (!(size_of(term, n) + fabs(sum) <= most)) memset(term, 0, n * sizeof *term);
    if (settled(term, n, sum, &rounding)) return rounding;
    term[largest(term, n)] += sum - add(term, n);
    for (int i = 0; i < TRIES && !settled(term, n, sum, &rounding); i++) to_grid(term, n, sum);
    return rounding;
}
