/* simd_vector.h: portable SIMD vectors of doubles and 64-bit integers, as wide as the target instruction set allows, or
 * of one lane if SG_SCALAR_LANES is defined. Every operation is exact or correctly rounded in each lane, so results do
 * not depend on the width. */
#pragma once

#include <stddef.h>
#include <stdint.h>

#if defined(__AVX2__) && !defined(SG_SCALAR_LANES)

#include <immintrin.h>

enum { SG_LANES = 4 };
typedef __m256d sg_lanes_f64;
typedef __m256i sg_lanes_u64;

static inline sg_lanes_f64 sg_lanes_f64_broadcast(double x) { return _mm256_set1_pd(x); }
static inline sg_lanes_f64 sg_lanes_f64_load(const double *x) { return _mm256_loadu_pd(x); }
static inline void sg_lanes_f64_store(double *x, sg_lanes_f64 v) { _mm256_storeu_pd(x, v); }
static inline sg_lanes_f64 sg_lanes_f64_add(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm256_add_pd(a, b); }
static inline sg_lanes_f64 sg_lanes_f64_sub(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm256_sub_pd(a, b); }
static inline sg_lanes_f64 sg_lanes_f64_mul(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm256_mul_pd(a, b); }
/* These two return b if a is NaN. */
static inline sg_lanes_f64 sg_lanes_f64_min(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm256_min_pd(a, b); }
static inline sg_lanes_f64 sg_lanes_f64_max(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm256_max_pd(a, b); }
/* Returns b, or 0 if a is NaN. */
static inline sg_lanes_f64 sg_lanes_f64_zero_if_nan(sg_lanes_f64 a, sg_lanes_f64 b)
{
    return _mm256_and_pd(_mm256_cmp_pd(a, a, _CMP_ORD_Q), b);
}

static inline sg_lanes_u64 sg_lanes_u64_broadcast(uint64_t x) { return _mm256_set1_epi64x((long long)x); }
static inline sg_lanes_u64 sg_lanes_u64_load(const void *x) { return _mm256_loadu_si256(x); }
static inline void sg_lanes_u64_store(uint64_t *x, sg_lanes_u64 v) { _mm256_storeu_si256((void *)x, v); }
static inline sg_lanes_u64 sg_lanes_u64_add(sg_lanes_u64 a, sg_lanes_u64 b) { return _mm256_add_epi64(a, b); }
static inline sg_lanes_u64 sg_lanes_u64_xor(sg_lanes_u64 a, sg_lanes_u64 b) { return _mm256_xor_si256(a, b); }
/* Returns the product of the two 32-bit halves of each lane. */
static inline sg_lanes_u64 sg_lanes_u64_multiply_halves(sg_lanes_u64 a)
{
    return _mm256_mul_epu32(a, _mm256_srli_epi64(a, 32));
}

#elif defined(__SSE2__) && !defined(SG_SCALAR_LANES)

#include <emmintrin.h>

enum { SG_LANES = 2 };
typedef __m128d sg_lanes_f64;
typedef __m128i sg_lanes_u64;

static inline sg_lanes_f64 sg_lanes_f64_broadcast(double x) { return _mm_set1_pd(x); }
static inline sg_lanes_f64 sg_lanes_f64_load(const double *x) { return _mm_loadu_pd(x); }
static inline void sg_lanes_f64_store(double *x, sg_lanes_f64 v) { _mm_storeu_pd(x, v); }
static inline sg_lanes_f64 sg_lanes_f64_add(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm_add_pd(a, b); }
static inline sg_lanes_f64 sg_lanes_f64_sub(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm_sub_pd(a, b); }
static inline sg_lanes_f64 sg_lanes_f64_mul(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm_mul_pd(a, b); }
static inline sg_lanes_f64 sg_lanes_f64_min(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm_min_pd(a, b); }
static inline sg_lanes_f64 sg_lanes_f64_max(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm_max_pd(a, b); }
static inline sg_lanes_f64 sg_lanes_f64_zero_if_nan(sg_lanes_f64 a, sg_lanes_f64 b)
{
    return _mm_and_pd(_mm_cmpord_pd(a, a), b);
}

static inline sg_lanes_u64 sg_lanes_u64_broadcast(uint64_t x) { return _mm_set1_epi64x((long long)x); }
static inline sg_lanes_u64 sg_lanes_u64_load(const void *x) { return _mm_loadu_si128(x); }
static inline void sg_lanes_u64_store(uint64_t *x, sg_lanes_u64 v) { _mm_storeu_si128((void *)x, v); }
static inline sg_lanes_u64 sg_lanes_u64_add(sg_lanes_u64 a, sg_lanes_u64 b) { return _mm_add_epi64(a, b); }
static inline sg_lanes_u64 sg_lanes_u64_xor(sg_lanes_u64 a, sg_lanes_u64 b) { return _mm_xor_si128(a, b); }
static inline sg_lanes_u64 sg_lanes_u64_multiply_halves(sg_lanes_u64 a)
{
    return _mm_mul_epu32(a, _mm_srli_epi64(a, 32));
}

#else

#include <string.h>

enum { SG_LANES = 1 };
typedef double sg_lanes_f64;
typedef uint64_t sg_lanes_u64;

static inline sg_lanes_f64 sg_lanes_f64_broadcast(double x) { return x; }
static inline sg_lanes_f64 sg_lanes_f64_load(const double *x) { return *x; }
static inline void sg_lanes_f64_store(double *x, sg_lanes_f64 v) { *x = v; }
static inline sg_lanes_f64 sg_lanes_f64_add(sg_lanes_f64 a, sg_lanes_f64 b) { return a + b; }
static inline sg_lanes_f64 sg_lanes_f64_sub(sg_lanes_f64 a, sg_lanes_f64 b) { return a - b; }
static inline sg_lanes_f64 sg_lanes_f64_mul(sg_lanes_f64 a, sg_lanes_f64 b) { return a * b; }
static inline sg_lanes_f64 sg_lanes_f64_min(sg_lanes_f64 a, sg_lanes_f64 b) { return a < b ? a : b; }
static inline sg_lanes_f64 sg_lanes_f64_max(sg_lanes_f64 a, sg_lanes_f64 b) { return a > b ? a : b; }
static inline sg_lanes_f64 sg_lanes_f64_zero_if_nan(sg_lanes_f64 a, sg_lanes_f64 b) { return a == a ? b : 0; }

static inline sg_lanes_u64 sg_lanes_u64_broadcast(uint64_t x) { return x; }
static inline sg_lanes_u64 sg_lanes_u64_load(const void *x)
{
    uint64_t word;
    memcpy(&word, x, sizeof word);
    return word;
}
static inline void sg_lanes_u64_store(uint64_t *x, sg_lanes_u64 v) { *x = v; }
static inline sg_lanes_u64 sg_lanes_u64_add(sg_lanes_u64 a, sg_lanes_u64 b) { return a + b; }
static inline sg_lanes_u64 sg_lanes_u64_xor(sg_lanes_u64 a, sg_lanes_u64 b) { return a ^ b; }
static inline sg_lanes_u64 sg_lanes_u64_multiply_halves(sg_lanes_u64 a) { return (a & UINT32_MAX) * (a >> 32); }

#endif
