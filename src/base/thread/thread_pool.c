/* thread_pool.c: a thread pool whose tasks are claimed from one atomic counter.
 *
 * A thread without work spins briefly, then sleeps. The caller works too and waits only for threads that have claimed a
 * task, so a thread that wakes late delays nothing. If help costs more than it gains, the caller works alone. */
#include "base/thread/thread_pool.h"

#include "base/memory.h"
#include "base/thread/cores.h"

#include <math.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>
#include <unistd.h>

/* All times are in nanoseconds. */
static const double spin_ns = 20e3;           /* how long a thread spins before it sleeps */
static const double wakeup_interval_ns = 1e6; /* minimum time between two wake-ups in one job */
/* See update_gain_balance. */
static const double max_credit = 10e6, max_loss = 100e6, serial_factor = 64;

#if defined(__SANITIZE_THREAD__)
/* For race detection, all threads take part in all jobs. */
static const double min_wakeup_ns = 0, min_start_ns = 0, loss_tolerance = INFINITY;
#else
/* A wake-up costs 5 to 10 us, and the thread runs 30 to 50 us later. If the other cores are busy, starting a thread may
 * delay the end of the job by a time slice (a few ms). */
static const double min_wakeup_ns = 80e3, min_start_ns = 4e6, loss_tolerance = 200e3;
#endif

typedef struct worker {
    sg_thread_pool *pool;
    size_t number;
    pthread_t thread;
} worker;

struct sg_thread_pool {
    size_t threads;   /* maximum number of threads, including the caller */
    size_t startable; /* like `threads`, but lower if the system refused to start one */
    size_t started;   /* number of threads that were started, not counting the caller */
    worker *workers;  /* (threads - 1) */
    pid_t owner;      /* process that the threads belong to; a forked child has no threads */
    bool may_spin;
    /* The job. Its members are written while no thread has a task, and read by threads that have one. */
    sg_task_fn *task;
    void *arg;
    size_t n;
    atomic_size_t unclaimed, unfinished;
    atomic_int caller_core;          /* a thread on this core takes no tasks; -1 if there is no such core */
    atomic_size_t first_failed_task; /* lowest index of a failed task; guarded by the lock, like the next two members */
    sg_status failure;
    char failure_message[1024];
    /* Sleeping */
    pthread_mutex_t lock;
    pthread_cond_t work, done;
    size_t references; /* number of threads that still use the pool; the last of them frees it; guarded by the lock */
    atomic_bool has_sleepers;  /* some thread may be asleep and not yet woken */
    atomic_bool caller_sleeps; /* the caller sleeps until all tasks are done */
    atomic_bool quit;
    /* Statistics that the caller keeps */
    double task_time;            /* time per task in the last job */
    double busy_time, solo_time; /* time of all jobs, and of the jobs since threads were last woken or last helped */
    double gain_balance, serial_until;
};

/* The caller's share of a job. */
typedef struct caller_stats {
    size_t tasks;
    double sum, longest; /* total and longest duration of the tasks */
    double wakeup_time;
} caller_stats;

static double now(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return 1e9 * (double)t.tv_sec + (double)t.tv_nsec;
}

/* --- Tasks of a job --- */

static void record_failure(sg_thread_pool *p, size_t i, sg_status st)
{
    pthread_mutex_lock(&p->lock);
    if (i < atomic_load(&p->first_failed_task)) {
        atomic_store(&p->first_failed_task, i);
        p->failure = st;
        strncpy(p->failure_message, sg_errmsg(), sizeof p->failure_message - 1);
    }
    pthread_mutex_unlock(&p->lock);
}

/* Claims and runs a task, or returns false if none is left. The counter counts down, so it alone tells whether a task
 * is left. The rest of the job is read after a claim, because then the job cannot end before this thread has finished.
 * It is harmless if a thread is late or finds the next job instead of the one that it was woken for. */
