/* splitmix64.h: one number made of another so that all bits count: splitmix64's last step, which no two numbers share.
 */
#ifndef SG_BASE_RANDOM_SPLITMIX64_H
#define SG_BASE_RANDOM_SPLITMIX64_H

#include <stdint.h>

/* Odd, and without a pattern: 2^64 over the golden ratio. */
#define SG_GOLDEN_RATIO_64 UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t sg_splitmix64_mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}

#endif
