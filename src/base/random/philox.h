/* philox.h: the rounds of Philox4x32-10 for several counters at once. */
#ifndef SG_BASE_RANDOM_PHILOX_H
#define SG_BASE_RANDOM_PHILOX_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

enum { SG_PHILOX_ROUNDS = 10 };

#define SG_PHILOX_MULTIPLIER_0 UINT32_C(0xD2511F53)
#define SG_PHILOX_MULTIPLIER_1 UINT32_C(0xCD9E8D57)
#define SG_PHILOX_WEYL_0       UINT32_C(0x9E3779B9)
#define SG_PHILOX_WEYL_1       UINT32_C(0xBB67AE85)

/* What the counters of some rows have in common: the key and their first two words. The other two
 * are the row's number, its lower half first. */
typedef struct sg_philox_prefix {
    uint32_t key[2], counter[2];
} sg_philox_prefix;

/* The first `count` (1 to 4) random words of n rows, word k of row i at words[k * n + i], the
 * fastest way there is. */
void sg_philox_rows(const sg_philox_prefix *s, const size_t *rows, size_t n, size_t count, uint32_t *words);

/* The ways: on any machine; with AVX2 (false, and nothing done, where the machine has none). */
void sg_philox_portable(const sg_philox_prefix *s, const size_t *rows, size_t n, size_t count, uint32_t *words);
bool sg_philox_avx2(const sg_philox_prefix *s, const size_t *rows, size_t n, size_t count, uint32_t *words);

#endif
