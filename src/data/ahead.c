/* ahead.c: see ahead.h.
 *
 * A stretch is some lists that follow each other. There are two: of one the rows are handed out while the thread
 * fetches the other, which is twice as long, until the memory ends that: so the first rows are there soon, and many
 * steps later nearly all reading is of neighbours. A stretch that can't be fetched is no failure yet: whoever needs
 * its rows gets the sentence from the original. */
#include "data/ahead.h"

#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { SHORTEST = 8, NUMBERS = 1 << 15, DIGIT = 11, DIGITS = 1 << DIGIT };

typedef enum state { NONE, ASKED, FETCHING, READY } state;

typedef struct stretch {
    size_t first, lists; /* the number of the first, and how many */
    size_t *row;         /* (lists, n)                            */
    double *values;      /* (lists, n, columns of `of`)           */
    state state;
} stretch;

struct sg_ahead {
    sg_source of;
    size_t n, most; /* rows of a list, lists of a stretch */
    bool in_order;
    sg_ahead_fn *fn;
    void *arg;
    stretch stretch[2];
    unsigned now;      /* which of them is current */
    const size_t *row; /* of the current list; NULL: none */
    const double *values;

    unsigned place_bits;   /* key: the row, and in the low bits its place in the stretch */
    uint64_t *key, *spare; /* (most * n), of the thread */
    size_t at_once;        /* rows that are gathered together */
    size_t *near;          /* (at_once)          */
    double *chunk;         /* (at_once, columns) */

    pid_t owner;          /* a child of that process has no thread, and maybe a lock that nobody opens */
    pthread_mutex_t lock; /* of the stretches' states */
    pthread_cond_t asked, done;
    pthread_t thread;
    bool started;
    atomic_bool over;
};

static bool is_ours(const sg_ahead *a) { return a->owner == getpid(); }

/* --- fetching: the thread's --- */

static unsigned bits_for(size_t count)
{
    unsigned bits = 0;
    while (count > 1 && (count - 1) >> bits) bits++;
    return bits;
}

/* Rows that other members of a team hold can't be had here. */
static bool is_here(const sg_source *s, size_t row)
{
    return !s->team || (row >= s->first && row - s->first < s->here);
}

static size_t make_keys(const sg_ahead *a, const stretch *s)
{
    size_t count = 0;
    for (size_t i = 0; i < s->lists; i++) a->fn(a->arg, s->first + i, s->row + i * a->n);
    for (size_t i = 0; i < s->lists * a->n; i++)
        if (is_here(&a->of, s->row[i])) a->key[count++] = (uint64_t)s->row[i] << a->place_bits | i;
    return count;
}

/* By one digit of the row, into `to`. */
static void sort_by(unsigned shift, const uint64_t *key, size_t count, uint64_t *to)
{
    size_t begin[DIGITS] = {0}, sum = 0;
    for (size_t i = 0; i < count; i++) begin[key[i] >> shift & (DIGITS - 1)]++;
    for (size_t d = 0; d < DIGITS; d++) {
        size_t here = begin[d];
        begin[d] = sum;
        sum += here;
    }
    for (size_t i = 0; i < count; i++) to[begin[key[i] >> shift & (DIGITS - 1)]++] = key[i];
}

static void sort_keys(sg_ahead *a, size_t count)
{
    for (unsigned done = 0; done < bits_for(a->of.rows); done += DIGIT) {
        sort_by(a->place_bits + done, a->key, count, a->spare);
        uint64_t *sorted = a->spare;
        a->spare = a->key;
        a->key = sorted;
    }
}

/* The rows of some keys, each to its place. */
static sg_status bring(const sg_ahead *a, const uint64_t *key, size_t count, double *values)
{
    const size_t columns = a->of.columns;
    const uint64_t places = ((uint64_t)1 << a->place_bits) - 1;
    for (size_t i = 0; i < count; i++) a->near[i] = (size_t)(key[i] >> a->place_bits);
    sg_status st = sg_source_gather(&a->of, a->near, count, a->chunk);
    for (size_t i = 0; st == SG_OK && i < count; i++) {
        double *to = values + (key[i] & places) * columns;
        for (size_t c = 0; c < columns; c++) to[c] = a->chunk[i * columns + c];
    }
    return st;
}

