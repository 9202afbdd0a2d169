/* splitmix64.h: the finaliser of SplitMix64, a bijective hash of 64-bit integers. */
#pragma once

#include <stdint.h>

/* 2^64 divided by the golden ratio, rounded to an odd number. */
#define SG_GOLDEN_RATIO_64 UINT64_C(0x9E3779B97F4A7C15)

static inline uint64_t sg_splitmix64_mix(uint64_t z)
{
    z = (z ^ z >> 30) * UINT64_C(0xBF58476D1CE4E5B9);
    z = (z ^ z >> 27) * UINT64_C(0x94D049BB133111EB);
    return z ^ z >> 31;
}
