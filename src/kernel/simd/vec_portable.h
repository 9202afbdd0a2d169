/* vec_portable.h: a vector of 32 bytes in portable C, and the definition of all vector operations.
 *
 * The headers of other instruction sets define the same names and must give bit-identical results, so every operation
 * is one IEEE operation per lane or a fixed sequence of them. The including file defines the type `real`, REAL_BITS
 * (the unsigned integer type of the same size), REAL_FMA and REAL_SQRT (its functions) and REAL_MANTISSA (its mantissa
 * length). */
#pragma once

#include <math.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

#define PORTABLE_VECTORS 1 /* vectors are arrays, not registers */

enum { LANES = 32 / sizeof(real) };
typedef struct vec {
    real lane[LANES];
} vec;

#define EACH_LANE(expression)                                                                                          \
    vec out;                                                                                                           \
    for (int i = 0; i < LANES; i++) out.lane[i] = (expression);                                                        \
    return out

static inline vec v_load(const real *p) { EACH_LANE(p[i]); }
/* Loads LANES values that are `stride` apart. */
static inline vec v_load_strided(const real *p, size_t stride) { EACH_LANE(p[(size_t)i * stride]); }
/* Loads the first LANES values of LANES rows, transposed: out[k] holds value k of each row. */
static inline void v_load_transposed(const real *const *row, vec *out)
{
    for (int k = 0; k < LANES; k++)
        for (int i = 0; i < LANES; i++) out[k].lane[i] = row[i][k];
}
static inline void v_store(real *p, vec a) { memcpy(p, a.lane, sizeof a.lane); }
/* Convert from and to LANES doubles. */
static inline vec v_from_double(const double *p) { EACH_LANE((real)p[i]); }
static inline void v_to_double(double *p, vec a)
{
    for (int i = 0; i < LANES; i++) p[i] = (double)a.lane[i];
}
static inline vec v_set1(real x) { EACH_LANE(x); }
/* Returns a. For other instruction sets, it may force a into a register. */
static inline vec v_pin(vec a) { return a; }
static inline vec v_add(vec a, vec b) { EACH_LANE(a.lane[i] + b.lane[i]); }
static inline vec v_sub(vec a, vec b) { EACH_LANE(a.lane[i] - b.lane[i]); }
static inline vec v_mul(vec a, vec b) { EACH_LANE(a.lane[i] * b.lane[i]); }
static inline vec v_div(vec a, vec b) { EACH_LANE(a.lane[i] / b.lane[i]); }
static inline vec v_sqrt(vec a) { EACH_LANE(REAL_SQRT(a.lane[i])); }
/* Replaces two vectors a >= 0 with factor / (sqrt(a) * scale + more), computed in float. */
static inline void v_f32_rates(vec *a, float factor, float scale, float more)
{
    for (int k = 0; k < 2; k++)
        for (int i = 0; i < LANES; i++) a[k].lane[i] = (real)(factor / fmaf(sqrtf((float)a[k].lane[i]), scale, more));
}
/* Returns a * b + c with a single rounding. */
static inline vec v_fma(vec a, vec b, vec c) { EACH_LANE(REAL_FMA(a.lane[i], b.lane[i], c.lane[i])); }
/* Return b if either is NaN. */
static inline vec v_max(vec a, vec b) { EACH_LANE(a.lane[i] > b.lane[i] ? a.lane[i] : b.lane[i]); }
static inline vec v_min(vec a, vec b) { EACH_LANE(a.lane[i] < b.lane[i] ? a.lane[i] : b.lane[i]); }
/* Returns a > b ? yes : no. */
static inline vec v_select_gt(vec a, vec b, vec yes, vec no)
{
    EACH_LANE(a.lane[i] > b.lane[i] ? yes.lane[i] : no.lane[i]);
}

/* Selects by the sign bit of a, so -0 is negative. */
static inline vec v_select_negative(vec a, vec yes, vec no)
{
    EACH_LANE(signbit(a.lane[i]) ? yes.lane[i] : no.lane[i]);
}

/* Returns -|a|. */
static inline vec v_neg_abs(vec a) { EACH_LANE(signbit(a.lane[i]) ? a.lane[i] : -a.lane[i]); }

/* Shifts the bits of `shifted` into the exponent and adds them to the bits of a. Returns a * 2^k if `shifted` is 1.5 *
 * 2^REAL_MANTISSA + k. */
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

/* One word per lane, whose highest bit says whether v_mask keeps the lane. */
typedef struct vbits {
    uint32_t lane[LANES];
} vbits;
/* Loads the words of the lanes and shifts them so that bit `top` becomes the highest. */
static inline vbits v_bits(const uint32_t *words, unsigned top)
{
    vbits out;
    for (int i = 0; i < LANES; i++) out.lane[i] = words[i] << (31 - top);
    return out;
}
/* Shifts the words so that the next lower bit becomes the highest. */
static inline vbits v_bits_next(vbits bits)
{
    for (int i = 0; i < LANES; i++) bits.lane[i] <<= 1;
    return bits;
}
/* Keeps the lanes whose highest bit is set and sets the others to 0. */
static inline vec v_mask(vec a, vbits bits) { EACH_LANE(bits.lane[i] >> 31 ? a.lane[i] : 0); }

/* Collects bit `bit` of four words, where the first word gives the lowest bit. */
static inline unsigned v_movemask_four(const uint32_t *words, unsigned bit)
{
    unsigned out = 0;
    for (int i = 0; i < 4; i++) out |= (words[i] >> bit & 1) << i;
    return out;
}

/* Returns the sum of all lanes: ((0 + 1) + (2 + 3)) + ... */
static inline real v_reduce_add(vec a)
{
    for (int step = 1; step < LANES; step *= 2)
        for (int i = 0; i < LANES; i += 2 * step) a.lane[i] += a.lane[i + step];
    return a.lane[0];
}

/* Adds the horizontal sums of four vectors to the four elements of `to`. */
static inline void v_reduce_add_four(const vec *r, real *to)
{
    for (int i = 0; i < 4; i++) to[i] += v_reduce_add(r[i]);
}

/* Transposes LANES vectors: lane k of vector i becomes lane i of vector k. */
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
