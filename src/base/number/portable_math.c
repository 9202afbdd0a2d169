/* portable_math.c: elementary functions whose results are bit-identical on every machine. */
#include "base/number/portable_math.h"

#include <float.h>
#include <math.h>
#include <stddef.h>

static double eval_polynomial(double x, const double *c, size_t n)
{
    double sum = c[--n];
    while (n-- > 0) sum = sum * x + c[n];
    return sum;
}

#define POLYNOMIAL(x, c) eval_polynomial(x, c, sizeof(c) / sizeof *(c))

/* log(2^k m) = k log 2 + log m with m in [1 / sqrt 2, sqrt 2]. With f = m - 1 and s = f / (2 + f):
 *     log m = 2 artanh(s) = 2 s + s^3 p(s^2) = f - s (f - s^2 p(s^2)).
 * f is exact, and the other terms are small. */
static double log_normal_range(double x, double k)
{
    static const double p[] = {
        0x1.5555555555555p-1, 0x1.9999999999a38p-2, 0x1.2492492476b0bp-2, 0x1.c71c720185cc1p-3,
        0x1.745cf8f39720cp-3, 0x1.3b1c38a856611p-3, 0x1.0fbe442b68054p-3, 0x1.0c06b55bd204bp-3,
    };
    const uint64_t root_half = UINT64_C(0x3fe6a09e667f3bcd);
    uint64_t above = sg_double_to_bits(x) - root_half; /* its upper 12 bits are the exponent k */
    k += (double)((above + (UINT64_C(1) << 62)) >> 52) - 1024;
    double m = sg_double_from_bits((above & ((UINT64_C(1) << 52) - 1)) + root_half);
    double f = m - 1, s = f / (2 + f), z = s * s;
    double high = k * SG_LN2_HIGH, sum = high + f, lost = f - (sum - high);
    return sum - (s * (f - z * POLYNOMIAL(z, p)) - k * SG_LN2_LOW - lost);
}

double sg_log(double x)
{
    if (x >= DBL_MIN && x <= DBL_MAX) return log_normal_range(x, 0);
    if (x == 0) return -INFINITY;
    if (x < 0) return NAN;
    return x < 1 ? log_normal_range(x * 0x1p54, -54) : x; /* x is subnormal, or infinity or NaN */
}

double sg_log1p(double x)
{
    double sum = 1 + x;
    if (!(sum > 0 && sum <= DBL_MAX)) return sg_log(sum);
    return sg_log(sum) + (x - (sum - 1)) / sum; /* first-order correction of the rounding error in 1 + x */
}

/* --- Sine and cosine --- */

/* An angle after subtracting quarter turns: the sum of two doubles, between -pi/4 and pi/4. */
typedef struct reduced_angle {
    double high, low;
    unsigned quadrant; /* number of quarter turns modulo 4 */
} reduced_angle;

/* Subtracts k quarter turns. pi / 2 is split into three parts; the products of k with the first two are exact. */
static reduced_angle reduce_angle(double x)
{
    double shifted = x * 0x1.45f306dc9c883p-1 + SG_ROUND_MAGIC, k = shifted - SG_ROUND_MAGIC;
    double rest = x - k * 0x1.921fb544p+0, second = k * 0x1.0b4611a6p-34;
    double high = rest - second;
    double low = ((rest - high) - second) - k * 0x1.3198a2e037073p-69;
    return (reduced_angle){high, low, (unsigned)(sg_double_to_bits(shifted) & 3)};
}

/* sin(high + low) = sin(high) + low cos(high) */
static double sine(reduced_angle a)
{
    static const double p[] = {
        -0x1.5555555555555p-3,  0x1.111111111111p-7,   -0x1.a01a01a019938p-13, 0x1.71de3a5460a17p-19,
        -0x1.ae645412d7c83p-26, 0x1.61217f18c2925p-33, -0x1.ab17db2f24492p-41,
    };
    double r = a.high, z = r * r;
    return r + (r * z * POLYNOMIAL(z, p) + a.low * (1 - 0.5 * z));
}

/* cos(high + low) = cos(high) - low sin(high) */
static double cosine(reduced_angle a)
{
    static const double p[] = {
        0x1.5555555555555p-5,   -0x1.6c16c16c16967p-10, 0x1.a01a019f4ebc8p-16,
        -0x1.27e4fa17e834bp-22, 0x1.1eeb68f65afa4p-29,  -0x1.907dabea17534p-37,
    };
    double z = a.high * a.high, half = 0.5 * z, top = 1 - half, lost = (1 - top) - half;
    return top + (lost + (z * z * POLYNOMIAL(z, p) - a.low * a.high));
}

static double eval_quadrant(reduced_angle a)
{
    double y = a.quadrant & 1 ? cosine(a) : sine(a);
    return a.quadrant & 2 ? -y : y;
}

double sg_sin(double x) { return eval_quadrant(reduce_angle(x)); }

double sg_cos(double x)
{
    reduced_angle a = reduce_angle(x);
    a.quadrant++;
    return eval_quadrant(a);
}

double sg_pow_uint(double x, uint64_t n)
{
    const uint64_t one = sg_double_to_bits(1);
    double power = 1;
    for (; n; n /= 2) {
        /* Selects x or 1 without a branch, because the bits of n are unpredictable. */
        power *= sg_double_from_bits(one ^ ((sg_double_to_bits(x) ^ one) & -(n & 1)));
        x *= x;
    }
    return power;
}
