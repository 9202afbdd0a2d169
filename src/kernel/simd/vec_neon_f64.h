/* vec_neon_f64.h: a vector of four doubles in two NEON registers. vec_portable.h defines the exact result of each
 * operation. */
#pragma once

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 4 };
typedef double real;
typedef struct vec {
    float64x2_t a, b;
} vec;

static inline vec v_load(const real *p) { return (vec){vld1q_f64(p), vld1q_f64(p + 2)}; }
static inline vec v_load_strided(const real *p, size_t stride)
{
    return (vec){{p[0], p[stride]}, {p[2 * stride], p[3 * stride]}};
}
static inline void v_load_transposed(const real *const *row, vec *out)
{
    for (int k = 0; k < 4; k += 2) {
        float64x2_t r0 = vld1q_f64(row[0] + k), r1 = vld1q_f64(row[1] + k);
        float64x2_t r2 = vld1q_f64(row[2] + k), r3 = vld1q_f64(row[3] + k);
        out[k] = (vec){vtrn1q_f64(r0, r1), vtrn1q_f64(r2, r3)};
        out[k + 1] = (vec){vtrn2q_f64(r0, r1), vtrn2q_f64(r2, r3)};
    }
}
static inline void v_store(real *p, vec x)
{
    vst1q_f64(p, x.a);
    vst1q_f64(p + 2, x.b);
}
static inline vec v_from_double(const double *p) { return v_load(p); }
static inline void v_to_double(double *p, vec x) { v_store(p, x); }
static inline vec v_set1(real x) { return (vec){vdupq_n_f64(x), vdupq_n_f64(x)}; }
static inline vec v_pin(vec x) { return x; }
static inline vec v_add(vec x, vec y) { return (vec){vaddq_f64(x.a, y.a), vaddq_f64(x.b, y.b)}; }
static inline vec v_sub(vec x, vec y) { return (vec){vsubq_f64(x.a, y.a), vsubq_f64(x.b, y.b)}; }
static inline vec v_mul(vec x, vec y) { return (vec){vmulq_f64(x.a, y.a), vmulq_f64(x.b, y.b)}; }
static inline vec v_div(vec x, vec y) { return (vec){vdivq_f64(x.a, y.a), vdivq_f64(x.b, y.b)}; }
static inline vec v_sqrt(vec x) { return (vec){vsqrtq_f64(x.a), vsqrtq_f64(x.b)}; }
static inline vec v_fma(vec x, vec y, vec z) { return (vec){vfmaq_f64(z.a, x.a, y.a), vfmaq_f64(z.b, x.b, y.b)}; }

static inline void v_f32_rates(vec *x, float factor, float scale, float more)
{
    for (int k = 0; k < 2; k++) {
        float32x4_t root = vsqrtq_f32(vcvt_high_f32_f64(vcvt_f32_f64(x[k].a), x[k].b));
        float32x4_t rate = vdivq_f32(vdupq_n_f32(factor), vfmaq_f32(vdupq_n_f32(more), root, vdupq_n_f32(scale)));
        x[k] = (vec){vcvt_f64_f32(vget_low_f32(rate)), vcvt_high_f64_f32(rate)};
    }
}

static inline vec v_select_gt(vec x, vec y, vec yes, vec no)
{
    return (vec){vbslq_f64(vcgtq_f64(x.a, y.a), yes.a, no.a), vbslq_f64(vcgtq_f64(x.b, y.b), yes.b, no.b)};
}
static inline vec v_max(vec x, vec y) { return v_select_gt(x, y, x, y); }
static inline vec v_min(vec x, vec y) { return v_select_gt(y, x, x, y); }

static inline vec v_select_negative(vec x, vec yes, vec no)
{
    return (vec){vbslq_f64(vcltzq_s64(vreinterpretq_s64_f64(x.a)), yes.a, no.a),
                 vbslq_f64(vcltzq_s64(vreinterpretq_s64_f64(x.b)), yes.b, no.b)};
}
static inline vec v_neg_abs(vec x) { return (vec){vnegq_f64(vabsq_f64(x.a)), vnegq_f64(vabsq_f64(x.b))}; }

static inline float64x2_t v_scale_exp2_half(float64x2_t x, float64x2_t shifted)
{
    int64x2_t k = vshlq_n_s64(vreinterpretq_s64_f64(shifted), 52);
    return vreinterpretq_f64_s64(vaddq_s64(vreinterpretq_s64_f64(x), k));
}
static inline vec v_scale_exp2(vec x, vec shifted)
{
    return (vec){v_scale_exp2_half(x.a, shifted.a), v_scale_exp2_half(x.b, shifted.b)};
}

typedef struct vbits {
    int64x2_t a, b;
} vbits;
static inline vbits v_bits(const uint32_t *words, unsigned top)
{
    uint32x4_t all = vshlq_u32(vld1q_u32(words), vdupq_n_s32((int)(31 - top)));
    return (vbits){vreinterpretq_s64_u64(vshll_n_u32(vget_low_u32(all), 32)),
                   vreinterpretq_s64_u64(vshll_n_u32(vget_high_u32(all), 32))};
}
static inline vbits v_bits_next(vbits x) { return (vbits){vshlq_n_s64(x.a, 1), vshlq_n_s64(x.b, 1)}; }
static inline vec v_mask(vec x, vbits bits)
{
    const float64x2_t none = vdupq_n_f64(0);
    return (vec){vbslq_f64(vcltzq_s64(bits.a), x.a, none), vbslq_f64(vcltzq_s64(bits.b), x.b, none)};
}

static inline unsigned v_movemask_four(const uint32_t *words, unsigned bit)
{
    const uint32x4_t weight = {1, 2, 4, 8};
    uint32x4_t set = vtstq_u32(vld1q_u32(words), vdupq_n_u32(UINT32_C(1) << bit));
    return vaddvq_u32(vandq_u32(set, weight));
}

static inline real v_reduce_add(vec x) { return vaddvq_f64(x.a) + vaddvq_f64(x.b); }

static inline void v_reduce_add_four(const vec *r, real *to)
{
    for (int k = 0; k < 4; k += 2) {
        float64x2_t s = vaddq_f64(vpaddq_f64(r[k].a, r[k + 1].a), vpaddq_f64(r[k].b, r[k + 1].b));
        vst1q_f64(to + k, vaddq_f64(vld1q_f64(to + k), s));
    }
}

static inline void v_transpose(vec *r)
{
    vec a = r[0], b = r[1], c = r[2], d = r[3];
    r[0] = (vec){vtrn1q_f64(a.a, b.a), vtrn1q_f64(c.a, d.a)};
    r[1] = (vec){vtrn2q_f64(a.a, b.a), vtrn2q_f64(c.a, d.a)};
    r[2] = (vec){vtrn1q_f64(a.b, b.b), vtrn1q_f64(c.b, d.b)};
    r[3] = (vec){vtrn2q_f64(a.b, b.b), vtrn2q_f64(c.b, d.b)};
}
