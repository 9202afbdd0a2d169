/* prefetch_source.c: prefetches the rows of future batches in a thread.
 *
 * There are two windows of consecutive batches: one provides rows while the thread fetches the other, which comes next.
 * Each window is twice as long as the one before it, until memory limits the length. Thus the first rows are available
 * soon, and most later reads are of adjacent rows. A window that cannot be fetched is not an error: its rows are read
 * from the base source, which reports the failure. */
#include "data/source/prefetch_source.h"

#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <unistd.h>

enum { MIN_BATCHES = 8, CHUNK_DOUBLES = 1 << 15, RADIX_BITS = 11, RADIX = 1 << RADIX_BITS };

typedef enum state { EMPTY, REQUESTED, FETCHING, READY } state;

typedef struct window {
    size_t first, batches; /* number of the first batch, and count of batches */
    size_t *row;           /* (batches, batch_rows) */
    double *values;        /* (batches, batch_rows, columns) */
    state state;
} window;

struct sg_prefetch {
    sg_source source;               /* must come first, for sg_source_wrapped_level */
    size_t batch_rows, max_batches; /* rows per batch, and maximum number of batches per window */
    bool sorted;
    sg_prefetch_fn *fn;
    void *arg;
    window window[2];
    unsigned current;  /* index of the current window */
    const size_t *row; /* rows of the current batch; NULL if there is none */
    const double *values;

    unsigned slot_bits;          /* low bits of a key, which hold a position in the window; the rest hold the row */
    uint64_t *key, *key_scratch; /* (max_batches * batch_rows) used only by the thread */
    size_t chunk_rows;           /* number of rows that are gathered together */
    size_t *chunk_index;         /* (chunk_rows) */
    double *chunk;               /* (chunk_rows, columns) */

    pid_t owner;          /* the creating process; a forked child can use neither thread nor lock */
    pthread_mutex_t lock; /* protects the states of the windows */
    pthread_cond_t requested, done;
    pthread_t thread;
    bool started;
    atomic_bool stopping;
};

static bool is_owner_process(const sg_prefetch *a) { return a->owner == getpid(); }

/* --- fetching, in the thread --- */

static unsigned bits_for(size_t count)
{
    unsigned bits = 0;
    while (count > 1 && (count - 1) >> bits) bits++;
    return bits;
}

/* Returns whether this rank can read a row: rows of other ranks cannot be read. */
static bool is_local_row(const sg_source *s, size_t row)
{
    return !s->comm || (row >= s->local_first && row - s->local_first < s->local_rows);
}

static size_t build_sort_keys(const sg_prefetch *a, const window *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->batches; i++) a->fn(a->arg, s->first + i, s->row + i * a->batch_rows);
    for (size_t i = 0; i < s->batches * a->batch_rows; i++)
        if (is_local_row(&a->source, s->row[i])) a->key[count++] = (uint64_t)s->row[i] << a->slot_bits | i;
    return count;
}

/* Performs one pass of a radix sort, by one digit of the row number. */
static void radix_sort_pass(unsigned shift, const uint64_t *key, size_t count, uint64_t *to)
{
    size_t begin[RADIX] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++) begin[key[i] >> shift & (RADIX - 1)]++;
    for (size_t d = 0; d < RADIX; d++) {
        size_t count_of_digit = begin[d];
        begin[d] = sum;
        sum += count_of_digit;
    }
    for (size_t i = 0; i < count; i++) to[begin[key[i] >> shift & (RADIX - 1)]++] = key[i];
}

static void sort_keys(sg_prefetch *a, size_t count)
{
    for (unsigned done = 0; done < bits_for(a->source.rows); done += RADIX_BITS) {
        radix_sort_pass(a->slot_bits + done, a->key, count, a->key_scratch);
        uint64_t *sorted = a->key_scratch;
        a->key_scratch = a->key;
        a->key = sorted;
    }
}

/* Gathers the rows of some keys and copies each to its position in the window. */
static sg_status gather_keys(const sg_prefetch *a, const uint64_t *key, size_t count, double *values)
{
    const size_t columns = a->source.columns;
    const uint64_t places = ((uint64_t)1 << a->slot_bits) - 1;
    for (size_t i = 0; i < count; i++) a->chunk_index[i] = (size_t)(key[i] >> a->slot_bits);
    sg_status st = sg_source_gather(&a->source, a->chunk_index, count, a->chunk);
    for (size_t i = 0; st == SG_OK && i < count; i++) {
        double *to = values + (key[i] & places) * columns;
        for (size_t c = 0; c < columns; c++) to[c] = a->chunk[i * columns + c];
    }
    return st;
}

