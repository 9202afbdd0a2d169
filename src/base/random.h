/* random.h: random numbers as a pure function of (seed, purpose, iteration, row, index).
 *
 * Philox4x32-10 (Salmon et al., "Parallel random numbers: as easy as 1, 2, 3", SC 2011): a keyed
 * bijection of a 128-bit counter. No state, so threads, ranks and resumed runs agree. */
#ifndef SG_BASE_RANDOM_H
#define SG_BASE_RANDOM_H

#include <stddef.h>
#include <stdint.h>

typedef enum sg_purpose {
    SG_RANDOM_BATCH = 1,
    SG_RANDOM_DROP,
    SG_RANDOM_SPLIT,
    SG_RANDOM_CLUSTER,
    SG_RANDOM_GENERATE,
    SG_RANDOM_BLOCKS,
    SG_RANDOM_WINDOW,
    SG_RANDOM_NOISE,
    SG_RANDOM_FOLDS,
    SG_RANDOM_EFFECT,
    SG_RANDOM_TILT,
    SG_RANDOM_DESIGN,
    SG_RANDOM_STUDENT,
    SG_RANDOM_TREES,
    SG_RANDOM_HALVES
} sg_purpose;

/* The four words at (purpose, iteration, row, block). */
typedef struct sg_words {
    uint32_t word[4];
} sg_words;
sg_words sg_random(uint64_t seed, sg_purpose purpose, uint32_t iteration, uint64_t row, uint32_t block);
/* The same for n rows at once, and of each the first `count` (1 to 4) words only: word k of row i
 * at words[k * n + i]. */
void sg_random_rows(uint64_t seed, sg_purpose purpose, uint32_t iteration, const size_t *rows, size_t n, uint32_t block,
                    size_t count, uint32_t *words);
/* One of Philox's own blocks, for the test against published vectors. */
sg_words sg_philox(const uint32_t counter[4], const uint32_t key[2]);

/* A stream of words at one (seed, purpose, iteration, row). */
typedef struct sg_stream {
    uint64_t seed, row;
    sg_purpose purpose;
    uint32_t iteration, next;
    sg_words words;
} sg_stream;

sg_stream sg_stream_at(uint64_t seed, sg_purpose purpose, uint32_t iteration, uint64_t row);
uint32_t sg_stream_word(sg_stream *s);
/* Uniform in [0, 1), 53 bits. */
double sg_stream_unit(sg_stream *s);
/* Uniform in [0, n), n > 0, without bias. */
uint64_t sg_stream_below(sg_stream *s, uint64_t n);
/* A standard normal (Box and Muller). */
double sg_stream_normal(sg_stream *s);

/* The place of row i in a random order of n rows that depends on (seed, purpose) alone. */
uint64_t sg_random_place(uint64_t seed, sg_purpose purpose, uint64_t n, uint64_t i);

#endif