static bool run_next_task(sg_thread_pool *p, size_t number)
{
    size_t from_end = atomic_load(&p->unclaimed);
    do
        if (from_end == 0) return false;
    while (!atomic_compare_exchange_weak(&p->unclaimed, &from_end, from_end - 1));
    size_t i = p->n - from_end;
    if (i > atomic_load(&p->first_failed_task)) return true; /* a later failure does not change the result */
    sg_status st = p->task(p->arg, i, number);
    if (st != SG_OK) record_failure(p, i, st);
    return true;
}

static void complete_tasks(sg_thread_pool *p, size_t taken)
{
    if (taken == 0 || atomic_fetch_sub(&p->unfinished, taken) > taken || !atomic_load(&p->caller_sleeps)) return;
    pthread_mutex_lock(&p->lock);
    pthread_cond_signal(&p->done);
    pthread_mutex_unlock(&p->lock);
}

/* --- Waiting --- */

static bool has_work(sg_thread_pool *p) { return atomic_load(&p->unclaimed) > 0 || atomic_load(&p->quit); }

static bool is_done(sg_thread_pool *p) { return atomic_load(&p->unfinished) == 0; }

static bool spin_until(sg_thread_pool *p, bool (*ready)(sg_thread_pool *))
{
    if (ready(p)) return true;
    if (!p->may_spin) return false;
    for (double end = now() + spin_ns; now() < end;)
        for (int i = 0; i < 8; i++) {
            if (ready(p)) return true;
            sg_cpu_relax();
        }
    return false;
}

/* The worker sets the flag before it reads the counter; the caller writes the counter before it reads the flag. At
 * least one of them sees the other's write. */
static void sleep_until_woken(sg_thread_pool *p, bool recheck_work)
{
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->has_sleepers, true);
    if (!atomic_load(&p->quit) && !(recheck_work && has_work(p))) pthread_cond_wait(&p->work, &p->lock);
    pthread_mutex_unlock(&p->lock);
}

static void wake_sleepers(sg_thread_pool *p)
{
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->has_sleepers, false);
    pthread_cond_broadcast(&p->work);
    pthread_mutex_unlock(&p->lock);
}

static void sleep_until_done(sg_thread_pool *p)
{
    pthread_mutex_lock(&p->lock);
    atomic_store(&p->caller_sleeps, true);
    while (!is_done(p)) pthread_cond_wait(&p->done, &p->lock);
    atomic_store(&p->caller_sleeps, false);
    pthread_mutex_unlock(&p->lock);
}

/* --- Threads --- */

static void release_reference(sg_thread_pool *p)
{
    pthread_mutex_lock(&p->lock);
    size_t left = --p->references;
    pthread_cond_signal(&p->done);
    pthread_mutex_unlock(&p->lock);
    if (left > 0) return;
    pthread_cond_destroy(&p->done);
    pthread_cond_destroy(&p->work);
    pthread_mutex_destroy(&p->lock);
    free(p->workers);
    free(p);
}

/* Returns whether this thread runs on the caller's core, as it may if the other cores are busy. It could then only take
 * turns with the caller, and should go back to sleep. */
static bool shares_caller_core(const sg_thread_pool *p)
{
    int core = atomic_load(&p->caller_core);
    return core >= 0 && core == sg_core_current();
}

static void *worker_main(void *arg)
{
    const worker *w = arg;
    sg_thread_pool *p = w->pool;
    while (!atomic_load(&p->quit)) {
        size_t taken = 0;
        bool useful = !shares_caller_core(p);
        while (useful && run_next_task(p, w->number)) taken++;
        complete_tasks(p, taken);
        if (!useful || !spin_until(p, has_work)) sleep_until_woken(p, useful);
    }
    release_reference(p);
    return NULL;
}