static bool fill_window(sg_prefetch *a, const window *s)
{
    size_t count = build_sort_keys(a, s);
    sg_status st = SG_OK;
    sort_keys(a, count);
    for (size_t i = 0; st == SG_OK && i < count && !atomic_load(&a->stopping); i += a->chunk_rows)
        st = gather_keys(a, a->key + i, count - i < a->chunk_rows ? count - i : a->chunk_rows, s->values);
    return st == SG_OK;
}

/* Must be called with the lock, which it releases while rows are read. */
static void fetch_window(sg_prefetch *a, window *s)
{
    s->state = FETCHING;
    pthread_mutex_unlock(&a->lock);
    bool filled = fill_window(a, s);
    pthread_mutex_lock(&a->lock);
    s->state = filled ? READY : EMPTY;
    pthread_cond_broadcast(&a->done);
}

static void *run_thread(void *arg)
{
    sg_prefetch *a = arg;
    pthread_mutex_lock(&a->lock);
    while (!atomic_load(&a->stopping)) {
        if (a->window[a->current].state == REQUESTED) fetch_window(a, &a->window[a->current]);
        else if (a->window[!a->current].state == REQUESTED) fetch_window(a, &a->window[!a->current]);
        else pthread_cond_wait(&a->requested, &a->lock);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Starts the thread with all signals blocked, so that the program's own threads handle them. */
static void start_thread(sg_prefetch *a)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    a->started = pthread_create(&a->thread, NULL, run_thread, a) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- selecting a batch --- */

static bool holds_batch(const window *s, size_t number)
{
    return s->state != EMPTY && number >= s->first && number - s->first < s->batches;
}

static void wait_for_window(sg_prefetch *a, const window *s)
{
    while (s->state == FETCHING || (s->state == REQUESTED && a->started)) pthread_cond_wait(&a->done, &a->lock);
}

/* Requests a window of at most `batches` batches from batch `first` up to batch `last`. */
static void request_window(const sg_prefetch *a, window *s, size_t first, size_t batches, size_t last)
{
    size_t left = first <= last ? last - first + 1 : 0, limit = left < a->max_batches ? left : a->max_batches;
    s->first = first;
    s->batches = batches < limit ? batches : limit;
    s->state = s->batches ? REQUESTED : EMPTY;
}

/* Must be called with the lock. Makes the window with batch `number` current, unless that is after the last batch, and
 * requests the window after it. */
static void advance_window(sg_prefetch *a, size_t number, size_t last)
{
    if (holds_batch(&a->window[!a->current], number)) a->current = !a->current;
    else {
        for (size_t i = 0; i < 2; i++) wait_for_window(a, &a->window[i]);
        request_window(a, &a->window[a->current], number, MIN_BATCHES, last);
    }
    const window *s = &a->window[a->current];
    request_window(a, &a->window[!a->current], s->first + s->batches, 2 * s->batches, last);
    if (!a->started) start_thread(a);
    pthread_cond_signal(&a->requested);
}

const size_t *sg_prefetch_advance(sg_prefetch *a, size_t number, size_t last)
{
    a->row = NULL;
    if (!is_owner_process(a)) return NULL;
    pthread_mutex_lock(&a->lock);
    if (!holds_batch(&a->window[a->current], number)) advance_window(a, number, last);
    const window *s = &a->window[a->current];
    wait_for_window(a, s);
    if (s->state == READY && holds_batch(s, number)) {
        a->row = s->row + (number - s->first) * a->batch_rows;
        a->values = s->values + (number - s->first) * a->batch_rows * a->source.columns;
    }
    pthread_mutex_unlock(&a->lock);
    return a->row;
}

/* --- source --- */

/* Returns where to start the search for a row: at the first row not below it if batches are sorted, otherwise at 0. */
static size_t lower_bound(const sg_prefetch *a, size_t row)
{
    size_t low = 0, high = a->sorted ? a->batch_rows : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->row[middle] < row) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Copies rows of the current batch if they are requested in its order; otherwise returns false. */
static bool copy_rows(const sg_prefetch *a, const size_t *rows, size_t n, double *out)
{
    const size_t columns = a->source.columns;
    size_t at = n ? lower_bound(a, rows[0]) : 0;
    for (size_t i = 0; i < n; i++, at++) {
        while (at < a->batch_rows && a->row[at] != rows[i]) at++;
        if (at == a->batch_rows || !is_local_row(&a->source, rows[i])) return false;
        for (size_t c = 0; c < columns; c++) out[i * columns + c] = a->values[at * columns + c];
    }
    return true;
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    const sg_prefetch *a = self;
    if (a->row && copy_rows(a, rows, n, out)) return SG_OK;
    return sg_source_gather(&a->source, rows, n, out);
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_prefetch *a = self;
    return a->source.read(a->source.self, first, n, out);
}

sg_source sg_prefetch_source(const sg_prefetch *a)
{
    sg_source s = a->source;
    s.self = (void *)a;
    s.read = read_rows;
    s.view = NULL;
    s.gather = gather_rows;
    if (s.level) s.level = sg_source_wrapped_level;
    return s;
}

/* --- creation --- */

/* Returns the maximum number of batches per window, such that two windows and the keys fit into memory, and positions
 * in a window fit into the bits of a key that the row number leaves free. */
static size_t fit_batches(const sg_source *base, size_t n, size_t memory)
{
    const size_t numbers = 2 * (base->columns + 1) + 2;
    size_t one, bits = 64 - bits_for(base->rows);
    if (!sg_checked_mul(numbers * sizeof(double), n, &one) || one == 0) return 0;
    size_t fit = memory / one, places = (bits < 32 ? (size_t)1 << bits : (size_t)1 << 32) / n;
    return fit < places ? fit : places;
}

static bool alloc_buffers(sg_prefetch *a)
{
    const size_t places = a->max_batches * a->batch_rows, columns = a->source.columns;
    bool ok = true;
    for (size_t i = 0; i < 2; i++) {
        a->window[i].row = sg_calloc(places, sizeof *a->window[i].row);
        a->window[i].values = sg_alloc_cache_aligned(places * columns * sizeof *a->window[i].values);
        ok = ok && a->window[i].row && a->window[i].values;
    }
    a->slot_bits = bits_for(places);
    a->key = sg_calloc(places, sizeof *a->key);
    a->key_scratch = sg_calloc(places, sizeof *a->key_scratch);
    a->chunk_rows = columns < CHUNK_DOUBLES ? CHUNK_DOUBLES / columns : 1;
    a->chunk_index = sg_calloc(a->chunk_rows, sizeof *a->chunk_index);
    a->chunk = sg_calloc(a->chunk_rows, columns * sizeof *a->chunk);
    return ok && a->key && a->key_scratch && a->chunk_index && a->chunk;
}

sg_status sg_prefetch_new(const sg_source *base, size_t n, bool sorted, sg_prefetch_fn *fn, void *arg, size_t memory,
                          sg_prefetch **out)
{
    size_t max_batches = fit_batches(base, n, memory);
    *out = NULL;
    if (max_batches < 1) return SG_OK;
    sg_prefetch *a = sg_calloc(1, sizeof *a);
    if (!a) return sg_fail_out_of_memory("prefetching");
    *a = (sg_prefetch){.source = *base,
                       .batch_rows = n,
                       .max_batches = max_batches,
                       .sorted = sorted,
                       .fn = fn,
                       .arg = arg,
                       .owner = getpid()};
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->requested, NULL);
    pthread_cond_init(&a->done, NULL);
    if (!alloc_buffers(a)) {
        sg_prefetch_free(a);
        return sg_fail_out_of_memory("prefetching");
    }
    *out = a;
    return SG_OK;
}

static void stop_thread(sg_prefetch *a)
{
    pthread_mutex_lock(&a->lock);
    atomic_store(&a->stopping, true);
    pthread_cond_signal(&a->requested);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
}

void sg_prefetch_free(sg_prefetch *a)
{
    if (!a) return;
    if (is_owner_process(a)) {
        if (a->started) stop_thread(a);
        pthread_cond_destroy(&a->requested);
        pthread_cond_destroy(&a->done);
        pthread_mutex_destroy(&a->lock);
    }
    for (size_t i = 0; i < 2; i++) {
        free(a->window[i].row);
        free(a->window[i].values);
    }
    sg_free_all(a->key, a->key_scratch, a->chunk_index, a->chunk, a);
}
