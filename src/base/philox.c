/* philox.c: see philox.h. */
#include "base/philox.h"

void sg_philox_plain(sg_lanes *x, uint32_t k0, uint32_t k1)
{
    sg_lanes c = *x; /* its own memory, so that compilers know what may not overlap */
    for (int round = 0; round < SG_PHILOX_ROUNDS; round++) {
        for (int i = 0; i < SG_LANES; i++) {
            uint64_t a = (uint64_t)SG_PHILOX_MULTIPLIER_0 * c.word[0][i];
            uint64_t b = (uint64_t)SG_PHILOX_MULTIPLIER_1 * c.word[2][i];
            c.word[0][i] = (uint32_t)(b >> 32) ^ c.word[1][i] ^ k0;
            c.word[1][i] = (uint32_t)b;
            c.word[2][i] = (uint32_t)(a >> 32) ^ c.word[3][i] ^ k1;
            c.word[3][i] = (uint32_t)a;
        }
        k0 += SG_PHILOX_WEYL_0;
        k1 += SG_PHILOX_WEYL_1;
    }
    *x = c;
}

void sg_philox_lanes(sg_lanes *x, uint32_t k0, uint32_t k1)
{
    if (!sg_philox_avx2(x, k0, k1)) sg_philox_plain(x, k0, k1);
}