/* Starts threads while tasks are left, up to `want` including the caller. Failure to start one is not an error. */
static void start_threads(sg_thread_pool *p, size_t want)
{
    for (; p->started + 1 < want && atomic_load(&p->unclaimed) > 0; p->started++) {
        worker *w = &p->workers[p->started];
        w->pool = p;
        w->number = p->started + 1;
        if (pthread_create(&w->thread, NULL, worker_main, w) == 0) continue;
        p->startable = p->started + 1;
        return;
    }
}

sg_status sg_thread_pool_new(size_t threads, sg_thread_pool **out)
{
    size_t cores = threads == 1 ? 1 : sg_core_count();
    if (threads == 0) threads = cores;
    sg_thread_pool *p = sg_calloc(1, sizeof *p);
    if (p) p->workers = sg_calloc(threads - 1, sizeof *p->workers);
    if (!p || !p->workers) {
        free(p);
        return sg_fail_out_of_memory("the thread pool");
    }
    p->threads = p->startable = threads;
    p->owner = getpid();
    p->task_time = 1; /* not known yet */
    p->may_spin = p->threads <= cores;
    pthread_mutex_init(&p->lock, NULL);
    pthread_cond_init(&p->work, NULL);
    pthread_cond_init(&p->done, NULL);
    *out = p;
    return SG_OK;
}

/* Waits up to `most` ns for all threads to exit. Returns whether they did. */
static bool wait_for_exit(sg_thread_pool *p, double most)
{
    struct timespec until;
    clock_gettime(CLOCK_REALTIME, &until);
    double end = (double)until.tv_nsec + most;
    until.tv_sec += (time_t)(end / 1e9);
    until.tv_nsec = (long)fmod(end, 1e9);
    pthread_mutex_lock(&p->lock);
    int late = 0;
    while (p->references > 1 && !late) late = pthread_cond_timedwait(&p->done, &p->lock, &until);
    bool all = p->references == 1;
    pthread_mutex_unlock(&p->lock);
    return all;
}

/* A sleeping thread cannot exit before its core has time for it, which may take milliseconds, so the wait is limited to
 * a small fraction of the pool's working time. A forked child has no threads, and its copy of the lock may be held
 * forever. */
void sg_thread_pool_free(sg_thread_pool *p)
{
    if (!p) return;
    if (p->owner != getpid()) {
        free(p->workers);
        free(p);
        return;
    }
    p->references = p->started + 1;
    atomic_store(&p->quit, true);
    wake_sleepers(p);
    bool all = p->started == 0 || wait_for_exit(p, p->busy_time / serial_factor);
    for (size_t i = 0; i < p->started; i++)
        if (all) pthread_join(p->workers[i].thread, NULL);
        else pthread_detach(p->workers[i].thread);
    release_reference(p);
}

size_t sg_thread_pool_threads(const sg_thread_pool *p) { return p ? p->threads : 1; }

/* --- Running --- */

