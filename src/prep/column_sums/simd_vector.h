/* simd_vector.h: portable SIMD vectors of doubles and 64-bit integers, as wide as the target instruction set allows, or
 * of one lane if SG_SCALAR_LANES is defined. The operators of C work on them lane by lane. Every operation is exact or
 * correctly rounded in each lane, so results do not depend on the width. */
#pragma once

#include <stdint.h>
#include <string.h>

#if defined(__AVX2__) && !defined(SG_SCALAR_LANES)

#include <immintrin.h>

enum { SG_LANES = 4 };
typedef __m256d sg_lanes_f64;
typedef uint64_t sg_lanes_u64 __attribute__((vector_size(8 * SG_LANES)));

static inline sg_lanes_f64 sg_lanes_f64_broadcast(double x) { return _mm256_set1_pd(x); }
/* These two return b if a is NaN. */
static inline sg_lanes_f64 sg_lanes_f64_min(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm256_min_pd(a, b); }
static inline sg_lanes_f64 sg_lanes_f64_max(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm256_max_pd(a, b); }
/* Returns b, or 0 if a is NaN. */
static inline sg_lanes_f64 sg_lanes_f64_zero_if_nan(sg_lanes_f64 a, sg_lanes_f64 b)
{
    return _mm256_and_pd(_mm256_cmp_pd(a, a, _CMP_ORD_Q), b);
}
/* Returns the product of the two 32-bit halves of each lane. */
static inline sg_lanes_u64 sg_lanes_u64_multiply_halves(sg_lanes_u64 a)
{
    return (sg_lanes_u64)_mm256_mul_epu32((__m256i)a, (__m256i)(a >> 32));
}

#elif defined(__SSE2__) && !defined(SG_SCALAR_LANES)

#include <emmintrin.h>

enum { SG_LANES = 2 };
typedef __m128d sg_lanes_f64;
typedef uint64_t sg_lanes_u64 __attribute__((vector_size(8 * SG_LANES)));

static inline sg_lanes_f64 sg_lanes_f64_broadcast(double x) { return _mm_set1_pd(x); }
static inline sg_lanes_f64 sg_lanes_f64_min(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm_min_pd(a, b); }
static inline sg_lanes_f64 sg_lanes_f64_max(sg_lanes_f64 a, sg_lanes_f64 b) { return _mm_max_pd(a, b); }
static inline sg_lanes_f64 sg_lanes_f64_zero_if_nan(sg_lanes_f64 a, sg_lanes_f64 b)
{
    return _mm_and_pd(_mm_cmpord_pd(a, a), b);
}
static inline sg_lanes_u64 sg_lanes_u64_multiply_halves(sg_lanes_u64 a)
{
    return (sg_lanes_u64)_mm_mul_epu32((__m128i)a, (__m128i)(a >> 32));
}

#else

enum { SG_LANES = 1 };
typedef double sg_lanes_f64;
typedef uint64_t sg_lanes_u64;

static inline sg_lanes_f64 sg_lanes_f64_broadcast(double x) { return x; }
static inline sg_lanes_f64 sg_lanes_f64_min(sg_lanes_f64 a, sg_lanes_f64 b) { return a < b ? a : b; }
static inline sg_lanes_f64 sg_lanes_f64_max(sg_lanes_f64 a, sg_lanes_f64 b) { return a > b ? a : b; }
static inline sg_lanes_f64 sg_lanes_f64_zero_if_nan(sg_lanes_f64 a, sg_lanes_f64 b) { return a == a ? b : 0; }
static inline sg_lanes_u64 sg_lanes_u64_multiply_halves(sg_lanes_u64 a) { return (a & UINT32_MAX) * (a >> 32); }

#endif

static inline sg_lanes_f64 sg_lanes_f64_load(const double *x)
{
    sg_lanes_f64 v;
    memcpy(&v, x, sizeof v);
    return v;
}
static inline void sg_lanes_f64_store(double *x, sg_lanes_f64 v) { memcpy(x, &v, sizeof v); }
static inline sg_lanes_u64 sg_lanes_u64_load(const void *x)
{
    sg_lanes_u64 v;
    memcpy(&v, x, sizeof v);
    return v;
}
static inline void sg_lanes_u64_store(uint64_t *x, sg_lanes_u64 v) { memcpy(x, &v, sizeof v); }
