/* sum_remainder.c: rounds terms to a common grid on which doubles add without error, so that a small remainder closes
 * the sum exactly. */
#include "explain/row/sum_remainder.h"

#include <math.h>
#include <stdbool.h>
#include <string.h>

static const double max_sum = 1e300;
static const double rounding_tolerance = 1e-13; /* relative to the sum of magnitudes */

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

static bool compute_remainder(const double *term, size_t n, double sum, double *remainder)
{
    double so_far = sum_in_order(term, n);
    *remainder = sum - so_far;
    return so_far + *remainder == sum && fabs(*remainder) <= rounding_tolerance * sum_of_magnitudes(term, n);
}

/* Rounds all terms to multiples of a power of two that is large enough for them to add up without rounding, and moves
 * the largest term so that they give the multiple nearest to the sum. The remainder is then at most half a step, and a
 * double holds it exactly, because it has no bits below the last bit of the sum. */
static void round_to_grid(double *term, size_t n, double sum)
{
    int exponent;
    frexp(sum_of_magnitudes(term, n) + fabs(sum), &exponent);
    double step = ldexp(1, exponent > -1020 ? exponent - 50 : -1070), shift = 1.5 * 0x1p52 * step;
    for (size_t i = 0; i < n; i++) term[i] = (term[i] + shift) - shift;
    term[largest_index(term, n)] += ((sum + shift) - shift) - sum_in_order(term, n);
}

double sg_exact_sum_remainder(double *term, size_t n, double sum)
{
    enum { MAX_ATTEMPTS = 8 }; /* one attempt is enough unless it makes the terms much smaller */
    double remainder;
    if (!(sum_of_magnitudes(term, n) + fabs(sum) <= max_sum)) memset(term, 0, n * sizeof *term);
    if (compute_remainder(term, n, sum, &remainder)) return remainder;
    term[largest_index(term, n)] += sum - sum_in_order(term, n);
    for (int i = 0; i < MAX_ATTEMPTS && !compute_remainder(term, n, sum, &remainder); i++) round_to_grid(term, n, sum);
    return remainder;
}
