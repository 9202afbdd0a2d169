/* random.h: random numbers as a pure function of (seed, purpose, iteration, row, index).
 *
 * Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011) is a keyed bijection of a
 * 128-bit counter. It has no state, so threads, ranks and resumed runs agree. */
#pragma once

#include <stddef.h>
#include <stdint.h>

typedef enum sg_random_purpose {
    SG_RANDOM_BATCH = 1,
    SG_RANDOM_DROP,
    SG_RANDOM_SPLIT,
    SG_RANDOM_CLUSTER,
    SG_RANDOM_SYNTHETIC_DATA,
    SG_RANDOM_BLOCK_ORDER,
    SG_RANDOM_WINDOW_SHUFFLE,
    SG_RANDOM_NOISE,
    SG_RANDOM_GROUP_FOLDS,
    SG_RANDOM_EFFECT_FOLDS,
    SG_RANDOM_LOW_RANK,
    SG_RANDOM_SEARCH_SPACE,
    SG_RANDOM_DISTILL,
    SG_RANDOM_TREES,
    SG_RANDOM_ENSEMBLE_SPLIT
} sg_random_purpose;

/* Four random words. sg_random returns those at (seed, purpose, iteration, row, block). */
typedef struct sg_random_block {
    uint32_t word[4];
} sg_random_block;
sg_random_block sg_random(uint64_t seed, sg_random_purpose purpose, uint32_t iteration, uint64_t row, uint32_t block);
/* Computes the first `count` (1 to 4) words of sg_random for n rows. Word k of row i goes to words[k * n + i]. */
void sg_random_rows(uint64_t seed, sg_random_purpose purpose, uint32_t iteration, const size_t *rows, size_t n,
                    uint32_t block, size_t count, uint32_t *words);
/* Returns one block of Philox itself, for comparison with published test vectors. */
sg_random_block sg_philox(const uint32_t counter[4], const uint32_t key[2]);

/* A sequence of random words at one (seed, purpose, iteration, row). */
typedef struct sg_random_stream {
    uint64_t seed, row;
    sg_random_purpose purpose;
    uint32_t iteration, next;
    sg_random_block words;
} sg_random_stream;

sg_random_stream sg_random_stream_at(uint64_t seed, sg_random_purpose purpose, uint32_t iteration, uint64_t row);
uint32_t sg_random_stream_next(sg_random_stream *s);
/* Returns a uniformly distributed number in [0, 1) with 53 random bits. */
double sg_random_stream_uniform(sg_random_stream *s);
/* Returns a uniformly distributed integer in [0, n), without bias; n must be positive. */
uint64_t sg_random_stream_below(sg_random_stream *s, uint64_t n);
/* Returns a standard normal random number (Box-Muller). */
double sg_random_stream_normal(sg_random_stream *s);

/* Returns the position of row i in a random permutation of n rows, which depends only on n, seed and purpose. */
uint64_t sg_random_permute(uint64_t seed, sg_random_purpose purpose, uint64_t n, uint64_t i);