static sg_status run_serial(size_t n, sg_task_fn *task, void *arg)
{
    for (size_t i = 0; i < n; i++) {
        sg_status st = task(arg, i, 0);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

/* Wakes or starts threads if this is worthwhile, and returns whether it did. Waking requires enough work, done or
 * expected (`rest`), since threads last helped; starting requires enough work over the life of the pool. */
static bool wake_workers(sg_thread_pool *p, double rest)
{
    size_t want = p->n < p->startable ? p->n : p->startable;
    bool call = p->solo_time + rest > min_wakeup_ns && atomic_load(&p->has_sleepers);
    bool start = p->busy_time + rest > min_start_ns && p->started + 1 < want;
    if ((call || start) && atomic_load(&p->caller_core) >= 0) atomic_store(&p->caller_core, sg_core_current());
    if (call) wake_sleepers(p);
    if (start) start_threads(p, want);
    return call || start;
}

static caller_stats run_as_caller(sg_thread_pool *p, double start)
{
    caller_stats own = {0};
    double before = start, next_call = start;
    if (wake_workers(p, p->task_time * (double)p->n)) {
        before = now();
        own.wakeup_time = before - start;
        next_call = before + wakeup_interval_ns;
    }
    while (run_next_task(p, 0)) {
        double t = now(), took = t - before;
        own.tasks++;
        own.sum += took;
        if (took > own.longest) own.longest = took;
        before = t;
        if (t < next_call || !wake_workers(p, took * (double)atomic_load(&p->unclaimed))) continue;
        before = now();
        own.wakeup_time += before - t;
        next_call = before + wakeup_interval_ns;
    }
    return own;
}

/* Working in parallel can lose time: another process may occupy a core in the middle of a task, or jobs may be so short
 * that waking costs more than help gains. The time of each run is compared with an estimate of its serial time, which
 * is the time of the caller's own tasks (including a long first task, which may read a file) plus the usual duration of
 * a task for each task that another thread ran. After a loss, the pool works serially for serial_factor times the time
 * lost, so that losses stay below 1 / serial_factor of the total time. */
static void update_gain_balance(sg_thread_pool *p, double won, double at)
{
    p->gain_balance += won;
    if (p->gain_balance > max_credit) p->gain_balance = max_credit;
    if (p->gain_balance > -loss_tolerance) return;
    if (p->gain_balance < -max_loss) p->gain_balance = -max_loss; /* the machine may have been suspended */
    p->serial_until = at - serial_factor * p->gain_balance;
    p->gain_balance = 0;
}

/* Returns the mean task time without the longest task, during which another process may have occupied the core. */
static double task_time(const caller_stats *own)
{
    return own->tasks > 1 ? (own->sum - own->longest) / (double)(own->tasks - 1) : own->sum;
}

static void record_run(sg_thread_pool *p, const caller_stats *own, double start, double end)
{
    bool helped = own->tasks<p->n, called = own->wakeup_time> 0;
    if (own->tasks > 0) p->task_time = task_time(own);
    p->busy_time += end - start;
    p->solo_time = helped || called ? 0 : p->solo_time + (end - start);
    if (helped) update_gain_balance(p, own->sum + p->task_time * (double)(p->n - own->tasks) - (end - start), end);
    else if (called) update_gain_balance(p, -own->wakeup_time, end);
}

static void run_parallel(sg_thread_pool *p, double start)
{
    atomic_store(&p->first_failed_task, SIZE_MAX);
    atomic_store(&p->unfinished, p->n);
    atomic_store(&p->unclaimed, p->n);
    caller_stats own = run_as_caller(p, start);
    complete_tasks(p, own.tasks);
    if (!spin_until(p, is_done)) sleep_until_done(p);
    record_run(p, &own, start, now());
}

static sg_status start_and_run_job(sg_thread_pool *p, size_t n, sg_task_fn *task, void *arg, double start)
{
    p->task = task;
    p->arg = arg;
    p->n = n;
    run_parallel(p, start);
    if (atomic_load(&p->first_failed_task) == SIZE_MAX) return SG_OK;
    return sg_fail(p->failure, "%s", p->failure_message);
}

sg_status sg_thread_pool_run(sg_thread_pool *p, size_t n, sg_task_fn *task, void *arg)
{
    if (!p || p->threads == 1 || n < 2) return run_serial(n, task, arg);
    double start = now();
    if (start < p->serial_until || p->owner != getpid()) return run_serial(n, task, arg);
    atomic_store(&p->caller_core, sg_core_current());
    return start_and_run_job(p, n, task, arg, start);
}

sg_status sg_thread_pool_run_long(sg_thread_pool *p, size_t n, sg_task_fn *task, void *arg)
{
    if (!p || p->threads == 1 || n < 2 || p->owner != getpid()) return run_serial(n, task, arg);
    atomic_store(&p->caller_core, -1);
    p->task_time = 1e9;
    return start_and_run_job(p, n, task, arg, now());
}
