/* vec_neon_f32.h: a vector of eight floats in two NEON registers. vec_portable.h defines the exact result of each
 * operation. */
#pragma once

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 8 };
typedef float real;
typedef struct vec {
    float32x4_t a, b;
} vec;

static inline vec v_load(const real *p) { return (vec){vld1q_f32(p), vld1q_f32(p + 4)}; }
static inline void v_store(real *p, vec x)
{
    vst1q_f32(p, x.a);
    vst1q_f32(p + 4, x.b);
}
static inline float32x4_t v_four_from_double(const double *p)
{
    return vcvt_high_f32_f64(vcvt_f32_f64(vld1q_f64(p)), vld1q_f64(p + 2));
}
static inline vec v_from_double(const double *p) { return (vec){v_four_from_double(p), v_four_from_double(p + 4)}; }
static inline void v_four_to_double(double *p, float32x4_t x)
{
    vst1q_f64(p, vcvt_f64_f32(vget_low_f32(x)));
    vst1q_f64(p + 2, vcvt_high_f64_f32(x));
}
static inline void v_to_double(double *p, vec x)
{
    v_four_to_double(p, x.a);
    v_four_to_double(p + 4, x.b);
}
static inline vec v_set1(real x) { return (vec){vdupq_n_f32(x), vdupq_n_f32(x)}; }
static inline vec v_pin(vec x) { return x; }
static inline vec v_add(vec x, vec y) { return (vec){vaddq_f32(x.a, y.a), vaddq_f32(x.b, y.b)}; }
static inline vec v_sub(vec x, vec y) { return (vec){vsubq_f32(x.a, y.a), vsubq_f32(x.b, y.b)}; }
static inline vec v_mul(vec x, vec y) { return (vec){vmulq_f32(x.a, y.a), vmulq_f32(x.b, y.b)}; }
static inline vec v_div(vec x, vec y) { return (vec){vdivq_f32(x.a, y.a), vdivq_f32(x.b, y.b)}; }
static inline vec v_fma(vec x, vec y, vec z) { return (vec){vfmaq_f32(z.a, x.a, y.a), vfmaq_f32(z.b, x.b, y.b)}; }

static inline vec v_select_gt(vec x, vec y, vec yes, vec no)
{
    return (vec){vbslq_f32(vcgtq_f32(x.a, y.a), yes.a, no.a), vbslq_f32(vcgtq_f32(x.b, y.b), yes.b, no.b)};
}
static inline vec v_max(vec x, vec y) { return v_select_gt(x, y, x, y); }
static inline vec v_min(vec x, vec y) { return v_select_gt(y, x, x, y); }

static inline vec v_select_negative(vec x, vec yes, vec no)
{
    return (vec){vbslq_f32(vcltzq_s32(vreinterpretq_s32_f32(x.a)), yes.a, no.a),
                 vbslq_f32(vcltzq_s32(vreinterpretq_s32_f32(x.b)), yes.b, no.b)};
}
static inline vec v_neg_abs(vec x) { return (vec){vnegq_f32(vabsq_f32(x.a)), vnegq_f32(vabsq_f32(x.b))}; }

static inline float32x4_t v_scale_exp2_half(float32x4_t x, float32x4_t shifted)
{
    int32x4_t k = vshlq_n_s32(vreinterpretq_s32_f32(shifted), 23);
    return vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(x), k));
}
static inline vec v_scale_exp2(vec x, vec shifted)
{
    return (vec){v_scale_exp2_half(x.a, shifted.a), v_scale_exp2_half(x.b, shifted.b)};
}

typedef struct vbits {
    int32x4_t a, b;
} vbits;
static inline vbits v_bits(const uint32_t *words, unsigned top)
{
    int32x4_t by = vdupq_n_s32((int)(31 - top));
    return (vbits){vreinterpretq_s32_u32(vshlq_u32(vld1q_u32(words), by)),
                   vreinterpretq_s32_u32(vshlq_u32(vld1q_u32(words + 4), by))};
}
static inline vbits v_bits_next(vbits x) { return (vbits){vshlq_n_s32(x.a, 1), vshlq_n_s32(x.b, 1)}; }
static inline vec v_mask(vec x, vbits bits)
{
    const float32x4_t none = vdupq_n_f32(0);
    return (vec){vbslq_f32(vcltzq_s32(bits.a), x.a, none), vbslq_f32(vcltzq_s32(bits.b), x.b, none)};
}

static inline float32x4_t v_hadd(float32x4_t p, float32x4_t q, float32x4_t r, float32x4_t s)
{
    return vpaddq_f32(vpaddq_f32(p, q), vpaddq_f32(r, s));
}

static inline unsigned v_movemask_four(const uint32_t *words, unsigned bit)
{
    const uint32x4_t weight = {1, 2, 4, 8};
    uint32x4_t set = vtstq_u32(vld1q_u32(words), vdupq_n_u32(UINT32_C(1) << bit));
    return vaddvq_u32(vandq_u32(set, weight));
}

static inline real v_reduce_add(vec x)
{
    float32x4_t s = v_hadd(x.a, x.a, x.a, x.a), t = v_hadd(x.b, x.b, x.b, x.b);
    return vgetq_lane_f32(vaddq_f32(s, t), 0);
}

static inline void v_reduce_add_four(const vec *r, real *to)
{
    float32x4_t s = vaddq_f32(v_hadd(r[0].a, r[1].a, r[2].a, r[3].a), v_hadd(r[0].b, r[1].b, r[2].b, r[3].b));
    vst1q_f32(to, vaddq_f32(vld1q_f32(to), s));
}

/* Transposes the 4 x 4 matrix in four registers. */
static inline void v_transpose_four(float32x4_t *r)
{
    float32x4x2_t low = vtrnq_f32(r[0], r[1]), high = vtrnq_f32(r[2], r[3]);
    r[0] = vcombine_f32(vget_low_f32(low.val[0]), vget_low_f32(high.val[0]));
    r[1] = vcombine_f32(vget_low_f32(low.val[1]), vget_low_f32(high.val[1]));
    r[2] = vcombine_f32(vget_high_f32(low.val[0]), vget_high_f32(high.val[0]));
    r[3] = vcombine_f32(vget_high_f32(low.val[1]), vget_high_f32(high.val[1]));
}

static inline void v_transpose(vec *r)
{
    float32x4_t part[4][4];
    for (int i = 0; i < 4; i++) {
        part[0][i] = r[i].a;
        part[1][i] = r[i + 4].a;
        part[2][i] = r[i].b;
        part[3][i] = r[i + 4].b;
    }
    for (int i = 0; i < 4; i++) v_transpose_four(part[i]);
    for (int i = 0; i < 4; i++) {
        r[i] = (vec){part[0][i], part[1][i]};
        r[i + 4] = (vec){part[2][i], part[3][i]};
    }
}
