/* fast_exp2.h: computes 2^x, accurate to about 1 ulp.
 *
 * Let x = k + r with an integer k and |r| <= 1/2. Adding 1.5 * 2^mantissa to x rounds it to k and leaves k in the low
 * bits, which v_scale_exp2 moves to the exponent. 2^r is approximated by 1 + r * polynomial, which is exactly 1 at 0
 * and minimax in the relative error: 1.8e-17 in double and 2.6e-9 in float. */
#pragma once

#include "kernel/fast/fast_precision.h"

static const real exp2_coefficients[] = EXP2_COEFFICIENTS;

/* Returns 2^x for |x| <= -MIN_EXPONENT. */
static inline vec v_exp2_within(vec x)
{
    enum { DEGREE = sizeof exp2_coefficients / sizeof *exp2_coefficients };
    vec shifted = v_add(x, v_set1(ROUND_MAGIC)), r = v_sub(x, v_sub(shifted, v_set1(ROUND_MAGIC)));
    vec square = v_mul(r, r), p = v_set1(exp2_coefficients[DEGREE - 1]);
    vec q = v_set1(exp2_coefficients[DEGREE - 2]); /* odd and even powers are separate, for shorter dependency chains */
    for (int i = DEGREE - 3; i >= 0; i -= 2) p = v_fma(p, square, v_set1(exp2_coefficients[i]));
    for (int i = DEGREE - 4; i >= 0; i -= 2) q = v_fma(q, square, v_set1(exp2_coefficients[i]));
    vec odd = DEGREE % 2 ? p : q, even = DEGREE % 2 ? q : p;
    return v_scale_exp2(v_fma(odd, r, v_fma(even, square, v_set1(1))), shifted);
}

/* Returns 2^x for x <= 0, or 2^MIN_EXPONENT if that is larger. */
static inline vec v_exp2(vec x) { return v_exp2_within(v_max(x, v_set1(MIN_EXPONENT))); }
