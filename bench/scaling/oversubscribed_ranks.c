/* oversubscribed_ranks.c: measures the CPU time of one of many ranks in a training step, on a machine with fewer cores.
 *
 * Ranks are threads that broadcast the available cores. They sleep while they wait for messages, so their CPU time is
 * that of their own work: their part of the batch, and the sampling of the whole batch. Prints the time of the last
 * rank, which the others wait for, because it samples more than they do (train/batch/batch_sampler.c). */
#include "time_training_parts.h"

#include <pthread.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { ROWS = 1 << 20 };

typedef struct message {
    void *bytes; /* NULL: no message */
    size_t n;
} message;

/* The messages to a rank. */
typedef struct inbox {
    pthread_mutex_t lock;
    pthread_cond_t changed;
    message *from; /* (ranks) */
} inbox;

typedef struct rank_thread {
    sg_comm team;
    inbox *all; /* (ranks) */
    const sg_table *table;
    const sg_options *options;
    size_t steps;
    double cpu; /* of a step */
} rank_thread;

/* --- messages --- */

static void *must_calloc(size_t n, size_t size)
{
    void *p = calloc(n ? n : 1, size);
    if (p) return p;
    fputs("scaling: out of memory\n", stderr);
    exit(1);
}

static sg_status send(void *self, size_t to, const void *bytes, size_t n)
{
    rank_thread *m = self;
    inbox *box = &m->all[to];
    void *copy = must_calloc(n, 1);
    memcpy(copy, bytes, n);
    pthread_mutex_lock(&box->lock);
    while (box->from[m->team.rank].bytes) pthread_cond_wait(&box->changed, &box->lock);
    box->from[m->team.rank] = (message){copy, n};
    pthread_cond_broadcast(&box->changed);
    pthread_mutex_unlock(&box->lock);
    return SG_OK;
}

static sg_status receive(void *self, size_t from, void *bytes, size_t n)
{
    rank_thread *m = self;
    inbox *box = &m->all[m->team.rank];
    pthread_mutex_lock(&box->lock);
    while (!box->from[from].bytes) pthread_cond_wait(&box->changed, &box->lock);
    message got = box->from[from];
    box->from[from].bytes = NULL;
    pthread_cond_broadcast(&box->changed);
    pthread_mutex_unlock(&box->lock);
    if (got.n == n) memcpy(bytes, got.bytes, n);
    free(got.bytes);
    if (got.n == n) return SG_OK;
    sg_set_errmsg("unexpected message size");
    return SG_EIO;
}

static sg_status broadcast(void *self, size_t from, void *bytes, size_t n)
{
    const rank_thread *m = self;
    sg_status st = SG_OK;
    if (m->team.rank != from) return receive(self, from, bytes, n);
    for (size_t to = 0; st == SG_OK && to < m->team.ranks; to++)
        if (to != from) st = send(self, to, bytes, n);
    return st;
}

/* --- members --- */

static double thread_cpu_seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_THREAD_CPUTIME_ID, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

static void *train(void *arg)
{
    rank_thread *m = arg;
    sg_source rows = sg_table_source(m->table);
    sg_trainer *t;
    sg_progress p;
    rows.comm = m->team.ranks > 1 ? &m->team : NULL;
    rows.local_first = rows.rows * m->team.rank / m->team.ranks;
    rows.local_rows = rows.rows * (m->team.rank + 1) / m->team.ranks - rows.local_first;
    must(sg_trainer_new(m->options, &rows, NULL, &t));
    must(sg_trainer_step(t, &p));
    double start = thread_cpu_seconds();
    for (size_t i = 0; i < m->steps; i++) must(sg_trainer_step(t, &p));
    m->cpu = (thread_cpu_seconds() - start) / (double)m->steps;
    sg_trainer_free(t);
    return NULL;
}

static void run_all(rank_thread *m, size_t ranks)
{
    pthread_t *thread = must_calloc(ranks, sizeof *thread);
    for (size_t i = 0; i < ranks; i++) {
        if (pthread_create(&thread[i], NULL, train, &m[i]) == 0) continue;
        fputs("scaling: cannot start enough threads\n", stderr);
        exit(1);
    }
    for (size_t i = 0; i < ranks; i++) pthread_join(thread[i], NULL);
    free(thread);
}

void time_oversubscribed_ranks(int argc, char **argv)
{
    const size_t ranks = strtoul(argv[2], NULL, 10), steps = strtoul(argv[3], NULL, 10);
    sg_options *o = probe_options(argc, argv, 4, NULL);
    rank_thread *m = must_calloc(ranks, sizeof *m);
    inbox *all = must_calloc(ranks, sizeof *all);
    sg_table *table;
    must(sg_table_generate("friedman", ROWS, 1, &table));
    for (size_t i = 0; i < ranks; i++) {
        all[i] = (inbox){.lock = PTHREAD_MUTEX_INITIALIZER,
                         .changed = PTHREAD_COND_INITIALIZER,
                         .from = must_calloc(ranks, sizeof(message))};
        m[i] = (rank_thread){
            .team = {.self = &m[i], .rank = i, .ranks = ranks, .send = send, .recv = receive, .bcast = broadcast},
            .all = all,
            .table = table,
            .options = o,
            .steps = steps};
    }
    run_all(m, ranks);
    printf("%.9g %.9g\n", m[ranks - 1].cpu, m[ranks - 1].cpu);
    for (size_t i = 0; i < ranks; i++) free(all[i].from);
    free(all);
    free(m);
    sg_table_free(table);
    sg_options_free(o);
}
