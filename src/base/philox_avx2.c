/* philox_avx2.c: Philox by the one instruction it is made for, 32 x 32 -> 64 bits in four lanes,
 * which neither gcc nor clang finds in the plain loop. */
#include "base/philox.h"

#if defined __x86_64__

#include <immintrin.h>

#define AVX2 __attribute__((target("avx2")))

/* Words of four counters, each in the lower half of a lane. The upper halves hold rubbish that
 * never comes down: the multiplication doesn't look at it. */
typedef struct four {
    __m256i c0, c1, c2, c3;
} four;

AVX2 static inline four one_round(four x, __m256i k0, __m256i k1)
{
    const __m256i m0 = _mm256_set1_epi64x(SG_PHILOX_MULTIPLIER_0);
    const __m256i m1 = _mm256_set1_epi64x(SG_PHILOX_MULTIPLIER_1);
    __m256i a = _mm256_mul_epu32(x.c0, m0), b = _mm256_mul_epu32(x.c2, m1);
    x.c0 = _mm256_xor_si256(_mm256_srli_epi64(b, 32), _mm256_xor_si256(x.c1, k0));
    x.c1 = b;
    x.c2 = _mm256_xor_si256(_mm256_srli_epi64(a, 32), _mm256_xor_si256(x.c3, k1));
    x.c3 = a;
    return x;
}

AVX2 static inline __m256i load(const uint32_t *word) { return _mm256_loadu_si256((const void *)word); }

AVX2 static inline four odd(four x)
{
    return (four){_mm256_srli_epi64(x.c0, 32), _mm256_srli_epi64(x.c1, 32),
                  _mm256_srli_epi64(x.c2, 32), _mm256_srli_epi64(x.c3, 32)};
}

AVX2 static inline void store(__m256i even, __m256i odd, uint32_t *word)
{
    _mm256_storeu_si256((void *)word, _mm256_blend_epi32(even, _mm256_slli_epi64(odd, 32), 0xAA));
}

/* Two independent sets of counters, so that one's multiplications hide the other's latency. */
AVX2 static void eight(sg_lanes *x, int at, uint32_t k0, uint32_t k1)
{
    four even = {load(x->word[0] + at), load(x->word[1] + at), load(x->word[2] + at), load(x->word[3] + at)};
    four other = odd(even);
    for (int round = 0; round < SG_PHILOX_ROUNDS; round++) {
        __m256i key0 = _mm256_set1_epi64x(k0), key1 = _mm256_set1_epi64x(k1);
        even = one_round(even, key0, key1);
        other = one_round(other, key0, key1);
        k0 += SG_PHILOX_WEYL_0;
        k1 += SG_PHILOX_WEYL_1;
    }
    store(even.c0, other.c0, x->word[0] + at);
    store(even.c1, other.c1, x->word[1] + at);
    store(even.c2, other.c2, x->word[2] + at);
    store(even.c3, other.c3, x->word[3] + at);
}

bool sg_philox_avx2(sg_lanes *x, uint32_t k0, uint32_t k1)
{
    if (!__builtin_cpu_supports("avx2")) return false;
    for (int at = 0; at < SG_LANES; at += 8) eight(x, at, k0, k1);
    return true;
}

#else

bool sg_philox_avx2(sg_lanes *x, uint32_t k0, uint32_t k1)
{
    (void)x;
    (void)k0;
    (void)k1;
    return false;
}

#endif
