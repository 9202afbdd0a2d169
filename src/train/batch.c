/* batch.c: see batch.h. */
#include "train/batch.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>

__extension__ typedef unsigned __int128 wide;

size_t sg_batch_slices(size_t n)
{
    size_t s = 1;
    if (n < 512) return 1;
    while (s < 1024 && s * 2 <= n / 64) s *= 2;
    return s;
}

sg_status sg_batch_init(sg_batch *b, size_t total, size_t n)
{
    *b = (sg_batch){.total = total, .n = n == 0 || n > total ? total : n};
    b->slices = sg_batch_slices(b->n);
    if (b->n == total) return SG_OK;
    size_t places = b->n < total / 4 ? 4 * b->n : total; /* few rows want the same place */
    b->scale = places < total ? (uint64_t)(((wide)places << 64) / total) : UINT64_MAX;
    b->row = sg_alloc(b->n, sizeof *b->row);
    b->seen = sg_alloc(places + b->n, sizeof *b->seen);
    if (b->row && b->seen) return SG_OK;
    sg_batch_release(b);
    return sg_fail(SG_ENOMEM, "out of memory for a batch of %zu rows", n);
}

void sg_batch_release(sg_batch *b)
{
    free(b->row);
    free(b->seen);
    *b = (sg_batch){0};
}

/* --- random numbers, a buffer at a time --- */

enum { BLOCKS = 32, NUMBERS = 2 * BLOCKS, BUFFERS = 1 << 16 /* of one random row */ };

typedef struct numbers {
    uint64_t seed;
    uint32_t iteration;
    size_t buffers, used; /* filled so far; used of the last one */
    uint64_t number[NUMBERS];
} numbers;

static void fill(numbers *r)
{
    uint32_t words[4][BLOCKS];
    size_t rows[BLOCKS];
    for (size_t i = 0; i < BLOCKS; i++) rows[i] = r->buffers * BLOCKS + i;
    sg_random_rows(r->seed, SG_RANDOM_BATCH, r->iteration, rows, BLOCKS, 0, 4, words[0]);
    for (size_t i = 0; i < BLOCKS; i++) {
        r->number[i] = (uint64_t)words[0][i] << 32 | words[1][i];
        r->number[BLOCKS + i] = (uint64_t)words[2][i] << 32 | words[3][i];
    }
    r->buffers++;
    r->used = 0;
}

static uint64_t next(numbers *r)
{
    if (r->used == NUMBERS) fill(r);
    return r->number[r->used++];
}

/* Uniform in [0, n), as sg_stream_below. */
static uint64_t below(numbers *r, uint64_t n)
{
    wide product = (wide)next(r) * n;
    if ((uint64_t)product < n)
        for (uint64_t least = -n % n; (uint64_t)product < least;) product = (wide)next(r) * n;
    return (uint64_t)(product >> 64);
}

/* --- a set of rows that is always in order ---
 * A row's place grows with the row, and rows that want the same place stand in order behind it, so
 * reading the places one after the other gives the rows sorted. Nothing wraps around: n more
 * places at the end take whatever is pushed there. */

/* Adds a row; false where it was there. */
static bool insert(sg_batch *b, size_t row)
{
    size_t key = row + 1;
    size_t *place = b->seen + (size_t)((wide)row * b->scale >> 64);
    for (; *place; place++) {
        size_t here = *place;
        if (here == key) return false;
        if (here > key) { /* it moves on, and so do all after it */
            *place = key;
            key = here;
        }
    }
    *place = key;
    return true;
}

/* Takes the rows out, in order, and leaves the set empty. */
static void take_out(sg_batch *b)
{
    size_t *place = b->seen;
    for (size_t i = 0; i < b->n; place++) {
        b->row[i] = *place - 1; /* overwritten if there was none */
        i += *place != 0;
        *place = 0;
    }
}

/* Floyd's sampling: every set of n rows is equally likely, with n random numbers. */
void sg_batch_draw(sg_batch *b, uint64_t seed, uint32_t iteration)
{
    if (!b->row) return;
    numbers random; /* not cleared as a whole: that would cost as much as the rest */
    random.seed = seed;
    random.iteration = iteration;
    random.buffers = 0;
    random.used = NUMBERS;
    for (size_t last = b->total - b->n; last < b->total; last++)
        if (!insert(b, (size_t)below(&random, last + 1))) insert(b, last);
    take_out(b);
}

/* The first position whose row is not below `row`. */
static size_t lower_bound(const sg_batch *b, size_t row)
{
    if (!b->row) return row;
    size_t low = 0, high = b->n;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->row[middle] < row) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* total * s / slices without overflow. */
static size_t boundary(const sg_batch *b, size_t s)
{
    return b->total / b->slices * s + b->total % b->slices * s / b->slices;
}

void sg_batch_slice(const sg_batch *b, size_t s, size_t *first, size_t *last)
{
    *first = lower_bound(b, boundary(b, s));
    *last = lower_bound(b, boundary(b, s + 1));
}
