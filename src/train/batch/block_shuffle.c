/* block_shuffle.c: shuffles windows of random blocks and draws batches from them. */
#include "train/batch/block_shuffle.h"

#include "base/memory.h"
#include "base/part_range.h"
#include "base/random/random.h"

#include <stdlib.h>

enum { BLOCK = 1024, WINDOW_BLOCKS = 64 }; /* rows per block, and minimum number of blocks per window */

/* Returns the position of a window's first block in the epoch's order. Window sizes differ by at most one block. */
static size_t first_block(const sg_block_shuffle *w, size_t window)
{
    return sg_part_begin(w->full_blocks, w->windows, window);
}

sg_status sg_block_shuffle_init(sg_block_shuffle *w, size_t total, size_t n)
{
    size_t least = (n + BLOCK - 1) / BLOCK > WINDOW_BLOCKS ? (n + BLOCK - 1) / BLOCK : WINDOW_BLOCKS;
    *w = (sg_block_shuffle){.total = total, .n = n, .full_blocks = total / BLOCK};
    w->windows = w->full_blocks / least ? w->full_blocks / least : 1;
    w->batches = w->windows == 1 ? total / n : w->full_blocks / w->windows * BLOCK / n;
    w->max_rows = w->windows == 1 ? total : (w->full_blocks / w->windows + 2) * BLOCK; /* the last window is larger */
    w->bits = sg_calloc(w->max_rows / 64 + 1, sizeof *w->bits);
    w->window = (sg_shuffle_window){.number = SIZE_MAX,
                                    .block = sg_calloc(w->max_rows / BLOCK + 2, sizeof *w->window.block),
                                    .slot = sg_calloc(w->max_rows, sizeof *w->window.slot)};
    if (w->bits && w->window.block && w->window.slot && w->max_rows <= UINT32_MAX) return SG_OK;
    sg_block_shuffle_release(w);
    return sg_fail(SG_ENOMEM, "out of memory while preparing batches of %zu rows", n);
}

void sg_block_shuffle_release(sg_block_shuffle *w)
{
    sg_free_all(w->bits, w->window.block, w->window.slot);
    *w = (sg_block_shuffle){0};
}

/* --- windows --- */

/* Returns the key of an epoch. The order of its blocks is a permutation that depends on the key. */
static uint64_t key_of(uint64_t seed, size_t epoch)
{
    sg_random_block r = sg_random(seed, SG_RANDOM_BLOCK_ORDER, (uint32_t)epoch, 0, 0);
    return (uint64_t)r.word[0] << 32 | r.word[1];
}

static int by_number(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static void select_blocks(const sg_block_shuffle *w, uint64_t seed, sg_shuffle_window *window)
{
    size_t epoch = window->number / w->windows, index = window->number % w->windows;
    size_t first = first_block(w, index), last = first_block(w, index + 1);
    uint64_t key = key_of(seed, epoch);
    for (size_t i = first; i < last; i++)
        window->block[i - first] = (size_t)sg_random_permute(key, SG_RANDOM_BLOCK_ORDER, w->full_blocks, i);
    qsort(window->block, last - first, sizeof *window->block, by_number);
    window->rows = (last - first) * BLOCK;
    if (index + 1 < w->windows) return;
    window->block[last - first] = w->full_blocks; /* the partial block */
    window->rows += w->total % BLOCK;
}

/* Shuffles the slots by the inside-out version of the Fisher-Yates algorithm. */
static void shuffle_slots(uint64_t seed, sg_shuffle_window *window)
{
    sg_random_stream s = sg_random_stream_at(seed, SG_RANDOM_WINDOW_SHUFFLE, 0, window->number);
    for (size_t i = 0; i < window->rows; i++) {
        size_t other = (size_t)sg_random_stream_below(&s, i + 1);
        window->slot[i] = window->slot[other];
        window->slot[other] = (uint32_t)i;
    }
}

static const sg_shuffle_window *load_window(sg_block_shuffle *w, uint64_t seed, size_t number)
{
    sg_shuffle_window *window = &w->window;
    if (window->number == number) return window;
    window->number = number;
    select_blocks(w, seed, window);
    shuffle_slots(seed, window);
    return window;
}

static size_t slot_row(const sg_shuffle_window *window, size_t slot)
{
    return window->block[slot / BLOCK] * BLOCK + slot % BLOCK;
}

/* --- batches --- */

/* Slot numbers are in the order of row numbers, so a scan of the bitset sorts the rows. */
static void emit_sorted(sg_block_shuffle *w, const sg_shuffle_window *window, const uint32_t *slot, size_t *row)
{
    for (size_t i = 0; i < w->n; i++) w->bits[slot[i] / 64] |= (uint64_t)1 << slot[i] % 64;
    for (size_t word = 0; word <= w->max_rows / 64; word++) {
        for (uint64_t bits = w->bits[word]; bits; bits &= bits - 1)
            *row++ = slot_row(window, word * 64 + (size_t)__builtin_ctzll(bits));
        w->bits[word] = 0;
    }
}

void sg_block_shuffle_draw(sg_block_shuffle *w, uint64_t seed, size_t k, bool sorted, size_t *row)
{
    const sg_shuffle_window *window = load_window(w, seed, (k - 1) / w->batches);
    const uint32_t *slot = window->slot + (k - 1) % w->batches * w->n;
    if (sorted) emit_sorted(w, window, slot, row);
    else
        for (size_t i = 0; i < w->n; i++) row[i] = slot_row(window, slot[i]);
}
