/* batch_sampler.c: draws batches without replacement by Floyd's algorithm, and prefetches the rows of later batches. */
#include "train/batch/batch_sampler.h"

#include "base/memory.h"
#include "base/movemask.h"
#include "base/part_range.h"
#include "base/random/random.h"

#include <stdlib.h>
#include <string.h>

__extension__ typedef unsigned __int128 wide;

size_t sg_batch_slices(size_t n)
{
    size_t s = 1;
    if (n < 512) return 1;
    while (s < 1024 && s * 2 <= n / 64) s *= 2;
    return s;
}

/* Returns the maximum number of slots: collisions cost time; empty slots cost time and, in large batches, memory. */
static size_t max_slots(size_t n) { return n <= 1 << 14 ? 8 * n : n <= 1 << 16 ? 4 * n : 2 * n; }

static size_t slot_count(const sg_batch *b) { return (b->total >> b->shift) + 1 + b->n; }

static void init_slots(sg_batch *b)
{
    while (b->total >> b->shift > max_slots(b->n)) b->shift++;
    b->slot_row = sg_calloc(slot_count(b), sizeof *b->slot_row);
    b->slot_used = sg_calloc(slot_count(b) + SG_MOVEMASK_BYTES, sizeof *b->slot_used); /* it is scanned in groups */
}

/* Batches of one slice have a flag for each row of the source if the source has at most this many rows. */
#define MAX_FLAG_ROWS ((size_t)1 << 20)

sg_status sg_batch_init(sg_batch *b, size_t total, size_t n)
{
    *b = (sg_batch){.total = total, .n = n == 0 || n > total ? total : n};
    b->slices = sg_batch_slices(b->n);
    b->count = b->n;
    b->last = total;
    if (b->n == total) return SG_OK;
    b->row = sg_calloc(b->n, sizeof *b->row);
    if (b->row && b->slices == 1 && total <= MAX_FLAG_ROWS) b->drawn = sg_calloc(total, sizeof *b->drawn);
    else if (b->row) init_slots(b);
    if (b->drawn || (b->slot_row && b->slot_used)) return SG_OK;
    sg_batch_release(b);
    return sg_fail(SG_ENOMEM, "out of memory while preparing a batch of %zu rows", n);
}

sg_status sg_batch_use_block_shuffle(sg_batch *b)
{
    if (!b->row) return SG_OK;
    b->block_shuffle = sg_calloc(1, sizeof *b->block_shuffle);
    if (!b->block_shuffle) return sg_fail(SG_ENOMEM, "out of memory while preparing a batch of %zu rows", b->n);
    return sg_block_shuffle_init(b->block_shuffle, b->total, b->n);
}

/* Windows, and batches of one slice, are always drawn as a whole. */
void sg_batch_restrict(sg_batch *b, size_t first, size_t last)
{
    if (b->block_shuffle || b->slices == 1) return;
    b->first = first;
    b->last = last;
}

void sg_batch_release(sg_batch *b)
{
    if (b->block_shuffle) sg_block_shuffle_release(b->block_shuffle);
    sg_free_all(b->block_shuffle, b->row, b->drawn, b->slot_row, b->slot_used);
    *b = (sg_batch){0};
}

/* --- a sorted set of rows ---
 * The set is an open-addressing hash table whose hash is monotone in the row number, with sorted collision chains, so
 * that a scan of the slots finds the rows in order. It does not wrap around; n more slots at the end take overflow. */

/* Adds a row. Returns false if the set already contains it. */
static bool insert_row(const sg_batch *b, size_t row)
{
    size_t place = row >> b->shift;
    for (; b->slot_used[place]; place++) {
        size_t here = b->slot_row[place];
        if (here == row) return false;
        if (here > row) { /* shift it and its successors */
            b->slot_row[place] = row;
            row = here;
        }
    }
    b->slot_used[place] = SG_MOVEMASK_SET;
    b->slot_row[place] = row;
    return true;
}

/* Moves the needed rows to b->row in order, possibly with a few that follow them. */
static void extract_sorted(sg_batch *b)
{
    unsigned char *used = b->slot_used;
    const size_t *at = b->slot_row, first = b->first;
    size_t place = first >> b->shift, end = (b->last >> b->shift) + 1, *row = b->row;
    while (used[place] && at[place] < first) used[place++] = 0;
    while (used[end]) end++; /* include shifted rows */
    for (; place < end; place += SG_MOVEMASK_BYTES) {
        uint64_t places = sg_movemask(used + place);
        memset(used + place, 0, SG_MOVEMASK_BYTES);
        for (; places; places &= places - 1) *row++ = at[place + (unsigned)__builtin_ctzll(places)];
    }
    b->count = (size_t)(row - b->row);
}

