/* random.c: Philox4x32-10 and what is drawn from it. */
#include "base/random.h"

#include <math.h>
#include <string.h>

enum { LANES = 8 };

/* LANES counters at once, word by word, so that compilers make vector code of it. */
typedef struct lanes {
    uint32_t word[4][LANES];
} lanes;

static inline void philox(size_t n, uint32_t *c0, uint32_t *c1, uint32_t *c2, uint32_t *c3,
                          uint32_t k0, uint32_t k1)
{
    for (int round = 0; round < 10; round++) {
        for (size_t i = 0; i < n; i++) {
            uint64_t a = (uint64_t)0xD2511F53u * c0[i], b = (uint64_t)0xCD9E8D57u * c2[i];
            c0[i] = (uint32_t)(b >> 32) ^ c1[i] ^ k0;
            c1[i] = (uint32_t)b;
            c2[i] = (uint32_t)(a >> 32) ^ c3[i] ^ k1;
            c3[i] = (uint32_t)a;
        }
        k0 += 0x9E3779B9u;
        k1 += 0xBB67AE85u;
    }
}

static void philox_lanes(lanes *x, uint64_t seed)
{
    lanes c = *x; /* its own memory, which nothing else can point to */
    philox(LANES, c.word[0], c.word[1], c.word[2], c.word[3], (uint32_t)seed,
           (uint32_t)(seed >> 32));
    *x = c;
}

sg_words sg_philox(const uint32_t counter[4], const uint32_t key[2])
{
    sg_words w = {{counter[0], counter[1], counter[2], counter[3]}};
    philox(1, &w.word[0], &w.word[1], &w.word[2], &w.word[3], key[0], key[1]);
    return w;
}

/* The counter holds block (24 bits), purpose (8), iteration (32), row (64). */
static uint32_t first_word(sg_purpose purpose, uint32_t block)
{
    return (block & 0xFFFFFFu) | (uint32_t)purpose << 24;
}

sg_words sg_random(uint64_t seed, sg_purpose purpose, uint32_t iteration, uint64_t row,
                   uint32_t block)
{
    const uint32_t counter[4] = {first_word(purpose, block), iteration, (uint32_t)row,
                                 (uint32_t)(row >> 32)};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    return sg_philox(counter, key);
}

void sg_random_rows(uint64_t seed, sg_purpose purpose, uint32_t iteration, const size_t *rows,
                    size_t n, uint32_t block, uint32_t *words)
{
    const uint32_t first = first_word(purpose, block);
    for (size_t i = 0, some; i < n; i += some) {
        lanes x = {{{0}}};
        some = n - i < LANES ? n - i : LANES;
        for (size_t k = 0; k < some; k++) {
            x.word[0][k] = first;
            x.word[1][k] = iteration;
            x.word[2][k] = (uint32_t)rows[i + k];
            x.word[3][k] = (uint32_t)((uint64_t)rows[i + k] >> 32);
        }
        philox_lanes(&x, seed);
        for (size_t w = 0; w < 4; w++) memcpy(words + w * n + i, x.word[w], some * sizeof *words);
    }
}

sg_stream sg_stream_at(uint64_t seed, sg_purpose purpose, uint32_t iteration, uint64_t row)
{
    return (sg_stream){.seed = seed, .row = row, .purpose = purpose, .iteration = iteration};
}

uint32_t sg_stream_word(sg_stream *s)
{
    uint32_t at = s->next & 3;
    if (at == 0) s->words = sg_random(s->seed, s->purpose, s->iteration, s->row, s->next >> 2);
    s->next++;
    return s->words.word[at];
}

static uint64_t two_words(sg_stream *s)
{
    uint64_t high = sg_stream_word(s);
    return high << 32 | sg_stream_word(s);
}

double sg_stream_unit(sg_stream *s) { return (double)(two_words(s) >> 11) * 0x1p-53; }

__extension__ typedef unsigned __int128 wide;

/* Lemire's multiplication, with rejection of the few values that would bias it. */
uint64_t sg_stream_below(sg_stream *s, uint64_t n)
{
    uint64_t least = -n % n;
    for (;;) {
        wide product = (wide)two_words(s) * n;
        if ((uint64_t)product >= least) return (uint64_t)(product >> 64);
    }
}

double sg_stream_normal(sg_stream *s)
{
    double u = 1 - sg_stream_unit(s), v = sg_stream_unit(s);
    return sqrt(-2 * log(u)) * cos(6.283185307179586 * v);
}

/* A balanced Feistel network on the smallest even number of bits that holds n, walked until it
 * lands below n: a permutation of [0, n) that needs no memory. */
uint64_t sg_random_place(uint64_t seed, sg_purpose purpose, uint64_t n, uint64_t i)
{
    unsigned half = 1;
    while (half < 32 && (n - 1) >> (2 * half)) half++;
    uint64_t mask = (UINT64_C(1) << half) - 1;
    do {
        uint64_t left = i >> half, right = i & mask;
        for (uint32_t round = 0; round < 8; round++) {
            uint64_t mixed = sg_random(seed, purpose, round, right, half).word[0] & mask;
            uint64_t next = left ^ mixed;
            left = right;
            right = next;
        }
        i = left << half | right;
    } while (i >= n);
    return i;
}
