/* movemask.h: packs 64 bytes, each 0 or SG_MOVEMASK_SET, into the bits of a 64-bit integer. */
#pragma once

#include <stdint.h>

enum { SG_MOVEMASK_SET = 0xFF, SG_MOVEMASK_BYTES = 64 };

/* Returns an integer whose bit i is set if flag[i] is set. Portable implementation. */
static inline uint64_t sg_movemask_portable(const unsigned char *flag)
{
    uint64_t bits = 0;
    for (int i = 0; i < SG_MOVEMASK_BYTES; i++) bits |= (uint64_t)(flag[i] & 1) << i;
    return bits;
}

/* Like sg_movemask_portable, but uses SSE2 if available. */
#if defined __SSE2__

#include <emmintrin.h>

static inline uint64_t sg_movemask(const unsigned char *flag)
{
    uint64_t bits = 0;
    for (int i = 0; i < SG_MOVEMASK_BYTES; i += 16)
        bits |= (uint64_t)(unsigned)_mm_movemask_epi8(_mm_loadu_si128((const void *)(flag + i))) << i;
    return bits;
}

#else

static inline uint64_t sg_movemask(const unsigned char *flag) { return sg_movemask_portable(flag); }

#endif