/* --- Floyd's sampling: every set of n rows is equally likely, with n random numbers ---
 * For each of the last n rows, called `last`, a random row in [0, last] is added or, if the set already contains that
 * row, `last` itself. Whether one of the last n rows is in the set therefore depends on the other rows in it. For
 * earlier rows it does not, so if only earlier rows are needed, only these are added. */

static bool is_needed(const sg_batch *b, size_t row) { return row - b->first < b->last - b->first; }

static bool needs_last_rows(const sg_batch *b) { return b->first < b->last && b->last > b->total - b->n; }

/* Adds a row if its own slot is free, which is the common case. Returns false if the slot is taken. */
static bool insert_in_free_slot(const sg_batch *b, size_t row)
{
    size_t place = row >> b->shift;
    if (b->slot_used[place]) return false;
    b->slot_used[place] = SG_MOVEMASK_SET;
    b->slot_row[place] = row;
    return true;
}

static void add_row(const sg_batch *b, size_t row, size_t last)
{
    if (!insert_in_free_slot(b, row) && !insert_row(b, row)) insert_row(b, last);
}

static void add_row_if_new(const sg_batch *b, size_t row)
{
    if (!insert_in_free_slot(b, row)) insert_row(b, row);
}

/* Like add_row, but with a flag for each row. Returns the row that was added. A rarely taken branch is faster than a
 * conditional move, which would wait for the load of the flag. */
static size_t mark_drawn(unsigned char *seen, size_t row, size_t last)
{
    if (__builtin_expect(seen[row], 0)) {
        seen[last] = 1;
        return last;
    }
    seen[row] = 1;
    return row;
}

/* --- random numbers in blocks --- */

enum { COUNTERS = 16, WORDS = 4 * COUNTERS };

typedef struct random_words {
    uint64_t seed;
    uint32_t iteration;
    size_t counters; /* number used so far */
} random_words;

/* Draws min(wanted, WORDS) random words. Returns their number. */
static size_t draw_random_words(random_words *r, size_t wanted, uint32_t *word)
{
    size_t rows[COUNTERS], words = wanted < WORDS ? wanted : WORDS, n = (words + 3) / 4;
    for (size_t i = 0; i < n; i++) rows[i] = r->counters + i;
    sg_random_rows(r->seed, SG_RANDOM_BATCH, r->iteration, rows, n, 0, 4, word);
    r->counters += n;
    return words;
}

/* Returns whether a word can be used. Lemire's multiplication maps it to [0, n), and words that would cause a bias are
 * rejected. The remainder is rarely computed unless n is huge. */
static bool is_unbiased(uint64_t product, uint32_t n) { return (uint32_t)product >= n || (uint32_t)product >= -n % n; }

/* Rows are stored in the order of drawing, with flags; or added to the sorted set; or added to it only if needed. */
typedef enum draw_mode { DRAW_IN_ORDER, DRAW_SET, DRAW_NEEDED } draw_mode;

/* Draws rows with one random word each, for fewer than 2^32 rows. Inlined for each mode. Needed rows are selected
 * without a branch, which would be mispredicted half of the time with two ranks. */
static inline __attribute__((always_inline)) void draw_rows_32bit(const sg_batch *b, random_words *r, draw_mode mode)
{
    const sg_batch same = *b; /* a local copy, so that the compiler knows that stores do not change it */
    uint32_t word[WORDS];
    size_t *next = same.row, chosen[WORDS + 1];
    for (size_t n = same.total - same.n + 1; n <= same.total;) { /* n is last + 1 */
        const uint32_t *end = word + draw_random_words(r, same.total - n + 1, word);
        size_t some = 0;
        for (const uint32_t *w = word; w < end; w++) {
            uint64_t product = (uint64_t)*w * n;
            if (!is_unbiased(product, (uint32_t)n)) continue;
            size_t row = (size_t)(product >> 32);
            if (mode == DRAW_IN_ORDER) *next++ = mark_drawn(same.drawn, row, n - 1);
            if (mode == DRAW_SET) add_row(&same, row, n - 1);
            chosen[some] = row;
            if (mode == DRAW_NEEDED) some += is_needed(&same, row);
            n++;
        }
        for (size_t i = 0; i < some; i++) add_row_if_new(&same, chosen[i]);
    }
}

static void draw_in_order(const sg_batch *b, random_words *r)
{
    unsigned char *seen = b->drawn;
    draw_rows_32bit(b, r, DRAW_IN_ORDER);
    for (const size_t *row = b->row, *end = row + b->n; row < end; row++) seen[*row] = 0;
}

