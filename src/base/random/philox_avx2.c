/* philox_avx2.c: Philox4x32-10 with AVX2.
 *
 * This file uses the 32 x 32 -> 64 bit multiplication of four lanes, which neither gcc nor clang generates from the
 * portable loop. */
#include "base/random/philox.h"

#if defined __x86_64__ && defined __LP64__

#include <immintrin.h>

#define AVX2   __attribute__((target("avx2")))
#define INLINE AVX2 static inline __attribute__((always_inline))

/* Counters per step: two sets of four, so that the multiplications of one set hide the latency of the other. More sets
 * would not fit into the registers. */
enum { EIGHT = 8 };

/* The words of four counters, each in the lower half of a 64-bit lane. The upper halves hold garbage, which the
 * multiplication ignores. */
typedef struct counters4 {
    __m256i c0, c1, c2, c3;
} counters4;

typedef struct counters8 {
    counters4 low, high;
} counters8;

/* Hides a value from the optimiser, which would otherwise apply the keys at the end of the critical path and compute
 * each key from the first one. */
INLINE __m256i hide_from_optimiser(__m256i x)
{
    __asm__("" : "+x"(x));
    return x;
}

/* The keys of all rounds and the common part of the first round, broadcast to all lanes. */
typedef struct wide_prefix {
    __m256i key[SG_PHILOX_ROUNDS][2], c0, c2, c3;
} wide_prefix;

AVX2 static void broadcast_prefix(const sg_philox_prefix *s, wide_prefix *w)
{
    __m256i k0 = _mm256_set1_epi32((int)s->key[0]), k1 = _mm256_set1_epi32((int)s->key[1]);
    uint64_t a = (uint64_t)SG_PHILOX_MULTIPLIER_0 * s->counter[0];
    w->c0 = _mm256_set1_epi32((int)(s->counter[1] ^ s->key[0]));
    w->c2 = _mm256_set1_epi32((int)((uint32_t)(a >> 32) ^ s->key[1]));
    w->c3 = _mm256_set1_epi32((int)(uint32_t)a);
    for (int round = 0; round < SG_PHILOX_ROUNDS; round++) {
        w->key[round][0] = k0;
        w->key[round][1] = k1;
        k0 = _mm256_add_epi32(hide_from_optimiser(k0), _mm256_set1_epi32((int)SG_PHILOX_WEYL_0));
        k1 = _mm256_add_epi32(hide_from_optimiser(k1), _mm256_set1_epi32((int)SG_PHILOX_WEYL_1));
    }
}

INLINE counters4 philox_round(counters4 x, const __m256i key[2])
{
    const __m256i m0 = _mm256_set1_epi64x(SG_PHILOX_MULTIPLIER_0);
    const __m256i m1 = _mm256_set1_epi64x(SG_PHILOX_MULTIPLIER_1);
    __m256i a = _mm256_mul_epu32(x.c0, m0), b = _mm256_mul_epu32(x.c2, m1);
    x.c0 = _mm256_xor_si256(_mm256_srli_epi64(b, 32), hide_from_optimiser(_mm256_xor_si256(x.c1, key[0])));
    x.c1 = b;
    x.c2 = _mm256_xor_si256(_mm256_srli_epi64(a, 32), hide_from_optimiser(_mm256_xor_si256(x.c3, key[1])));
    x.c3 = a;
    return x;
}

INLINE counters8 round_pair(counters8 x, const __m256i key[2])
{
    return (counters8){philox_round(x.low, key), philox_round(x.high, key)};
}

/* Computes the first round for four rows. The row number is the second half of the counter. */
INLINE counters4 first_round(const wide_prefix *w, const size_t *rows)
{
    __m256i row = _mm256_loadu_si256((const void *)rows);
    __m256i b = _mm256_mul_epu32(row, _mm256_set1_epi64x(SG_PHILOX_MULTIPLIER_1));
    return (counters4){_mm256_xor_si256(_mm256_srli_epi64(b, 32), w->c0), b,
                       _mm256_xor_si256(_mm256_srli_epi64(row, 32), w->c2), w->c3};
}

