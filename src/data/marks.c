/* marks.c: see marks.h. */
#include "data/marks.h"

#include "base/memory.h"

#include <stdlib.h>

enum { WORDS = 8, BLOCK = 64 * WORDS }; /* a cache line of bits */

bool sg_marks_init(sg_marks *m, size_t total)
{
    size_t blocks = total / BLOCK + 1;
    *m = (sg_marks){.total = total,
                    .bit = sg_alloc(blocks * WORDS, sizeof *m->bit),
                    .before = sg_alloc(blocks + 1, sizeof *m->before)};
    if (m->bit && m->before) return true;
    sg_marks_release(m);
    return false;
}

void sg_marks_release(sg_marks *m)
{
    free(m->bit);
    free(m->before);
    *m = (sg_marks){0};
}

static unsigned count_bits(uint64_t x)
{
    x -= x >> 1 & UINT64_C(0x5555555555555555);
    x = (x & UINT64_C(0x3333333333333333)) + (x >> 2 & UINT64_C(0x3333333333333333));
    return (unsigned)(((x + (x >> 4)) & UINT64_C(0x0F0F0F0F0F0F0F0F)) * UINT64_C(0x0101010101010101) >> 56);
}

void sg_marks_count(sg_marks *m)
{
    size_t blocks = m->total / BLOCK + 1;
    m->n = 0;
    for (size_t b = 0; b < blocks; b++) {
        m->before[b] = m->n;
        for (size_t w = b * WORDS; w < (b + 1) * WORDS; w++) m->n += count_bits(m->bit[w]);
    }
    m->before[blocks] = m->n;
}

/* The block that holds the k-th: rows are marked at random as a rule, so it is near where it would be if they
 * were even. Steps from there double, and what is left between two of them is halved. */
static size_t block_of(const sg_marks *m, size_t k)
{
    const size_t blocks = m->total / BLOCK + 1;
    size_t guess = (size_t)((double)k / (double)m->n * (double)m->total) / BLOCK, low = guess, high, step = 1;
    if (low > blocks - 1) low = blocks - 1;
    high = low + 1;
    for (; m->before[low] > k; step *= 2) {
        high = low;
        low = low > step ? low - step : 0;
    }
    for (; m->before[high] <= k; step *= 2) {
        low = high;
        high = high + step < blocks ? high + step : blocks;
    }
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (m->before[middle] <= k) low = middle;
        else high = middle;
    }
    return low;
}

size_t sg_marks_find(const sg_marks *m, size_t k)
{
    const size_t block = block_of(m, k);
    const uint64_t *word = m->bit + block * WORDS;
    size_t left = k - m->before[block];
    for (unsigned here; (here = count_bits(*word)) <= left; word++) left -= here;
    uint64_t bits = *word;
    while (left-- > 0) bits &= bits - 1;
    return (size_t)(word - m->bit) * 64 + (size_t)__builtin_ctzll(bits);
}

size_t sg_marks_next(const sg_marks *m, size_t row)
{
    size_t word = (row + 1) / 64;
    uint64_t bits = m->bit[word] & ~(uint64_t)0 << (row + 1) % 64;
    while (!bits) bits = m->bit[++word];
    return word * 64 + (size_t)__builtin_ctzll(bits);
}
