/* portable_math.h: exp, log and other elementary functions whose results are bit-identical on every machine.
 *
 * The results of a C library depend on its version and on the processor, but model files must not. These functions use
 * only IEEE additions, multiplications and divisions in a fixed order. They are accurate to 1 ulp and handle special
 * values like the C functions. scripts/elementary.py computes the polynomials. */
#pragma once

#include <stdint.h>
#include <string.h>

double sg_log(double x);
/* Returns log(1 + x). */
double sg_log1p(double x);
/* sg_sin and sg_cos require |x| <= 10^5, because they use too few digits of pi for larger arguments. */
double sg_sin(double x);
double sg_cos(double x);
/* Returns x^n. The error grows with n, to at most about n / 2 ulp. */
double sg_pow_uint(double x, uint64_t n);

static inline uint64_t sg_double_to_bits(double x)
{
    uint64_t bits;
    memcpy(&bits, &x, sizeof bits);
    return bits;
}

static inline double sg_double_from_bits(uint64_t bits)
{
    double x;
    memcpy(&x, &bits, sizeof x);
    return x;
}

/* log 2 in two parts. The first has 40 bits, so its product with a binary exponent is exact. */
#define SG_LN2_HIGH 0x1.62e42fefa4p-1
#define SG_LN2_LOW  (-0x1.8432a1b0e2634p-43)

/* Adding this to a number of at most 51 bits leaves the nearest integer in the lowest bits of the sum. */
#define SG_ROUND_MAGIC 0x1.8p52

/* Returns exp(x) = 2^k exp(r) with |r| <= log(2) / 2. The function is inline and has no branches, so that compilers can
 * vectorise loops that call it without changing the results. */
static inline double sg_exp(double x)
{
    x = -746 > x ? -746 : x; /* beyond the bounds, the result is 0 or infinity; NaN stays NaN */
    x = 710 < x ? 710 : x;
    double shifted = x * 0x1.71547652b82fep+0 + SG_ROUND_MAGIC, k = shifted - SG_ROUND_MAGIC;
    double high = x - k * SG_LN2_HIGH, low = k * SG_LN2_LOW;
    double r = high - low, r2 = r * r, r4 = r2 * r2;
    double p = (0x1.0000000000001p-1 + 0x1.5555555555557p-3 * r) +
               (0x1.5555555553d67p-5 + 0x1.11111111100dfp-7 * r) * r2 +
               ((0x1.6c16c1788a24fp-10 + 0x1.a01a01abe6549p-13 * r) +
                (0x1.a019b913e6e77p-16 + 0x1.71de0236eabcbp-19 * r) * r2) *
                   r4 +
               (0x1.28917d444b4a1p-22 + 0x1.af4dde4b9be8ep-26 * r) * (r4 * r4);
    double y = 1 + (high - (low - r2 * p));
    /* There are two factors, because 2^k itself may be out of range. */
    uint64_t exponent = sg_double_to_bits(shifted) - (sg_double_to_bits(SG_ROUND_MAGIC) - 2048), half = exponent / 2;
    return y * sg_double_from_bits((half - 1) << 52) * sg_double_from_bits((exponent - half - 1) << 52);
}
