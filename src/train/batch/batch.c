/* batch.c: see batch.h. */
#include "train/batch/batch.h"

#include "base/memory.h"
#include "base/movemask.h"
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

/* Few rows should want the same place; but empty places cost time, too, and those of a large batch memory. */
static size_t max_slots(size_t n) { return n <= 1 << 14 ? 8 * n : n <= 1 << 16 ? 4 * n : 2 * n; }

static size_t slot_count(const sg_batch *b) { return (b->total >> b->shift) + 1 + b->n; }

static void init_slots(sg_batch *b)
{
    while (b->total >> b->shift > max_slots(b->n)) b->shift++;
    b->slot_row = sg_calloc(slot_count(b), sizeof *b->slot_row);
    b->slot_used = sg_calloc(slot_count(b) + SG_MOVEMASK_BYTES, sizeof *b->slot_used); /* read a group at a time */
}

/* Rows of which each may have a byte. */
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
    return sg_fail(SG_ENOMEM, "out of memory for a batch of %zu rows", n);
}

sg_status sg_batch_use_block_shuffle(sg_batch *b)
{
    if (!b->row) return SG_OK;
    b->block_shuffle = sg_calloc(1, sizeof *b->block_shuffle);
    if (!b->block_shuffle) return sg_fail(SG_ENOMEM, "out of memory for a batch of %zu rows", b->n);
    return sg_block_shuffle_init(b->block_shuffle, b->total, b->n);
}

/* Windows are drawn as a whole; and so are few rows, which nobody shares. */
void sg_batch_restrict(sg_batch *b, size_t first, size_t last)
{
    if (b->block_shuffle || b->slices == 1) return;
    b->first = first;
    b->last = last;
}

void sg_batch_release(sg_batch *b)
{
    if (b->block_shuffle) sg_block_shuffle_release(b->block_shuffle);
    free(b->block_shuffle);
    free(b->row);
    free(b->drawn);
    free(b->slot_row);
    free(b->slot_used);
    *b = (sg_batch){0};
}

/* --- a set of rows that is always in order ---
 * A row's place grows with the row, and rows that want the same place stand in order behind it, so
 * reading the places one after the other gives the rows sorted. Nothing wraps around: n more
 * places at the end take whatever is pushed there. */

/* Adds a row; false where it was there. */
static bool insert_row(const sg_batch *b, size_t row)
{
    size_t place = row >> b->shift;
    for (; b->slot_used[place]; place++) {
        size_t here = b->slot_row[place];
        if (here == row) return false;
        if (here > row) { /* it moves on, and so do all after it */
            b->slot_row[place] = row;
            row = here;
        }
    }
    b->slot_used[place] = SG_MOVEMASK_SET;
    b->slot_row[place] = row;
    return true;
}

/* Takes the rows out that are wanted, in order, and perhaps a few that follow them. */
static void extract_sorted(sg_batch *b)
{
    unsigned char *taken = b->slot_used;
    const size_t *at = b->slot_row, first = b->first;
    size_t place = first >> b->shift, end = (b->last >> b->shift) + 1, *row = b->row;
    while (taken[place] && at[place] < first) taken[place++] = 0;
    while (taken[end]) end++; /* pushed on */
    for (; place < end; place += SG_MOVEMASK_BYTES) {
        uint64_t places = sg_movemask(taken + place);
        memset(taken + place, 0, SG_MOVEMASK_BYTES);
        for (; places; places &= places - 1) *row++ = at[place + (unsigned)__builtin_ctzll(places)];
    }
    b->count = (size_t)(row - b->row);
}

/* --- Floyd's sampling: every set of n rows is equally likely, with n random numbers ---
 * For each `last` of the n last rows, a row in [0, last] joins the set; `last`, if that one is
 * there already. So whether one of these n is in the set depends on all others; any other row comes by itself, and
 * where only such rows are wanted, only they join the set. */

static bool is_wanted(const sg_batch *b, size_t row) { return row - b->first < b->last - b->first; }

static bool wants_last(const sg_batch *b) { return b->first < b->last && b->last > b->total - b->n; }

/* Most places are free. */
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

/* With a byte for each row: returns the one that joined. A branch that is seldom taken lets the next row go
 * ahead, where a selection would wait for this one's byte. */
static size_t mark_drawn(unsigned char *seen, size_t row, size_t last)
{
    if (__builtin_expect(seen[row], 0)) {
        seen[last] = 1;
        return last;
    }
    seen[row] = 1;
    return row;
}

/* --- random numbers, a buffer at a time --- */

enum { COUNTERS = 16, WORDS = 4 * COUNTERS };

typedef struct random_words {
    uint64_t seed;
    uint32_t iteration;
    size_t counters; /* used up so far */
} random_words;

