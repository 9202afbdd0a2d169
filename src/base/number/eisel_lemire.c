/* eisel_lemire.c: converts w * 10^q to the nearest double with one multiplication, rarely two.
 *
 * D. Lemire, "Number parsing at a gigabyte per second", Software: Practice and Experience 51, 2021, after M. Eisel.
 * Because 10^q = 5^q 2^q, the significand consists of the leading bits of w 5^q. With 128 bits of 5^q, 54 of these
 * leading bits are always correct: no w below 2^64 comes so close to a carry that more bits are needed (N. Mushtak, D.
 * Lemire, "Fast number parsing without fallback", Software: Practice and Experience 53, 2023). */
#include "base/number/eisel_lemire.h"

#include <string.h>

static const uint64_t infinity_bits = UINT64_C(0x7ff) << 52;

typedef struct product {
    uint64_t high, low;
} product;

#ifdef __SIZEOF_INT128__

__extension__ typedef unsigned __int128 uint128;

static product multiply(uint64_t a, uint64_t b)
{
    uint128 ab = (uint128)a * b;
    return (product){(uint64_t)(ab >> 64), (uint64_t)ab};
}

#else

static product multiply(uint64_t a, uint64_t b)
{
    uint64_t a1 = a >> 32, a0 = (uint32_t)a, b1 = b >> 32, b0 = (uint32_t)b;
    uint64_t below = a0 * b0;
    uint64_t mid = a1 * b0 + (below >> 32);
    uint64_t other = a0 * b1 + (uint32_t)mid;
    return (product){a1 * b1 + (mid >> 32) + (other >> 32), other << 32 | (uint32_t)below};
}

#endif

/* Returns the upper 128 bits of w * five. Skips the low word of five if it cannot carry into the leading 55 bits. */
static product multiply_leading_bits(uint64_t w, const uint64_t five[2])
{
    product z = multiply(w, five[0]);
    if ((z.high & 0x1ff) == 0x1ff) {
        uint64_t more = multiply(w, five[1]).high;
        z.low += more;
        z.high += z.low < more;
    }
    return z;
}

void sg_multiply_power_of_five(uint64_t w, int q, uint64_t out[2])
{
    const uint64_t *five = sg_powers_of_five[q - SG_POWER_OF_FIVE_MIN];
    product z = multiply(w, five[0]);
    uint64_t more = multiply(w, five[1]).high;
    out[1] = z.low + more;
    out[0] = z.high + (out[1] < more);
}

/* The offset 2048 keeps the shifted value positive. */
int sg_floor_log2_pow10(int q) { return (int)((217706 * (int64_t)q + (INT64_C(2048) << 16)) >> 16) - 2048; }

/* Returns the bits of the double nearest to w * 10^q. w must be positive, and q must be in the table. */
static uint64_t round_to_nearest(uint64_t w, int q)
{
    int zeros = __builtin_clzll(w);
    product z = multiply_leading_bits(w << zeros, sg_powers_of_five[q - SG_POWER_OF_FIVE_MIN]);
    int top = (int)(z.high >> 63), shift = 9 + top;
    uint64_t m = z.high >> shift; /* 53 bits and the rounding bit */

    /* A tie between two doubles is (2k + 1) 2^j with 2k + 1 between 2^53 and 2^54. If q >= 0, 5^q divides 2k + 1, so q
     * <= 23, and the table and z are exact. If q < 0, (2k + 1) 5^-q divides w < 2^64, so q >= -4. In that case z ends
     * in zeros only if 5^-q divides w, and both multiplications have then been done. */
    bool half_way = q >= -4 && q <= 23 && z.low == 0 && m << shift == z.high;
    if (half_way && (m & 3) == 1) m--;

    int exponent =
        sg_floor_log2_pow10(q) + 63 - zeros + top + 1022; /* biased exponent minus 1: the top bit of m adds 1 */
    if (exponent < 0) {
        m = exponent > -64 ? m >> -exponent : 0; /* subnormal; never a tie */
        exponent = 0;
    }
    uint64_t bits = ((uint64_t)exponent << 52) + ((m + 1) >> 1); /* a carry increments the exponent */
    return bits < infinity_bits ? bits : infinity_bits;
}

double sg_decimal_to_double(uint64_t w, long q)
{
    uint64_t bits = 0;
    if (w > 0 && q >= SG_POWER_OF_FIVE_MIN)
        bits = q <= SG_POWER_OF_FIVE_MAX ? round_to_nearest(w, (int)q) : infinity_bits;
    double value;
    memcpy(&value, &bits, sizeof value);
    return value;
}

bool sg_decimal_to_double_truncated(uint64_t w, long q, bool exact, double *out)
{
    *out = sg_decimal_to_double(w, q);
    return exact || sg_decimal_to_double(w + 1, q) == *out;
}
