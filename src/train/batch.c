/* batch.c: see batch.h. */
#include "train/batch.h"

#include "base/memory.h"
#include "base/random.h"

#include <stdlib.h>
#include <string.h>

enum { A_STREAM = 1 << 20 }; /* draws from one stream, which has 2^26 words */

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
    b->seen_size = 4;
    while (b->seen_size < 2 * b->n) b->seen_size *= 2;
    b->row = sg_alloc(b->n, sizeof *b->row);
    b->seen = sg_alloc(b->seen_size, sizeof *b->seen);
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

/* Adds a row to the set; false where it was there. Rows are stored plus one: 0 is empty. */
static bool insert(sg_batch *b, size_t row)
{
    size_t at = (size_t)((row + 1) * UINT64_C(0x9E3779B97F4A7C15) >> 20);
    for (;; at++) {
        size_t *slot = &b->seen[at & (b->seen_size - 1)];
        if (*slot == row + 1) return false;
        if (*slot == 0) {
            *slot = row + 1;
            return true;
        }
    }
}

static void sift(size_t *v, size_t n, size_t i)
{
    for (size_t child; (child = 2 * i + 1) < n; i = child) {
        if (child + 1 < n && v[child + 1] > v[child]) child++;
        if (v[i] >= v[child]) return;
        size_t t = v[i];
        v[i] = v[child];
        v[child] = t;
    }
}

/* Heapsort: qsort may allocate. */
static void sort(size_t *v, size_t n)
{
    for (size_t i = n / 2; i-- > 0;) sift(v, n, i);
    while (n > 1) {
        size_t t = v[0];
        v[0] = v[--n];
        v[n] = t;
        sift(v, n, 0);
    }
}

/* Floyd's sampling: every set of n rows is equally likely, with n random numbers. */
void sg_batch_draw(sg_batch *b, uint64_t seed, uint32_t iteration)
{
    if (!b->row) return;
    memset(b->seen, 0, b->seen_size * sizeof *b->seen);
    sg_stream random;
    for (size_t i = 0; i < b->n; i++) {
        if (i % A_STREAM == 0) random = sg_stream_at(seed, SG_RANDOM_BATCH, iteration, i / A_STREAM);
        size_t last = b->total - b->n + i;
        size_t row = (size_t)sg_stream_below(&random, last + 1);
        if (!insert(b, row)) insert(b, row = last);
        b->row[i] = row;
    }
    sort(b->row, b->n);
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