/* As many words as are wanted and fit. */
static size_t fill_random(random_words *r, size_t wanted, uint32_t *word)
{
    size_t rows[COUNTERS], words = wanted < WORDS ? wanted : WORDS, n = (words + 3) / 4;
    for (size_t i = 0; i < n; i++) rows[i] = r->counters + i;
    sg_random_rows(r->seed, SG_RANDOM_BATCH, r->iteration, rows, n, 0, 4, word);
    r->counters += n;
    return words;
}

/* Lemire's multiplication makes a number in [0, n) of a word; the words that would bias it are left
 * out. The remainder is needed for few words, but for huge n. */
static bool is_unbiased(uint64_t product, uint32_t n) { return (uint32_t)product >= n || (uint32_t)product >= -n % n; }

/* What becomes of a row: it is the next of few, in the order in which they are drawn; or joins the set; or joins it
 * if it is wanted. */
typedef enum draw_mode { DRAW_IN_ORDER, DRAW_SET, DRAW_WANTED } draw_mode;

/* A word is enough for a number below 2^32. Inlined for each fate. Rows that are wanted are chosen without a branch:
 * with two members of a team every other guess would be wrong. */
static inline __attribute__((always_inline)) void draw_narrow(const sg_batch *b, random_words *r, draw_mode f)
{
    const sg_batch same = *b; /* nothing that is stored below changes it, and compilers see that */
    uint32_t word[WORDS];
    size_t *next = same.row, chosen[WORDS + 1];
    for (size_t n = same.total - same.n + 1; n <= same.total;) { /* n is last + 1 */
        const uint32_t *end = word + fill_random(r, same.total - n + 1, word);
        size_t some = 0;
        for (const uint32_t *w = word; w < end; w++) {
            uint64_t product = (uint64_t)*w * n;
            if (!is_unbiased(product, (uint32_t)n)) continue;
            size_t row = (size_t)(product >> 32);
            if (f == DRAW_IN_ORDER) *next++ = mark_drawn(same.drawn, row, n - 1);
            if (f == DRAW_SET) add_row(&same, row, n - 1);
            chosen[some] = row;
            if (f == DRAW_WANTED) some += is_wanted(&same, row);
            n++;
        }
        for (size_t i = 0; i < some; i++) add_row_if_new(&same, chosen[i]);
    }
}

static void draw_in_order(const sg_batch *b, random_words *r)
{
    unsigned char *seen = b->drawn;
    draw_narrow(b, r, DRAW_IN_ORDER);
    for (const size_t *row = b->row, *end = row + b->n; row < end; row++) seen[*row] = 0;
}

/* The same with two words for a number. */
static void draw_wide(const sg_batch *b, random_words *r)
{
    uint32_t word[WORDS];
    for (size_t n = b->total - b->n + 1; n <= b->total;) {
        const uint32_t *end = word + fill_random(r, 2 * (b->total - n + 1), word);
        for (const uint32_t *w = word; w < end; w += 2) {
            wide product = (wide)((uint64_t)w[0] << 32 | w[1]) * n;
            if ((uint64_t)product < n && (uint64_t)product < -n % n) continue;
            size_t row = (size_t)(product >> 64);
            if (wants_last(b)) add_row(b, row, n - 1);
            else if (is_wanted(b, row)) add_row_if_new(b, row);
            n++;
        }
    }
}

static void draw_set(sg_batch *b, random_words *r)
{
    if (b->total > UINT32_MAX) draw_wide(b, r);
    else if (wants_last(b)) draw_narrow(b, r, DRAW_SET);
    else draw_narrow(b, r, DRAW_WANTED);
    extract_sorted(b);
    if (wants_last(b) && b->count < b->n) memset(b->slot_used, 0, slot_count(b)); /* the others */
}

void sg_batch_draw(sg_batch *b, uint64_t seed, uint32_t iteration)
{
    random_words r = {seed, iteration, 0};
    if (!b->row) return;
    if (b->block_shuffle) sg_block_shuffle_draw(b->block_shuffle, seed, iteration, b->slices > 1, b->row);
    else if (b->drawn) draw_in_order(b, &r);
    else draw_set(b, &r);
}

/* The first position whose row is not below `row`. */
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

/* total * s / slices without overflow. */
size_t sg_batch_boundary(const sg_batch *b, size_t s)
{
    return b->total / b->slices * s + b->total % b->slices * s / b->slices;
}

void sg_batch_slice(const sg_batch *b, size_t s, size_t *first, size_t *last)
{
    *first = lower_bound(b, sg_batch_boundary(b, s));
    *last = lower_bound(b, sg_batch_boundary(b, s + 1));
}