/* Draws rows with two random words each. */
static void draw_rows_64bit(const sg_batch *b, random_words *r)
{
    uint32_t word[WORDS];
    for (size_t n = b->total - b->n + 1; n <= b->total;) {
        const uint32_t *end = word + draw_random_words(r, 2 * (b->total - n + 1), word);
        for (const uint32_t *w = word; w < end; w += 2) {
            wide product = (wide)((uint64_t)w[0] << 32 | w[1]) * n;
            if ((uint64_t)product < n && (uint64_t)product < -n % n) continue;
            size_t row = (size_t)(product >> 64);
            if (needs_last_rows(b)) add_row(b, row, n - 1);
            else if (is_needed(b, row)) add_row_if_new(b, row);
            n++;
        }
    }
}

static void draw_set(sg_batch *b, random_words *r)
{
    if (b->total > UINT32_MAX) draw_rows_64bit(b, r);
    else if (needs_last_rows(b)) draw_rows_32bit(b, r, DRAW_SET);
    else draw_rows_32bit(b, r, DRAW_NEEDED);
    extract_sorted(b);
    if (needs_last_rows(b) && b->count < b->n) memset(b->slot_used, 0, slot_count(b)); /* rows that are not needed */
}

void sg_batch_draw(sg_batch *b, uint64_t seed, uint32_t iteration)
{
    random_words r = {seed, iteration, 0};
    if (!b->row) return;
    if (b->block_shuffle) sg_block_shuffle_draw(b->block_shuffle, seed, iteration, b->slices > 1, b->row);
    else if (b->drawn) draw_in_order(b, &r);
    else draw_set(b, &r);
}

/* Returns the first position whose row is at least `row`. */
static size_t lower_bound(const sg_batch *b, size_t row)
{
    if (!b->row) return row;
    size_t low = 0, high = b->count;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (b->row[middle] < row) low = middle + 1;
        else high = middle;
    }
    return low;
}

size_t sg_batch_boundary(const sg_batch *b, size_t s) { return sg_part_begin(b->total, b->slices, s); }

void sg_batch_slice(const sg_batch *b, size_t s, size_t *first, size_t *last)
{
    *first = lower_bound(b, sg_batch_boundary(b, s));
    *last = lower_bound(b, sg_batch_boundary(b, s + 1));
}

/* --- prefetching --- */

static sg_status make_next_batch(sg_batch_prefetch *f)
{
    f->next = sg_calloc(1, sizeof *f->next);
    if (!f->next) return sg_fail(SG_ENOMEM, "out of memory while preparing a batch of %zu rows", f->batch->n);
    sg_status st = sg_batch_init(f->next, f->batch->total, f->batch->n);
    return st == SG_OK && f->batch->block_shuffle ? sg_batch_use_block_shuffle(f->next) : st;
}

static void draw_next_batch(void *arg, size_t number, size_t *rows)
{
    sg_batch_prefetch *f = arg;
    sg_batch_draw(f->next, f->seed, (uint32_t)number);
    memcpy(rows, f->next->row, f->next->n * sizeof *rows);
}

sg_status sg_batch_prefetch_init(sg_batch_prefetch *f, const sg_source *source, sg_batch *batch, uint64_t seed,
                                 size_t iterations, size_t memory)
{
    *f = (sg_batch_prefetch){.source = *source, .batch = batch, .seed = seed, .iterations = iterations};
    if (!source->slow_gather || !batch->row) return SG_OK;
    sg_status st = sg_prefetch_new(source, batch->n, batch->slices > 1, draw_next_batch, f, memory, &f->prefetch);
    if (st == SG_OK && f->prefetch) {
        f->source = sg_prefetch_source(f->prefetch);
        st = make_next_batch(f);
    }
    if (st != SG_OK) sg_batch_prefetch_release(f);
    return st;
}

void sg_batch_prefetch_release(sg_batch_prefetch *f)
{
    sg_prefetch_free(f->prefetch); /* must be freed first, because its thread draws into f->next */
    if (f->next) sg_batch_release(f->next);
    free(f->next);
    *f = (sg_batch_prefetch){0};
}

void sg_batch_prefetch_disable(sg_batch_prefetch *f) { f->disabled = true; }

void sg_batch_prefetch_draw(sg_batch_prefetch *f, size_t k)
{
    const size_t *rows = f->prefetch && !f->disabled ? sg_prefetch_advance(f->prefetch, k, f->iterations) : NULL;
    if (!rows) {
        sg_batch_draw(f->batch, f->seed, (uint32_t)k);
        return;
    }
    memcpy(f->batch->row, rows, f->batch->n * sizeof *rows);
    f->batch->count = f->batch->n;
}
