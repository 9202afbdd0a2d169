/* vec_avx2_f64.h: a vector of four doubles in one AVX2 register. vec_portable.h defines the exact result of each
 * operation. */
#pragma once

#include <immintrin.h>
#include <stddef.h>
#include <stdint.h>

#if defined(__clang__)
#define PIN(a) ((void)(a))
#else
#define PIN(a) __asm__("" : "+x"(a))
#endif

enum { LANES = 4 };
typedef double real;
typedef __m256d vec;

static inline vec v_load(const real *p) { return _mm256_loadu_pd(p); }
static inline vec v_load_strided(const real *p, size_t stride)
{
    return _mm256_setr_pd(p[0], p[stride], p[2 * stride], p[3 * stride]);
}
/* Loads half a vector of each of two rows into one register, which saves half of the shuffles. */
static inline vec v_load_halves(const real *low, const real *high)
{
    return _mm256_insertf128_pd(_mm256_castpd128_pd256(_mm_loadu_pd(low)), _mm_loadu_pd(high), 1);
}
static inline void v_load_transposed(const real *const *row, vec *out)
{
    for (int k = 0; k < 4; k += 2) {
        vec even = v_load_halves(row[0] + k, row[2] + k), odd = v_load_halves(row[1] + k, row[3] + k);
        out[k] = _mm256_unpacklo_pd(even, odd);
        out[k + 1] = _mm256_unpackhi_pd(even, odd);
    }
}
static inline void v_store(real *p, vec a) { _mm256_storeu_pd(p, a); }
static inline vec v_from_double(const double *p) { return v_load(p); }
static inline void v_to_double(double *p, vec a) { v_store(p, a); }
static inline vec v_set1(real x) { return _mm256_set1_pd(x); }
/* Keeps gcc from folding a shared load into every operation that uses it. */
static inline vec v_pin(vec a)
{
    PIN(a);
    return a;
}
static inline vec v_add(vec a, vec b) { return _mm256_add_pd(a, b); }
static inline vec v_sub(vec a, vec b) { return _mm256_sub_pd(a, b); }
static inline vec v_mul(vec a, vec b) { return _mm256_mul_pd(a, b); }
static inline vec v_div(vec a, vec b) { return _mm256_div_pd(a, b); }
static inline vec v_fma(vec a, vec b, vec c) { return _mm256_fmadd_pd(a, b, c); }
static inline vec v_sqrt(vec a) { return _mm256_sqrt_pd(a); }
static inline void v_f32_rates(vec *a, float factor, float scale, float more)
{
    __m256 root = _mm256_sqrt_ps(_mm256_set_m128(_mm256_cvtpd_ps(a[1]), _mm256_cvtpd_ps(a[0])));
    __m256 all = _mm256_fmadd_ps(root, _mm256_set1_ps(scale), _mm256_set1_ps(more));
    __m256 rate = _mm256_div_ps(_mm256_set1_ps(factor), all);
    a[0] = _mm256_cvtps_pd(_mm256_castps256_ps128(rate));
    a[1] = _mm256_cvtps_pd(_mm256_extractf128_ps(rate, 1));
}
static inline vec v_max(vec a, vec b) { return _mm256_max_pd(a, b); }
static inline vec v_min(vec a, vec b) { return _mm256_min_pd(a, b); }

static inline vec v_select_gt(vec a, vec b, vec yes, vec no)
{
    return _mm256_blendv_pd(no, yes, _mm256_cmp_pd(a, b, _CMP_GT_OQ));
}

static inline vec v_select_negative(vec a, vec yes, vec no) { return _mm256_blendv_pd(no, yes, a); }
static inline vec v_neg_abs(vec a) { return _mm256_or_pd(a, _mm256_set1_pd(-0.0)); }

static inline vec v_scale_exp2(vec a, vec shifted)
{
    __m256i k = _mm256_slli_epi64(_mm256_castpd_si256(shifted), 52);
    return _mm256_castsi256_pd(_mm256_add_epi64(_mm256_castpd_si256(a), k));
}

typedef __m256i vbits;
static inline vbits v_bits(const uint32_t *words, unsigned top)
{
    __m256i wide = _mm256_cvtepu32_epi64(_mm_loadu_si128((const __m128i *)words));
    return _mm256_sll_epi64(wide, _mm_cvtsi32_si128((int)(63 - top)));
}
static inline vbits v_bits_next(vbits bits) { return _mm256_add_epi64(bits, bits); }
static inline vec v_mask(vec a, vbits bits)
{
    vec none = v_pin(_mm256_setzero_pd()); /* if gcc knew this was 0, it would use three instructions, not two */
    return _mm256_blendv_pd(none, a, _mm256_castsi256_pd(bits));
}

static inline unsigned v_movemask_four(const uint32_t *words, unsigned bit)
{
    __m128i top = _mm_sll_epi32(_mm_loadu_si128((const __m128i *)words), _mm_cvtsi32_si128((int)(31 - bit)));
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(top));
}

static inline real v_reduce_add(vec a)
{
    vec pairs = _mm256_add_pd(a, _mm256_permute_pd(a, 5));
    return _mm_cvtsd_f64(_mm_add_sd(_mm256_castpd256_pd128(pairs), _mm256_extractf128_pd(pairs, 1)));
}

static inline void v_reduce_add_four(const vec *r, real *to)
{
    vec s = _mm256_add_pd(_mm256_unpacklo_pd(r[0], r[1]), _mm256_unpackhi_pd(r[0], r[1]));
    vec t = _mm256_add_pd(_mm256_unpacklo_pd(r[2], r[3]), _mm256_unpackhi_pd(r[2], r[3]));
    vec sums = _mm256_add_pd(_mm256_permute2f128_pd(s, t, 0x20), _mm256_permute2f128_pd(s, t, 0x31));
    v_store(to, _mm256_add_pd(v_load(to), sums));
}

static inline void v_transpose(vec *r)
{
    vec a = _mm256_unpacklo_pd(r[0], r[1]), b = _mm256_unpackhi_pd(r[0], r[1]);
    vec c = _mm256_unpacklo_pd(r[2], r[3]), d = _mm256_unpackhi_pd(r[2], r[3]);
    r[0] = _mm256_permute2f128_pd(a, c, 0x20);
    r[1] = _mm256_permute2f128_pd(b, d, 0x20);
    r[2] = _mm256_permute2f128_pd(a, c, 0x31);
    r[3] = _mm256_permute2f128_pd(b, d, 0x31);
}
