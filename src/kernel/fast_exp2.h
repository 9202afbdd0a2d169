/* fast_exp2.h: 2^x for x <= 0, within an ulp or so; 0 where it would come near the smallest numbers.
 *
 * x = k + r with k whole and |r| <= 1/2: adding 1.5 * 2^mantissa rounds to a whole number and leaves k
 * in the low bits, which v_scale moves into the exponent. 2^r is 1 + r * polynomial, minimax in the
 * relative error: 1.8e-17 in double, 2.6e-9 in float, and exactly 1 at 0. */
#ifndef SG_KERNEL_FAST_EXP2_H
#define SG_KERNEL_FAST_EXP2_H

#include "kernel/fast_real.h"

static const real exp2_coefficients[] = EXP2_COEFFICIENTS;

static inline vec v_exp2(vec x)
{
    const int degree = (int)(sizeof exp2_coefficients / sizeof *exp2_coefficients);
    vec shifted = v_add(x, v_all(ROUNDER)), r = v_sub(x, v_sub(shifted, v_all(ROUNDER)));
    vec p = v_all(exp2_coefficients[degree - 1]);
    for (int i = degree - 1; i-- > 0;) p = v_fma(p, r, v_all(exp2_coefficients[i]));
    p = v_fma(p, r, v_all(1));
    return v_where_above(v_all(LEAST_EXPONENT), x, v_all(0), v_scale(p, shifted));
}

#endif