static bool fill(sg_ahead *a, const stretch *s)
{
    size_t count = make_keys(a, s);
    sg_status st = SG_OK;
    sort_keys(a, count);
    for (size_t i = 0; st == SG_OK && i < count && !atomic_load(&a->over); i += a->at_once)
        st = bring(a, a->key + i, count - i < a->at_once ? count - i : a->at_once, s->values);
    return st == SG_OK;
}

/* With the lock, which it opens while it reads. */
static void fetch(sg_ahead *a, stretch *s)
{
    s->state = FETCHING;
    pthread_mutex_unlock(&a->lock);
    bool there = fill(a, s);
    pthread_mutex_lock(&a->lock);
    s->state = there ? READY : NONE;
    pthread_cond_broadcast(&a->done);
}

static void *work(void *arg)
{
    sg_ahead *a = arg;
    pthread_mutex_lock(&a->lock);
    while (!atomic_load(&a->over)) {
        if (a->stretch[a->now].state == ASKED) fetch(a, &a->stretch[a->now]);
        else if (a->stretch[!a->now].state == ASKED) fetch(a, &a->stretch[!a->now]);
        else pthread_cond_wait(&a->asked, &a->lock);
    }
    pthread_mutex_unlock(&a->lock);
    return NULL;
}

/* Signals are for the threads of the program. */
static void start(sg_ahead *a)
{
    sigset_t all, before;
    sigfillset(&all);
    pthread_sigmask(SIG_SETMASK, &all, &before);
    a->started = pthread_create(&a->thread, NULL, work, a) == 0;
    pthread_sigmask(SIG_SETMASK, &before, NULL);
}

/* --- turning to a list --- */

static bool holds(const stretch *s, size_t number)
{
    return s->state != NONE && number >= s->first && number - s->first < s->lists;
}

static void wait_for(sg_ahead *a, const stretch *s)
{
    while (s->state == FETCHING || (s->state == ASKED && a->started)) pthread_cond_wait(&a->done, &a->lock);
}

/* At most so many lists, none after `last`. */
static void ask(const sg_ahead *a, stretch *s, size_t first, size_t lists, size_t last)
{
    size_t left = first <= last ? last - first + 1 : 0, most = left < a->most ? left : a->most;
    s->first = first;
    s->lists = lists < most ? lists : most;
    s->state = s->lists ? ASKED : NONE;
}

/* With the lock: the current stretch holds `number` then, unless that is beyond the last, and the other one is what
 * comes after it. */
static void move_on(sg_ahead *a, size_t number, size_t last)
{
    if (holds(&a->stretch[!a->now], number)) a->now = !a->now;
    else {
        for (size_t i = 0; i < 2; i++) wait_for(a, &a->stretch[i]);
        ask(a, &a->stretch[a->now], number, SHORTEST, last);
    }
    const stretch *s = &a->stretch[a->now];
    ask(a, &a->stretch[!a->now], s->first + s->lists, 2 * s->lists, last);
    if (!a->started) start(a);
    pthread_cond_signal(&a->asked);
}

const size_t *sg_ahead_turn(sg_ahead *a, size_t number, size_t last)
{
    a->row = NULL;
    if (!is_ours(a)) return NULL;
    pthread_mutex_lock(&a->lock);
    if (!holds(&a->stretch[a->now], number)) move_on(a, number, last);
    const stretch *s = &a->stretch[a->now];
    wait_for(a, s);
    if (s->state == READY && holds(s, number)) {
        a->row = s->row + (number - s->first) * a->n;
        a->values = s->values + (number - s->first) * a->n * a->of.columns;
    }
    pthread_mutex_unlock(&a->lock);
    return a->row;
}

/* --- as a source --- */

/* Where to look for a row: rows in order are searched, the others are few. */
static size_t lower_bound(const sg_ahead *a, size_t row)
{
    size_t low = 0, high = a->in_order ? a->n : 0;
    while (low < high) {
        size_t middle = low + (high - low) / 2;
        if (a->row[middle] < row) low = middle + 1;
        else high = middle;
    }
    return low;
}

