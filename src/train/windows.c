/* windows.c: see windows.h. */
#include "train/windows.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK = 1024, BLOCKS = 64 };

/* Where a window's blocks begin in the order of an epoch; windows differ by a block at most. */
static size_t first_block(const sg_windows *w, size_t window)
{
    return w->full / w->count * window + w->full % w->count * window / w->count;
}

sg_status sg_windows_init(sg_windows *w, size_t total, size_t n)
{
    size_t least = (n + BLOCK - 1) / BLOCK > BLOCKS ? (n + BLOCK - 1) / BLOCK : BLOCKS;
    *w = (sg_windows){.total = total, .n = n, .full = total / BLOCK};
    w->count = w->full / least ? w->full / least : 1;
    w->batches = w->count == 1 ? total / n : w->full / w->count * BLOCK / n;
    w->most = w->count == 1 ? total : (w->full / w->count + 2) * BLOCK; /* the last one has some rows more */
    w->bits = sg_alloc(w->most / 64 + 1, sizeof *w->bits);
    w->window = (sg_window){.number = SIZE_MAX,
                            .block = sg_alloc(w->most / BLOCK + 2, sizeof *w->window.block),
                            .slot = sg_alloc(w->most, sizeof *w->window.slot)};
    if (w->bits && w->window.block && w->window.slot && w->most <= UINT32_MAX) return SG_OK;
    sg_windows_release(w);
    return sg_fail(SG_ENOMEM, "out of memory for batches of %zu rows", n);
}

void sg_windows_release(sg_windows *w)
{
    free(w->bits);
    free(w->window.block);
    free(w->window.slot);
    *w = (sg_windows){0};
}

/* --- one window --- */

/* The order of blocks is a keyed permutation: of each epoch with another key. */
static uint64_t key_of(uint64_t seed, size_t epoch)
{
    sg_words r = sg_random(seed, SG_RANDOM_BLOCKS, (uint32_t)epoch, 0, 0);
    return (uint64_t)r.word[0] << 32 | r.word[1];
}

static int by_number(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void choose_blocks(const sg_windows *w, uint64_t seed, sg_window *at)
{
    size_t epoch = at->number / w->count, window = at->number % w->count;
    size_t first = first_block(w, window), last = first_block(w, window + 1);
    uint64_t key = key_of(seed, epoch);
    for (size_t i = first; i < last; i++)
        at->block[i - first] = (size_t)sg_random_place(key, SG_RANDOM_BLOCKS, w->full, i);
    qsort(at->block, last - first, sizeof *at->block, by_number);
    at->rows = (last - first) * BLOCK;
    if (window + 1 < w->count) return;
    at->block[last - first] = w->full; /* not a whole one */
    at->rows += w->total % BLOCK;
}

/* Fisher and Yates. */
static void shuffle(uint64_t seed, sg_window *at)
{
    sg_stream s = sg_stream_at(seed, SG_RANDOM_WINDOW, 0, at->number);
    for (size_t i = 0; i < at->rows; i++) {
        size_t other = (size_t)sg_stream_below(&s, i + 1);
        at->slot[i] = at->slot[other];
        at->slot[other] = (uint32_t)i;
    }
}

static const sg_window *window_at(sg_windows *w, uint64_t seed, size_t number)
{
    sg_window *at = &w->window;
    if (at->number == number) return at;
    at->number = number;
    choose_blocks(w, seed, at);
    shuffle(seed, at);
    return at;
}

static size_t row_of(const sg_window *at, size_t slot) { return at->block[slot / BLOCK] * BLOCK + slot % BLOCK; }

/* --- one batch --- */

/* Slots are in the order of rows, and their bits come out in it. */
static void take_sorted(sg_windows *w, const sg_window *at, const uint32_t *slot, size_t *row)
{
    for (size_t i = 0; i < w->n; i++) w->bits[slot[i] / 64] |= (uint64_t)1 << slot[i] % 64;
    for (size_t word = 0; word <= w->most / 64; word++) {
        for (uint64_t bits = w->bits[word]; bits; bits &= bits - 1)
            *row++ = row_of(at, word * 64 + (size_t)__builtin_ctzll(bits));
        w->bits[word] = 0;
    }
}

void sg_windows_draw(sg_windows *w, uint64_t seed, size_t k, bool sorted, size_t *row)
{
    const sg_window *at = window_at(w, seed, (k - 1) / w->batches);
    const uint32_t *slot = at->slot + (k - 1) % w->batches * w->n;
    if (sorted) take_sorted(w, at, slot, row);
    else
        for (size_t i = 0; i < w->n; i++) row[i] = row_of(at, slot[i]);
}
