/* vec_avx2_f32.h: a vector of eight floats in one AVX2 register. vec_portable.h defines the exact result of each
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

enum { LANES = 8 };
typedef float real;
typedef __m256 vec;

static inline vec v_load(const real *p) { return _mm256_loadu_ps(p); }
static inline void v_store(real *p, vec a) { _mm256_storeu_ps(p, a); }
static inline vec v_from_double(const double *p)
{
    return _mm256_set_m128(_mm256_cvtpd_ps(_mm256_loadu_pd(p + 4)), _mm256_cvtpd_ps(_mm256_loadu_pd(p)));
}
static inline void v_to_double(double *p, vec a)
{
    _mm256_storeu_pd(p, _mm256_cvtps_pd(_mm256_castps256_ps128(a)));
    _mm256_storeu_pd(p + 4, _mm256_cvtps_pd(_mm256_extractf128_ps(a, 1)));
}
static inline vec v_set1(real x) { return _mm256_set1_ps(x); }
/* Keeps gcc from folding a shared load into every operation that uses it. */
static inline vec v_pin(vec a)
{
    PIN(a);
    return a;
}
static inline vec v_add(vec a, vec b) { return _mm256_add_ps(a, b); }
static inline vec v_sub(vec a, vec b) { return _mm256_sub_ps(a, b); }
static inline vec v_mul(vec a, vec b) { return _mm256_mul_ps(a, b); }
static inline vec v_div(vec a, vec b) { return _mm256_div_ps(a, b); }
static inline vec v_fma(vec a, vec b, vec c) { return _mm256_fmadd_ps(a, b, c); }
static inline vec v_max(vec a, vec b) { return _mm256_max_ps(a, b); }
static inline vec v_min(vec a, vec b) { return _mm256_min_ps(a, b); }

static inline vec v_select_gt(vec a, vec b, vec yes, vec no)
{
    return _mm256_blendv_ps(no, yes, _mm256_cmp_ps(a, b, _CMP_GT_OQ));
}

static inline vec v_select_negative(vec a, vec yes, vec no) { return _mm256_blendv_ps(no, yes, a); }
static inline vec v_neg_abs(vec a) { return _mm256_or_ps(a, _mm256_set1_ps(-0.0f)); }

static inline vec v_scale_exp2(vec a, vec shifted)
{
    __m256i k = _mm256_slli_epi32(_mm256_castps_si256(shifted), 23);
    return _mm256_castsi256_ps(_mm256_add_epi32(_mm256_castps_si256(a), k));
}

typedef __m256i vbits;
static inline vbits v_bits(const uint32_t *words, unsigned top)
{
    __m256i all = _mm256_loadu_si256((const __m256i *)words);
    return _mm256_sll_epi32(all, _mm_cvtsi32_si128((int)(31 - top)));
}
static inline vbits v_bits_next(vbits bits) { return _mm256_add_epi32(bits, bits); }
static inline vec v_mask(vec a, vbits bits)
{
    vec none = v_pin(_mm256_setzero_ps()); /* if gcc knew this was 0, it would use three instructions, not two */
    return _mm256_blendv_ps(none, a, _mm256_castsi256_ps(bits));
}

static inline unsigned v_movemask_four(const uint32_t *words, unsigned bit)
{
    __m128i top = _mm_sll_epi32(_mm_loadu_si128((const __m128i *)words), _mm_cvtsi32_si128((int)(31 - bit)));
    return (unsigned)_mm_movemask_ps(_mm_castsi128_ps(top));
}

static inline real v_reduce_add(vec a)
{
    vec pairs = _mm256_add_ps(a, _mm256_permute_ps(a, 0xB1));
    vec fours = _mm256_add_ps(pairs, _mm256_permute_ps(pairs, 0x4E));
    return _mm_cvtss_f32(_mm_add_ss(_mm256_castps256_ps128(fours), _mm256_extractf128_ps(fours, 1)));
}

/* Returns the sums of adjacent lanes of a, then those of b, within each half. */
static inline vec v_hadd(vec a, vec b)
{
    return _mm256_add_ps(_mm256_shuffle_ps(a, b, 0x88), _mm256_shuffle_ps(a, b, 0xDD));
}

static inline void v_reduce_add_four(const vec *r, real *to)
{
    vec s = v_hadd(v_hadd(r[0], r[1]), v_hadd(r[2], r[3]));
    __m128 sums = _mm_add_ps(_mm256_castps256_ps128(s), _mm256_extractf128_ps(s, 1));
    _mm_storeu_ps(to, _mm_add_ps(_mm_loadu_ps(to), sums));
}

/* Transposes four rows within each half. */
static inline void v_transpose_halves(vec *r)
{
    vec a = _mm256_unpacklo_ps(r[0], r[1]), b = _mm256_unpackhi_ps(r[0], r[1]);
    vec c = _mm256_unpacklo_ps(r[2], r[3]), d = _mm256_unpackhi_ps(r[2], r[3]);
    r[0] = _mm256_shuffle_ps(a, c, 0x44);
    r[1] = _mm256_shuffle_ps(a, c, 0xEE);
    r[2] = _mm256_shuffle_ps(b, d, 0x44);
    r[3] = _mm256_shuffle_ps(b, d, 0xEE);
}

static inline void v_transpose(vec *r)
{
    v_transpose_halves(r);
    v_transpose_halves(r + 4);
    for (int i = 0; i < 4; i++) {
        vec low = r[i], high = r[i + 4];
        r[i] = _mm256_permute2f128_ps(low, high, 0x20);
        r[i + 4] = _mm256_permute2f128_ps(low, high, 0x31);
    }
}
