/* philox.h: Philox4x32-10 for many counters at once. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SG_PHILOX_ROUNDS = 10 };

#define SG_PHILOX_MULTIPLIER_0 UINT32_C(0xD2511F53)
#define SG_PHILOX_MULTIPLIER_1 UINT32_C(0xCD9E8D57)
#define SG_PHILOX_WEYL_0       UINT32_C(0x9E3779B9)
#define SG_PHILOX_WEYL_1       UINT32_C(0xBB67AE85)

/* The key and the first two words of the counter, which are the same for all rows. The other two words are the row
 * number, low half first. */
typedef struct sg_philox_prefix {
    uint32_t key[2], counter[2];
} sg_philox_prefix;

/* Computes the first `count` (1 to 4) random words of n rows with the fastest implementation. Word k of row i goes to
 * words[k * n + i]. */
void sg_philox_rows(const sg_philox_prefix *s, const size_t *rows, size_t n, size_t count, uint32_t *words);

/* The implementations. sg_philox_avx2 does nothing and returns false if the processor lacks AVX2. */
void sg_philox_portable(const sg_philox_prefix *s, const size_t *rows, size_t n, size_t count, uint32_t *words);
bool sg_philox_avx2(const sg_philox_prefix *s, const size_t *rows, size_t n, size_t count, uint32_t *words);
