/* pool.c: tasks are handed out one by one under a mutex; idle threads sleep. */
#include "base/pool.h"

#include "base/memory.h"

#include <pthread.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

struct sg_pool {
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    pthread_t *threads;
    size_t started; /* threads beside the caller's */
    /* The job at hand; all below is guarded by lock. */
    sg_task *task;
    void *arg;
    size_t next, n, running;
    unsigned long job; /* counts jobs, so that a thread sees a new one */
    bool quit;
    size_t failed_at;
    sg_status failure;
    char sentence[1024];
};

typedef struct worker {
    sg_pool *pool;
    size_t number;
} worker;

static void note_failure(sg_pool *p, size_t i, sg_status st)
{
    if (p->failure != SG_OK && p->failed_at < i) return;
    p->failure = st;
    p->failed_at = i;
    strncpy(p->sentence, sg_errmsg(), sizeof p->sentence - 1);
}

/* Takes tasks until none is left. Called and left with the lock held. */
static void take_tasks(sg_pool *p, size_t number)
{
    while (p->next < p->n) {
        size_t i = p->next++;
        if (p->failure != SG_OK && p->failed_at < i) continue; /* it could not change the outcome */
        sg_task *task = p->task;
        void *arg = p->arg;
        p->running++;
        pthread_mutex_unlock(&p->lock);
        sg_status st = task(arg, i, number);
        pthread_mutex_lock(&p->lock);
        p->running--;
        if (st != SG_OK) note_failure(p, i, st);
    }
    if (p->running == 0) pthread_cond_broadcast(&p->done);
}

static void *thread_main(void *arg)
{
    worker w = *(worker *)arg;
    free(arg);
    sg_pool *p = w.pool;
    unsigned long seen = 0;
    pthread_mutex_lock(&p->lock);
    for (;;) {
        while (!p->quit && p->job == seen) pthread_cond_wait(&p->work, &p->lock);
        if (p->quit) break;
        seen = p->job;
        take_tasks(p, w.number);
    }
    pthread_mutex_unlock(&p->lock);
    return NULL;
}

/* A thread that can't be started is done without. */
static void start_threads(sg_pool *p, size_t want)
{
    for (size_t i = 0; i < want; i++) {
        worker *w = malloc(sizeof *w);
        if (!w) return;
        *w = (worker){p, i + 1};
        if (pthread_create(&p->threads[i], NULL, thread_main, w) != 0) {
            free(w);
            return;
        }
        p->started++;
    }
}

sg_status sg_pool_new(size_t threads, sg_pool **out)
{
    if (threads == 0) {
        long cores = sysconf(_SC_NPROCESSORS_ONLN);
        threads = cores < 1 ? 1 : (size_t)cores;
    }
    sg_pool *p = sg_alloc(1, sizeof *p);
    if (p) p->threads = sg_alloc(threads, sizeof *p->threads);
    if (!p || !p->threads) {
        free(p);
        return sg_fail(SG_ENOMEM, "out of memory for threads");
    }
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
    start_threads(p, threads - 1);
    *out = p;
    return SG_OK;
}

void sg_pool_free(sg_pool *p)
{
    if (!p) return;
    pthread_mutex_lock(&p->lock);
    p->quit = true;
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
    for (size_t i = 0; i < p->started; i++) pthread_join(p->threads[i], NULL);
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    free(p->threads);
    free(p);
}

size_t sg_pool_threads(const sg_pool *p) { return p ? p->started + 1 : 1; }

static sg_status run_here(size_t n, sg_task *task, void *arg)
{
    for (size_t i = 0; i < n; i++) {
        sg_status st = task(arg, i, 0);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

sg_status sg_pool_run(sg_pool *p, size_t n, sg_task *task, void *arg)
{
    if (!p || p->started == 0 || n < 2) return run_here(n, task, arg);
    pthread_mutex_lock(&p->lock);
    p->task = task;
    p->arg = arg;
    p->next = 0;
    p->n = n;
    p->failure = SG_OK;
    p->job++;
    pthread_cond_broadcast(&p->work);
    take_tasks(p, 0);
    while (p->running > 0) pthread_cond_wait(&p->done, &p->lock);
    sg_status st = p->failure;
    if (st != SG_OK) sg_fail(st, "%s", p->sentence);
    pthread_mutex_unlock(&p->lock);
    return st;
}
