/* ahead.c: see ahead.h.
 *
 * Whoever comes first to a list that was asked for fetches it: the thread, or, where that is behind, the one that
 * needs its rows; so two fetch where one is too slow, and nothing is lost where there is no thread. A list that
 * can't be fetched is no failure yet: whoever needs its rows gets the sentence from the original. */
#include "data/ahead.h"

#include "base/memory.h"

#include <pthread.h>
#include <signal.h>
#include <stdatomic.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

typedef enum state { NONE, ASKED, FETCHING, READY } state;

typedef struct list {
    size_t number, n;
    size_t *row;    /* (n), ascending         */
    size_t runs;    /* of rows that follow each other: */
    size_t *run;    /* (runs + 1): where they begin in `row`, and n */
    double *values; /* (n, columns of `of`)   */
    atomic_int state;
} list;

struct sg_ahead {
    sg_source of;
    size_t most, lists;
    list *list; /* (lists): number % lists is the place of a list */
    atomic_size_t current;
    pid_t owner; /* a child of that process has no thread, and maybe a lock that nobody opens */
    pthread_mutex_t lock;
    pthread_cond_t asked, done;
    pthread_t thread;
    bool started, over;
};

static bool is_ours(const sg_ahead *a) { return a->owner == getpid(); }

/* --- fetching --- */

/* With the lock, which it opens while it reads. */
static void fetch(sg_ahead *a, list *l)
{
    atomic_store(&l->state, FETCHING);
    pthread_mutex_unlock(&a->lock);
    sg_status st = sg_source_gather(&a->of, l->row, l->n, l->values);
    pthread_mutex_lock(&a->lock);
    atomic_store(&l->state, st == SG_OK ? READY : NONE);
    pthread_cond_broadcast(&a->done);
}

static list *next_asked(const sg_ahead *a)
{
    list *first = NULL;
    for (size_t i = 0; i < a->lists; i++) {
        list *l = &a->list[i];
        if (atomic_load(&l->state) == ASKED && (!first || l->number < first->number)) first = l;
    }
    return first;
}

static void *work(void *arg)
{
    sg_ahead *a = arg;
    pthread_mutex_lock(&a->lock);
    while (!a->over) {
        list *l = next_asked(a);
        if (l) fetch(a, l);
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

/* --- asking --- */

static int by_number(const void *a, const void *b)
{
    size_t x = *(const size_t *)a, y = *(const size_t *)b;
    return (x > y) - (x < y);
}

static bool ascends(const size_t *row, size_t n)
{
    for (size_t i = 1; i < n; i++)
        if (row[i] <= row[i - 1]) return false;
    return true;
}

/* Rows that other members of a team hold can't be had here. */
static bool is_here(const sg_source *s, size_t row) { return !s->team || (row >= s->first && row - s->first < s->here); }

static void fill(const sg_ahead *a, list *l, const size_t *rows, size_t n)
{
    l->n = 0;
    for (size_t i = 0; i < n; i++)
        if (is_here(&a->of, rows[i])) l->row[l->n++] = rows[i];
    if (!ascends(l->row, l->n)) qsort(l->row, l->n, sizeof *l->row, by_number);
    l->runs = 0;
    for (size_t i = 0; i < l->n; i++)
        if (i == 0 || l->row[i] != l->row[i - 1] + 1) l->run[l->runs++] = i;
    l->run[l->runs] = l->n;
}

void sg_ahead_ask(sg_ahead *a, size_t number, const size_t *rows, size_t n)
{
    list *l = &a->list[number % a->lists];
    if (n > a->most || !is_ours(a)) return;
    pthread_mutex_lock(&a->lock);
    while (atomic_load(&l->state) == FETCHING) pthread_cond_wait(&a->done, &a->lock);
    l->number = number;
    fill(a, l, rows, n);
    atomic_store(&l->state, ASKED);
    if (!a->started) start(a);
    pthread_cond_signal(&a->asked);
    pthread_mutex_unlock(&a->lock);
}

void sg_ahead_turn(sg_ahead *a, size_t number) { atomic_store(&a->current, number); }

/* --- as a source --- */

/* Where the row stands in the list; l->n: nowhere. Runs are few where rows are many: a window has 64. */
static size_t find(const list *l, size_t row)
{
    size_t low = 0, high = l->runs;
    if (l->n == 0 || row < l->row[0]) return l->n;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (l->row[l->run[middle]] <= row) low = middle;
        else high = middle;
    }
    size_t at = l->run[low] + (row - l->row[l->run[low]]);
    return at < l->run[low + 1] ? at : l->n;
}

/* False: not all of them are there. */
static bool copy(const sg_ahead *a, const list *l, const size_t *rows, size_t n, double *out)
{
    const size_t columns = a->of.columns;
    for (size_t i = 0; i < n; i++) {
        size_t at = find(l, rows[i]);
        if (at == l->n) return false;
        memcpy(out + i * columns, l->values + at * columns, columns * sizeof *out);
    }
    return true;
}

static bool is_ready(sg_ahead *a, list *l, size_t number)
{
    if (atomic_load(&l->state) == READY) return l->number == number;
    if (!is_ours(a)) return false;
    pthread_mutex_lock(&a->lock);
    if (l->number == number && atomic_load(&l->state) == ASKED) fetch(a, l);
    while (l->number == number && atomic_load(&l->state) == FETCHING) pthread_cond_wait(&a->done, &a->lock);
    bool ready = l->number == number && atomic_load(&l->state) == READY;
    pthread_mutex_unlock(&a->lock);
    return ready;
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    sg_ahead *a = self;
    size_t number = atomic_load(&a->current);
    list *l = &a->list[number % a->lists];
    if (is_ready(a, l, number) && copy(a, l, rows, n, out)) return SG_OK;
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
    s.gather = gather_rows;
    if (s.level) s.level = level;
    return s;
}

/* --- making one --- */

static bool make_lists(sg_ahead *a)
{
    size_t bytes;
    if (!sg_mul(a->most, a->of.columns * sizeof(double), &bytes)) return false;
    a->list = sg_alloc(a->lists, sizeof *a->list);
    for (size_t i = 0; a->list && i < a->lists; i++) {
        list *l = &a->list[i];
        l->number = SIZE_MAX;
        l->row = sg_alloc(a->most, sizeof *l->row);
        l->run = sg_alloc(a->most + 1, sizeof *l->run);
        l->values = sg_alloc_lines(bytes);
        if (!l->row || !l->run || !l->values) return false;
    }
    return a->list;
}

sg_status sg_ahead_new(const sg_source *of, size_t n, size_t depth, sg_ahead **out)
{
    sg_ahead *a = sg_alloc(1, sizeof *a);
    if (!a) return sg_fail(SG_ENOMEM, "out of memory for reading ahead");
    *a = (sg_ahead){.of = *of, .most = n, .lists = depth + 1, .owner = getpid()};
    atomic_store(&a->current, SIZE_MAX - 1);
    pthread_mutex_init(&a->lock, NULL);
    pthread_cond_init(&a->asked, NULL);
    pthread_cond_init(&a->done, NULL);
    if (!make_lists(a)) {
        sg_ahead_free(a);
        return sg_fail(SG_ENOMEM, "out of memory for reading ahead");
    }
    *out = a;
    return SG_OK;
}

static void stop(sg_ahead *a)
{
    pthread_mutex_lock(&a->lock);
    a->over = true;
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
    for (size_t i = 0; a->list && i < a->lists; i++) {
        free(a->list[i].row);
        free(a->list[i].run);
        free(a->list[i].values);
    }
    free(a->list);
    free(a);
}
