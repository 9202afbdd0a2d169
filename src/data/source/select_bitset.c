/* select_bitset.c: a bitset with a rank index. */
#include "data/source/select_bitset.h"

#include "base/memory.h"

#include <stdlib.h>

enum { WORDS_PER_BLOCK = 8, BITS_PER_BLOCK = 64 * WORDS_PER_BLOCK }; /* a block is one cache line */

bool sg_select_bitset_init(sg_select_bitset *m, size_t total)
{
    size_t blocks = total / BITS_PER_BLOCK + 1;
    *m = (sg_select_bitset){.size = total,
                            .words = sg_calloc(blocks * WORDS_PER_BLOCK, sizeof *m->words),
                            .rank = sg_calloc(blocks + 1, sizeof *m->rank)};
    if (m->words && m->rank) return true;
    sg_select_bitset_release(m);
    return false;
}

void sg_select_bitset_release(sg_select_bitset *m)
{
    free(m->words);
    free(m->rank);
    *m = (sg_select_bitset){0};
}

static unsigned popcount64(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (unsigned)(((x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F)) * UINT64_C(0x0101010101010101) >> 56);
}

void sg_select_bitset_build(sg_select_bitset *m)
{
    size_t blocks = m->size / BITS_PER_BLOCK + 1;
    m->set_count = 0;
    for (size_t b = 0; b < blocks; b++) {
        m->rank[b] = m->set_count;
        for (size_t w = b * WORDS_PER_BLOCK; w < (b + 1) * WORDS_PER_BLOCK; w++)
            m->set_count += popcount64(m->words[w]);
    }
    m->rank[blocks] = m->set_count;
}

/* Returns the block that contains set bit k. Rows are usually set at random, so the search starts where the bit would
 * be if they were evenly spaced, doubles its steps, and ends with a binary search. */
static size_t find_block(const sg_select_bitset *m, size_t k)
{
    const size_t blocks = m->size / BITS_PER_BLOCK + 1;
    size_t guess = (size_t)((double)k / (double)m->set_count * (double)m->size) / BITS_PER_BLOCK, low = guess, high,
           step = 1;
    if (low > blocks - 1) low = blocks - 1;
    high = low + 1;
    for (; m->rank[low] > k; step *= 2) {
        high = low;
        low = low > step ? low - step : 0;
    }
    for (; m->rank[high] <= k; step *= 2) {
        low = high;
        high = high + step < blocks ? high + step : blocks;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (m->rank[middle] <= k) low = middle;
        else high = middle;
    }
    return low;
}

size_t sg_select_bitset_select(const sg_select_bitset *m, size_t k)
{
    const size_t block = find_block(m, k);
    const uint64_t *word = m->words + block * WORDS_PER_BLOCK;
    size_t left = k - m->rank[block];
    for (unsigned here; (here = popcount64(*word)) <= left; word++) left -= here;
    uint64_t bits = *word;
    while (left-- > 0) bits &= bits - 1;
    return (size_t)(word - m->words) * 64 + (size_t)__builtin_ctzll(bits);
}

size_t sg_select_bitset_next(const sg_select_bitset *m, size_t row)
{
    size_t word = (row + 1) / 64;
    uint64_t bits = m->words[word] & ~(uint64_t)0 << (row + 1) % 64;
    while (!bits) bits = m->words[++word];
    return word * 64 + (size_t)__builtin_ctzll(bits);
}
