/* vec_portable.h: a vector of 32 bytes in plain C, and what the functions of a vector mean.
 *
 * Other instruction sets have a header with the same names; theirs must give the same bits, so
 * every function is one IEEE operation a lane, or a fixed order of them. Before it is included,
 * `real` is a type, REAL_BITS the unsigned integer of its size,
 * REAL_FMA and REAL_SQRT its functions and REAL_MANTISSA its digits. */
#ifndef SG_KERNEL_SIMD_VEC_PORTABLE_H
#define SG_KERNEL_SIMD_VEC_PORTABLE_H

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { LANES = 32 / sizeof(real) };
typedef struct vec {
    real lane[LANES];
} vec;

#define EACH_LANE(expression)                                                                                          \
    vec out;                                                                                                           \
    for (int i = 0; i < LANES; i++) out.lane[i] = (expression);                                                        \
    return out

static inline vec v_load(const real *p) { EACH_LANE(p[i]); }
/* Numbers that stand `stride` apart. */
static inline vec v_load_strided(const real *p, size_t stride) { EACH_LANE(p[(size_t)i * stride]); }
/* The first LANES numbers of LANES rows, turned: out[k] is number k of each. */
static inline void v_load_transposed(const real *const *row, vec *out)
{
    for (int k = 0; k < LANES; k++)
        for (int i = 0; i < LANES; i++) out[k].lane[i] = row[i][k];
}
static inline void v_store(real *p, vec a) { memcpy(p, a.lane, sizeof a.lane); }
/* From and to as many doubles. */
static inline vec v_from_double(const double *p) { EACH_LANE((real)p[i]); }
static inline void v_to_double(double *p, vec a)
{
    for (int i = 0; i < LANES; i++) p[i] = (double)a.lane[i];
}
static inline vec v_set1(real x) { EACH_LANE(x); }
/* a, to be kept in a register. */
static inline vec v_pin(vec a) { return a; }
static inline vec v_add(vec a, vec b) { EACH_LANE(a.lane[i] + b.lane[i]); }
static inline vec v_sub(vec a, vec b) { EACH_LANE(a.lane[i] - b.lane[i]); }
static inline vec v_mul(vec a, vec b) { EACH_LANE(a.lane[i] * b.lane[i]); }
static inline vec v_div(vec a, vec b) { EACH_LANE(a.lane[i] / b.lane[i]); }
static inline vec v_sqrt(vec a) { EACH_LANE(REAL_SQRT(a.lane[i])); }
/* Both become factor / (sqrt(a) * scale + more), in float; they are not negative. */
static inline void v_f32_rates(vec *a, float factor, float scale, float more)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < LANES; i++) a[k].lane[i] = (real)(factor / fmaf(sqrtf((float)a[k].lane[i]), scale, more));
}
/* a * b + c, rounded once. */
static inline vec v_fma(vec a, vec b, vec c) { EACH_LANE(REAL_FMA(a.lane[i], b.lane[i], c.lane[i])); }
/* The second where they can't be compared. */
static inline vec v_max(vec a, vec b) { EACH_LANE(a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]); }
static inline vec v_min(vec a, vec b) { EACH_LANE(a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]); }
/* a > b ? yes : no */
static inline vec v_select_gt(vec a, vec b, vec yes, vec no)
{
    EACH_LANE(a.lane[i] > b.lane[i] ? yes.lane[i] : no.lane[i]);
}

/* By the sign of a, so -0 is negative, too. */
static inline vec v_select_negative(vec a, vec yes, vec no)
{
    EACH_LANE(signbit(a.lane[i]) ? yes.lane[i] : no.lane[i]);
}

/* -|a| */
static inline vec v_neg_abs(vec a) { EACH_LANE(signbit(a.lane[i]) ? a.lane[i] : -a.lane[i]); }

/* The bits of `shifted`, moved into the place of the exponent, are added to those of a: times 2^k
 * where shifted is 1.5 * 2^REAL_MANTISSA + k. */
static inline real v_scale_exp2_lane(real a, real shifted)
{
    REAL_BITS x, k;
    memcpy(&x, &a, sizeof x);
    memcpy(&k, &shifted, sizeof k);
    x += k << REAL_MANTISSA;
    memcpy(&a, &x, sizeof a);
    return a;
}
static inline vec v_scale_exp2(vec a, vec shifted) { EACH_LANE(v_scale_exp2_lane(a.lane[i], shifted.lane[i])); }

/* One bit a lane, the highest, that decides about it; and the bits that come after. */
typedef struct vbits {
    uint32_t lane[LANES];
} vbits;
/* The lanes' words, with bit `top` as the first that decides. */
static inline vbits v_bits(const uint32_t *words, unsigned top)
{
    vbits out;
    for (int i = 0; i < LANES; i++) out.lane[i] = words[i] << (31 - top);
    return out;
}
/* The next lower bit decides. */
static inline vbits v_bits_next(vbits bits)
{
    for (int i = 0; i < LANES; i++) bits.lane[i] <<= 1;
    return bits;
}
/* Lanes whose bit is set stay, others are 0. */
static inline vec v_mask(vec a, vbits bits) { EACH_LANE(bits.lane[i] >> 31 ? a.lane[i] : 0); }

/* That bit of four words, the first word's lowest. */
static inline unsigned v_movemask_four(const uint32_t *words, unsigned bit)
{
    unsigned out = 0;
    for (int i = 0; i < 4; i++) out |= (words[i] >> bit & 1) << i;
    return out;
}

/* The sum of all lanes: ((0 + 1) + (2 + 3)) + ... */
static inline real v_reduce_add(vec a)
{
    for (int step = 1; step < LANES; step *= 2)
        for (int i = 0; i < LANES; i += 2 * step) a.lane[i] += a.lane[i + step];
    return a.lane[0];
}

/* Adds the sums of four vectors to as many numbers. */
static inline void v_reduce_add_four(const vec *r, real *to)
{
    for (int i = 0; i < 4; i++) to[i] += v_reduce_add(r[i]);
}

/* LANES vectors: lane k of vector i becomes lane i of vector k. */
static inline void v_transpose(vec *r)
{
    for (int i = 0; i < LANES; i++)
        for (int k = 0; k < i; k++) {
            real one = r[i].lane[k];
            r[i].lane[k] = r[k].lane[i];
            r[k].lane[i] = one;
        }
}

#undef EACH_LANE
#endif
