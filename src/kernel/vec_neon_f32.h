/* vec_neon_f32.h: a vector of eight floats in two NEON registers. What the functions mean is said in
 * vec_portable.h, whose bits they must give. */
#ifndef SG_KERNEL_VEC_NEON_F32_H
#define SG_KERNEL_VEC_NEON_F32_H

#include <arm_neon.h>
#include <stddef.h>
#include <stdint.h>

enum { LANES = 8 };
typedef float real;
typedef struct vec { float32x4_t a, b; } vec;

static inline vec v_load(const real *p) { return (vec){vld1q_f32(p), vld1q_f32(p + 4)}; }
static inline float32x2_t v_narrow_two(const double *p, double largest)
{
    float64x2_t x = vld1q_f64(p), low = vdupq_n_f64(-largest), high = vdupq_n_f64(largest);
    x = vbslq_f64(vcltq_f64(x, low), low, x);
    return vcvt_f32_f64(vbslq_f64(vcgtq_f64(x, high), high, x));
}
static inline vec v_narrow(const double *p, double largest)
{
    return (vec){vcombine_f32(v_narrow_two(p, largest), v_narrow_two(p + 2, largest)),
                 vcombine_f32(v_narrow_two(p + 4, largest), v_narrow_two(p + 6, largest))};
}
static inline void v_store(real *p, vec x)
{
    vst1q_f32(p, x.a);
    vst1q_f32(p + 4, x.b);
}
static inline vec v_all(real x) { return (vec){vdupq_n_f32(x), vdupq_n_f32(x)}; }
static inline vec v_pin(vec x) { return x; }
static inline vec v_add(vec x, vec y) { return (vec){vaddq_f32(x.a, y.a), vaddq_f32(x.b, y.b)}; }
static inline vec v_sub(vec x, vec y) { return (vec){vsubq_f32(x.a, y.a), vsubq_f32(x.b, y.b)}; }
static inline vec v_mul(vec x, vec y) { return (vec){vmulq_f32(x.a, y.a), vmulq_f32(x.b, y.b)}; }
static inline vec v_div(vec x, vec y) { return (vec){vdivq_f32(x.a, y.a), vdivq_f32(x.b, y.b)}; }
static inline vec v_sqrt(vec x) { return (vec){vsqrtq_f32(x.a), vsqrtq_f32(x.b)}; }
static inline vec v_fma(vec x, vec y, vec z)
{
    return (vec){vfmaq_f32(z.a, x.a, y.a), vfmaq_f32(z.b, x.b, y.b)};
}

static inline vec v_where_above(vec x, vec y, vec yes, vec no)
{
    return (vec){vbslq_f32(vcgtq_f32(x.a, y.a), yes.a, no.a),
                 vbslq_f32(vcgtq_f32(x.b, y.b), yes.b, no.b)};
}
static inline vec v_max(vec x, vec y) { return v_where_above(x, y, x, y); }
static inline vec v_min(vec x, vec y) { return v_where_above(y, x, x, y); }

static inline float32x4_t v_scale_half(float32x4_t x, float32x4_t shifted)
{
    int32x4_t k = vshlq_n_s32(vreinterpretq_s32_f32(shifted), 23);
    return vreinterpretq_f32_s32(vaddq_s32(vreinterpretq_s32_f32(x), k));
}
static inline vec v_scale(vec x, vec shifted)
{
    return (vec){v_scale_half(x.a, shifted.a), v_scale_half(x.b, shifted.b)};
}

typedef struct vbits { int32x4_t a, b; } vbits;
static inline vbits v_bits(const uint32_t *words, unsigned top)
{
    int32x4_t by = vdupq_n_s32((int)(31 - top));
    return (vbits){vreinterpretq_s32_u32(vshlq_u32(vld1q_u32(words), by)),
                   vreinterpretq_s32_u32(vshlq_u32(vld1q_u32(words + 4), by))};
}
static inline vbits v_bits_next(vbits x)
{
    return (vbits){vshlq_n_s32(x.a, 1), vshlq_n_s32(x.b, 1)};
}
static inline vec v_keep(vec x, vbits bits)
{
    const float32x4_t none = vdupq_n_f32(0);
    return (vec){vbslq_f32(vcltzq_s32(bits.a), x.a, none), vbslq_f32(vcltzq_s32(bits.b), x.b, none)};
}

static inline float32x4_t v_pairs(float32x4_t p, float32x4_t q, float32x4_t r, float32x4_t s)
{
    return vpaddq_f32(vpaddq_f32(p, q), vpaddq_f32(r, s));
}

static inline real v_sum(vec x)
{
    float32x4_t s = v_pairs(x.a, x.a, x.a, x.a), t = v_pairs(x.b, x.b, x.b, x.b);
    return vgetq_lane_f32(vaddq_f32(s, t), 0);
}

static inline vec v_sum_rows(const vec *r)
{
    return (vec){vaddq_f32(v_pairs(r[0].a, r[1].a, r[2].a, r[3].a),
                           v_pairs(r[0].b, r[1].b, r[2].b, r[3].b)),
                 vaddq_f32(v_pairs(r[4].a, r[5].a, r[6].a, r[7].a),
                           v_pairs(r[4].b, r[5].b, r[6].b, r[7].b))};
}

#endif