/* Unrolled by hand, so that compilers omit the computation of words that are not stored. */
INLINE counters8 remaining_rounds(counters8 x, const __m256i key[SG_PHILOX_ROUNDS][2])
{
    _Static_assert((int)SG_PHILOX_ROUNDS == 10, "remaining_rounds is unrolled for 10 rounds");
    x = round_pair(x, key[1]);
    x = round_pair(round_pair(x, key[2]), key[3]);
    x = round_pair(round_pair(x, key[4]), key[5]);
    x = round_pair(round_pair(x, key[6]), key[7]);
    return round_pair(round_pair(x, key[8]), key[9]);
}

/* Stores the lower halves of eight lanes in order. */
INLINE void store_words(__m256i low, __m256i high, uint32_t *word)
{
    __m256 mixed = _mm256_shuffle_ps(_mm256_castsi256_ps(low), _mm256_castsi256_ps(high), 0x88);
    _mm256_storeu_si256((void *)word, _mm256_permute4x64_epi64(_mm256_castps_si256(mixed), 0xD8));
}

/* Computes the words of eight rows, `pitch` apart. If `half`, omits the last two of the four words, which saves a fifth
 * of the work. */
INLINE void generate_eight(const wide_prefix *w, const size_t *rows, size_t count, bool half, size_t pitch,
                           uint32_t *words)
{
    counters8 x = {first_round(w, rows), first_round(w, rows + 4)};
    x = remaining_rounds(x, w->key);
    store_words(x.low.c0, x.high.c0, words);
    if (count > 1) store_words(x.low.c1, x.high.c1, words + pitch);
    if (!half) store_words(x.low.c2, x.high.c2, words + 2 * pitch);
    if (!half && count > 3) store_words(x.low.c3, x.high.c3, words + 3 * pitch);
}

/* Like generate_eight, but for fewer than eight rows. */
INLINE void generate_partial(const wide_prefix *w, const size_t *rows, size_t n, size_t count, bool half, size_t pitch,
                             uint32_t *words)
{
    size_t padded[EIGHT] = {0};
    uint32_t padded_words[4 * EIGHT];
    for (size_t i = 0; i < n; i++) padded[i] = rows[i];
    generate_eight(w, padded, count, half, EIGHT, padded_words);
    for (size_t k = 0; k < count; k++)
        for (size_t i = 0; i < n; i++) words[k * pitch + i] = padded_words[k * EIGHT + i];
}

INLINE void generate_all(const wide_prefix *w, const size_t *rows, size_t n, size_t count, bool half, uint32_t *words)
{
    size_t i = 0;
    for (; i + EIGHT <= n; i += EIGHT) generate_eight(w, rows + i, count, half, n, words + i);
    if (i < n) generate_partial(w, rows + i, n - i, count, half, n, words + i);
}

/* If compilers inlined the following two functions, they would spill the keys to memory. */
#define NOINLINE AVX2 static __attribute__((noinline))

NOINLINE void generate_two_words(const wide_prefix *w, const size_t *rows, size_t n, size_t count, uint32_t *words)
{
    generate_all(w, rows, n, count, true, words);
}

NOINLINE void generate_four_words(const wide_prefix *w, const size_t *rows, size_t n, size_t count, uint32_t *words)
{
    generate_all(w, rows, n, count, false, words);
}

AVX2 static void generate_words(const sg_philox_prefix *s, const size_t *rows, size_t n, size_t count, uint32_t *words)
{
    wide_prefix w;
    broadcast_prefix(s, &w);
    if (count <= 2) generate_two_words(&w, rows, n, count, words);
    else generate_four_words(&w, rows, n, count, words);
}

bool sg_philox_avx2(const sg_philox_prefix *s, const size_t *rows, size_t n, size_t count, uint32_t *words)
{
    if (!__builtin_cpu_supports("avx2")) return false;
    generate_words(s, rows, n, count, words);
    return true;
}

#else

bool sg_philox_avx2(const sg_philox_prefix *s, const size_t *rows, size_t n, size_t count, uint32_t *words)
{
    (void)s;
    (void)rows;
    (void)n;
    (void)count;
    (void)words;
    return false;
}

#endif
