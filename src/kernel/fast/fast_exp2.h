/* fast_exp2.h: 2^x, accurate to about 1 ulp.
 *
 * x = k + r with integer k and |r| <= 1/2. Adding 1.5 * 2^mantissa rounds to an integer and leaves k in the low bits,
 * which v_scale_exp2 moves to the exponent. 2^r is 1 + r * polynomial, minimax in the relative error: 1.8e-17 in
 * double, 2.6e-9 in float, and exactly 1 at 0. */
#pragma once

#include "kernel/fast/fast_precision.h"

static const real exp2_coefficients[] = EXP2_COEFFICIENTS;

/* For |x| <= -MIN_EXPONENT. */
static inline vec v_exp2_within(vec x)
{
    enum { DEGREE = sizeof exp2_coefficients / sizeof *exp2_coefficients };
    vec shifted = v_add(x, v_set1(ROUND_MAGIC)), r = v_sub(x, v_sub(shifted, v_set1(ROUND_MAGIC)));
    vec square = v_mul(r, r), p = v_set1(exp2_coefficients[DEGREE - 1]);
    vec q = v_set1(exp2_coefficients[DEGREE - 2]); /* odd and even powers, for shorter dependency chains */
    for (int i = DEGREE - 3; i >= 0; i -= 2) p = v_fma(p, square, v_set1(exp2_coefficients[i]));
    for (int i = DEGREE - 4; i >= 0; i -= 2) q = v_fma(q, square, v_set1(exp2_coefficients[i]));
    vec odd = DEGREE % 2 ? p : q, even = DEGREE % 2 ? q : p;
    return v_scale_exp2(v_fma(odd, r, v_fma(even, square, v_set1(1))), shifted);
}

/* For x <= 0. The result is at least 2^MIN_EXPONENT. */
static inline vec v_exp2(vec x) { return v_exp2_within(v_max(x, v_set1(MIN_EXPONENT))); }
