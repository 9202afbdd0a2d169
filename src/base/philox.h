/* philox.h: the rounds of Philox4x32-10 for several counters at once. */
#ifndef SG_BASE_PHILOX_H
#define SG_BASE_PHILOX_H

#include <stdbool.h>
#include <stdint.h>

enum { SG_LANES = 16, SG_PHILOX_ROUNDS = 10 };

#define SG_PHILOX_MULTIPLIER_0 UINT32_C(0xD2511F53)
#define SG_PHILOX_MULTIPLIER_1 UINT32_C(0xCD9E8D57)
#define SG_PHILOX_WEYL_0       UINT32_C(0x9E3779B9)
#define SG_PHILOX_WEYL_1       UINT32_C(0xBB67AE85)

/* Word k of counter i. */
typedef struct sg_lanes {
    uint32_t word[4][SG_LANES];
} sg_lanes;

/* Counters become random words, in place, the fastest way there is. */
void sg_philox_lanes(sg_lanes *x, uint32_t k0, uint32_t k1);

/* The ways: on any machine; with AVX2 (false, and nothing done, where the machine has none). */
void sg_philox_plain(sg_lanes *x, uint32_t k0, uint32_t k1);
bool sg_philox_avx2(sg_lanes *x, uint32_t k0, uint32_t k1);

#endif