/* Rows that are asked for in the order of the list; false: they are not. */
static bool copy(const sg_ahead *a, const size_t *rows, size_t n, double *out)
{
    const size_t columns = a->of.columns;
    size_t at = n ? lower_bound(a, rows[0]) : 0;
    for (size_t i = 0; i < n; i++, at++) {
        while (at < a->n && a->row[at] != rows[i]) at++;
        if (at == a->n || !is_here(&a->of, rows[i])) return false;
        for (size_t c = 0; c < columns; c++) out[i * columns + c] = a->values[at * columns + c];
    }
    return true;
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    const sg_ahead *a = self;
    if (a->row && copy(a, rows, n, out)) return SG_OK;
    return sg_source_gather(&a->of, rows, n, out);
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_ahead *a = self;
    return a->of.read(a->of.self, first, n, out);
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_ahead *a = self;
    return a->of.level(a->of.self, column, i);
}

sg_source sg_ahead_source(const sg_ahead *a)
{
    sg_source s = a->of;
    s.self = (void *)a;
    s.read = read_rows;
    s.look = NULL;
    s.gather = gather_rows;
    if (s.level) s.level = level;
    return s;
}

/* --- making one --- */

/* Lists of a stretch: two of these and the keys need the memory that there is; and a place has the bits that a row
 * leaves over. */
static size_t most_lists(const sg_source *of, size_t n, size_t memory)
{
    const size_t numbers = 2 * (of->columns + 1) + 2;
    size_t one, bits = 64 - bits_for(of->rows);
    if (!sg_mul(numbers * sizeof(double), n, &one) || one == 0) return 0;
    size_t fit = memory / one, places = (bits < 32 ? (size_t)1 << bits : (size_t)1 << 32) / n;
    return fit < places ? fit : places;
}

static bool make_room(sg_ahead *a)
{
    const size_t places = a->most * a->n, columns = a->of.columns;
    bool there = true;
    for (size_t i = 0; i < 2; i++) {
        a->stretch[i].row = sg_alloc(places, sizeof *a->stretch[i].row);
        a->stretch[i].values = sg_alloc_lines(places * columns * sizeof *a->stretch[i].values);
        there = there && a->stretch[i].row && a->stretch[i].values;
    }
    a->place_bits = bits_for(places);
    a->key = sg_alloc(places, sizeof *a->key);
    a->spare = sg_alloc(places, sizeof *a->spare);
    a->at_once = columns < NUMBERS ? NUMBERS / columns : 1;
    a->near = sg_alloc(a->at_once, sizeof *a->near);
    a->chunk = sg_alloc(a->at_once, columns * sizeof *a->chunk);
    return there && a->key && a->spare && a->near && a->chunk;
}

sg_status sg_ahead_new(const sg_source *of, size_t n, bool in_order, sg_ahead_fn *fn, void *arg, size_t memory,
                       sg_ahead **out)
{
    size_t most = most_lists(of, n, memory);
    *out = NULL;
    if (most < 1) return SG_OK;
    sg_ahead *a = sg_alloc(1, sizeof *a);
    if (!a) return sg_fail(SG_ENOMEM, "out of memory for reading ahead");
    *a = (sg_ahead){.of = *of, .n = n, .most = most, .in_order = in_order, .fn = fn, .arg = arg, .owner = getpid()};
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->asked, NULL);
    pthread_cond_init(&a->done, NULL);
    if (!make_room(a)) {
        sg_ahead_free(a);
        return sg_fail(SG_ENOMEM, "out of memory for reading ahead");
    }
    *out = a;
    return SG_OK;
}

static void stop(sg_ahead *a)
{
    pthread_mutex_lock(&a->lock);
    atomic_store(&a->over, true);
    pthread_cond_signal(&a->asked);
    pthread_mutex_unlock(&a->lock);
    pthread_join(a->thread, NULL);
}

void sg_ahead_free(sg_ahead *a)
{
    if (!a) return;
    if (is_ours(a)) {
        if (a->started) stop(a);
        pthread_cond_destroy(&a->asked);
        pthread_cond_destroy(&a->done);
        pthread_mutex_destroy(&a->lock);
    }
    for (size_t i = 0; i < 2; i++) {
        free(a->stretch[i].row);
        free(a->stretch[i].values);
    }
    free(a->key);
    free(a->spare);
    free(a->near);
    free(a->chunk);
    free(a);
}
