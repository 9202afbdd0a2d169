/* random.c: random numbers and distributions on top of Philox4x32-10. */
#include "base/random/random.h"

#include "base/number/portable_math.h"
#include "base/random/philox.h"

#include <math.h>

sg_random_block sg_philox(const uint32_t counter[4], const uint32_t key[2])
{
    uint32_t c0 = counter[0], c1 = counter[1], c2 = counter[2], c3 = counter[3];
    uint32_t k0 = key[0], k1 = key[1];
    for (int round = 0; round < SG_PHILOX_ROUNDS; round++) {
        uint64_t a = (uint64_t)SG_PHILOX_MULTIPLIER_0 * c0, b = (uint64_t)SG_PHILOX_MULTIPLIER_1 * c2;
        c0 = (uint32_t)(b >> 32) ^ c1 ^ k0;
        c1 = (uint32_t)b;
        c2 = (uint32_t)(a >> 32) ^ c3 ^ k1;
        c3 = (uint32_t)a;
        k0 += SG_PHILOX_WEYL_0;
        k1 += SG_PHILOX_WEYL_1;
    }
    return (sg_random_block){{c0, c1, c2, c3}};
}

/* Returns the first word of a counter, which holds the block (24 bits) and the purpose (8 bits). The other words hold
 * the iteration (32 bits) and the row (64 bits). */
static uint32_t first_word(sg_random_purpose purpose, uint32_t block)
{
    return (block & 0xFFFFFFu) | (uint32_t)purpose << 24;
}

sg_random_block sg_random(uint64_t seed, sg_random_purpose purpose, uint32_t iteration, uint64_t row, uint32_t block)
{
    const uint32_t counter[4] = {first_word(purpose, block), iteration, (uint32_t)row, (uint32_t)(row >> 32)};
    const uint32_t key[2] = {(uint32_t)seed, (uint32_t)(seed >> 32)};
    return sg_philox(counter, key);
}

void sg_random_rows(uint64_t seed, sg_random_purpose purpose, uint32_t iteration, const size_t *rows, size_t n,
                    uint32_t block, size_t count, uint32_t *words)
{
    const sg_philox_prefix start = {{(uint32_t)seed, (uint32_t)(seed >> 32)}, {first_word(purpose, block), iteration}};
    sg_philox_rows(&start, rows, n, count, words);
}

sg_random_stream sg_random_stream_at(uint64_t seed, sg_random_purpose purpose, uint32_t iteration, uint64_t row)
{
    return (sg_random_stream){.seed = seed, .row = row, .purpose = purpose, .iteration = iteration};
}

uint32_t sg_random_stream_next(sg_random_stream *s)
{
    uint32_t at = s->next & 3;
    if (at == 0) s->words = sg_random(s->seed, s->purpose, s->iteration, s->row, s->next >> 2);
    s->next++;
    return s->words.word[at];
}

static uint64_t next_uint64(sg_random_stream *s)
{
    uint64_t high = sg_random_stream_next(s);
    return high << 32 | sg_random_stream_next(s);
}

double sg_random_stream_uniform(sg_random_stream *s) { return (double)(next_uint64(s) >> 11) * 0x1p-53; }

__extension__ typedef unsigned __int128 uint128;

/* Uses Lemire's multiplication method, which rejects the few values that would cause bias. */
uint64_t sg_random_stream_below(sg_random_stream *s, uint64_t n)
{
    uint128 product = (uint128)next_uint64(s) * n;
    if ((uint64_t)product < n) /* rare; only then is the remainder needed */
        for (uint64_t least = -n % n; (uint64_t)product < least;) product = (uint128)next_uint64(s) * n;
    return (uint64_t)(product >> 64);
}

double sg_random_stream_normal(sg_random_stream *s)
{
    double u = 1 - sg_random_stream_uniform(s), v = sg_random_stream_uniform(s);
    return sqrt(-2 * sg_log(u)) * sg_cos(6.283185307179586 * v);
}

/* Uses a balanced Feistel network on the smallest even number of bits that holds n - 1, iterated until the result is
 * below n (cycle walking). It needs no memory. */
uint64_t sg_random_permute(uint64_t seed, sg_random_purpose purpose, uint64_t n, uint64_t i)
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
