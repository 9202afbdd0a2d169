/* exact_sum.c: see exact_sum.h. */
#include "explain/row/exact_sum.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

/* Sums of so much stay finite. */
static const double max_sum = 1e300;
/* Of the sum of all sizes. */
static const double rounding_tolerance = 1e-13;

static double sum_in_order(const double *term, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += term[i];
    return sum;
}

static double sum_of_magnitudes(const double *term, size_t n)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += fabs(term[i]);
    return sum;
}

static size_t largest_index(const double *term, size_t n)
{
    size_t best = 0;
    for (size_t i = 1; i < n; i++)
        if (fabs(term[i]) > fabs(term[best])) best = i;
    return best;
}

static bool is_exact(const double *term, size_t n, double sum, double *rounding)
{
    double so_far = sum_in_order(term, n);
    *rounding = sum - so_far;
    return so_far + *rounding == sum && fabs(*rounding) <= rounding_tolerance * sum_of_magnitudes(term, n);
}

/* All terms become multiples of one power of two, so large that they add up without rounding; the largest is moved so
 * that they give the multiple next to the sum. What is left is smaller than half a step, and a double: no bit of the
 * sum is below its own last one. */
static void round_to_grid(double *term, size_t n, double sum)
{
    int exponent;
    frexp(sum_of_magnitudes(term, n) + fabs(sum), &exponent);
    double step = ldexp(1, exponent > -1020 ? exponent - 50 : -1070), far = 1.5 * 0x1p52 * step;
    for (size_t i = 0; i < n; i++) term[i] = (term[i] + far) - far;
    term[largest_index(term, n)] += ((sum + far) - far) - sum_in_order(term, n);
}

double sg_exact_sum_remainder(double *term, size_t n, double sum)
{
    enum { TRIES = 8 }; /* one, unless terms lose most of their size in the first */
    double rounding;
    if (!(sum_of_magnitudes(term, n) + fabs(sum) <= max_sum)) memset(term, 0, n * sizeof *term);
    if (is_exact(term, n, sum, &rounding)) return rounding;
    term[largest_index(term, n)] += sum - sum_in_order(term, n);
    for (int i = 0; i < TRIES && !is_exact(term, n, sum, &rounding); i++) round_to_grid(term, n, sum);
    return rounding;
}
