/* test_thread_pool.c: each task runs once, the first failure wins, repeated runs, fork.
 * labels: threads */
#include "base/thread/cores.h"
#include "base/thread/thread_pool.h"
#include "test.h"

#include <pthread.h>
#include <sched.h>
#include <stdatomic.h>
#include <stdbool.h>
#include <stdlib.h>
#include <sys/wait.h>
#include <time.h>
#include <unistd.h>

enum { MOST_TASKS = 1000, MOST_THREADS = 8 };

typedef struct job {
    atomic_uint runs[MOST_TASKS];
    atomic_uint busy[MOST_THREADS];
    size_t n, threads;
    sg_thread_pool *pool;
    atomic_uint wrong;
    const size_t *fails; /* ends with SIZE_MAX */
} job;

typedef sg_status run_fn(sg_thread_pool *p, size_t n, sg_task_fn *task, void *arg);
static run_fn *const runs[] = {sg_thread_pool_run, sg_thread_pool_run_long};

#if defined(__SANITIZE_THREAD__)
enum { ALWAYS_TOGETHER = 1 }; /* thread_pool.c always uses all threads under tsan */
#else
enum { ALWAYS_TOGETHER = 0 };
#endif

static const size_t thread_counts[] = {1, 2, 3, MOST_THREADS}, task_counts[] = {0, 1, 7, MOST_TASKS};
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* No two concurrent tasks may have the same worker index. */
static sg_status count(void *arg, size_t i, size_t worker)
{
    job *j = arg;
    if (worker >= j->threads || i >= j->n || atomic_fetch_add(&j->busy[worker], 1) != 0) atomic_fetch_add(&j->wrong, 1);
    atomic_fetch_add(&j->runs[i], 1);
    atomic_fetch_sub(&j->busy[worker], 1);
    return SG_OK;
}

static void run_and_check(run_fn *run, sg_thread_pool *p, size_t n, size_t threads)
{
    static job j;
    memset(&j, 0, sizeof j);
    j.n = n;
    j.threads = threads;
    check(run(p, n, count, &j));
    assert_int_equal(j.wrong, 0);
    for (size_t i = 0; i < MOST_TASKS; i++) assert_int_equal(j.runs[i], i < n);
}

static void every_task_runs_once(void **state)
{
    (void)state;
    for (size_t t = 0; t < COUNT(thread_counts); t++) {
        sg_thread_pool *p;
        check(sg_thread_pool_new(thread_counts[t], &p));
        assert_int_equal(sg_thread_pool_threads(p), thread_counts[t]);
        for (int again = 0; again < 20; again++)
            for (size_t k = 0; k < COUNT(task_counts); k++)
                run_and_check(runs[again % 2], p, task_counts[k], thread_counts[t]);
        sg_thread_pool_free(p);
    }
    for (size_t k = 0; k < COUNT(task_counts); k++) run_and_check(runs[k % 2], NULL, task_counts[k], 1);
    assert_int_equal(sg_thread_pool_threads(NULL), 1);
    sg_thread_pool_free(NULL);
}

static sg_status fail_some(void *arg, size_t i, size_t worker)
{
    const job *j = arg;
    (void)worker;
    sg_fail(SG_OK, "a sentence of task %zu that nobody should see", i);
    for (const size_t *f = j->fails; *f != SIZE_MAX; f++)
        if (*f == i) {
            if (i < 5) usleep(2000); /* the others fail earlier in time */
            return sg_fail(i % 2 ? SG_EDATA : SG_EIO, "task %zu failed", i);
        }
    return SG_OK;
}

static void the_first_failure_wins(void **state)
{
    static const size_t fails[][8] = {
        {3, 4, 5, 6, 7, 900, SIZE_MAX}, {999, 500, 17, SIZE_MAX}, {0, 1, SIZE_MAX}, {999, SIZE_MAX}};
    static const size_t first[] = {3, 17, 0, 999};
    (void)state;
    for (size_t t = 0; t <= COUNT(thread_counts); t++) {
        sg_thread_pool *p = NULL;
        if (t < COUNT(thread_counts)) check(sg_thread_pool_new(thread_counts[t], &p));
        for (size_t k = 0; k < 2 * COUNT(first); k++) {
            run_fn *run = runs[k / COUNT(first)];
            size_t i = k % COUNT(first);
            job j = {.fails = fails[i]};
            char sentence[64];
            snprintf(sentence, sizeof sentence, "task %zu failed", first[i]);
            assert_int_equal(run(p, MOST_TASKS, fail_some, &j), first[i] % 2 ? SG_EDATA : SG_EIO);
            assert_string_equal(sg_errmsg(), sentence);
        }
        run_and_check(sg_thread_pool_run_long, p, MOST_TASKS,
                      t < COUNT(thread_counts) ? thread_counts[t] : 1); /* the failure is not remembered */
        sg_thread_pool_free(p);
    }
}

/* Writes of the tasks are visible after the run, and writes before the run are visible to the tasks: tsan checks it. */
static sg_status add_neighbours(void *arg, size_t i, size_t worker)
{
    double *x = arg;
    (void)worker;
    if (i % 250 == 249) usleep(1000); /* the run waits for the last task, too */
    x[MOST_TASKS + i] = x[i] + x[(i + 1) % MOST_TASKS];
    return SG_OK;
}

static void memory_is_shared(void **state)
{
    static double x[2 * MOST_TASKS];
    sg_thread_pool *p;
    (void)state;
    check(sg_thread_pool_new(3, &p));
    for (int again = 0; again < 10; again++) {
        for (size_t i = 0; i < MOST_TASKS; i++) x[i] = 2.385 * (double)i + again;
        check(runs[again % 2](p, MOST_TASKS, add_neighbours, x));
        for (size_t i = 0; i < MOST_TASKS; i++) assert_true(x[MOST_TASKS + i] == x[i] + x[(i + 1) % MOST_TASKS]);
    }
    sg_thread_pool_free(p);
}

/* A task may run tasks itself, without a pool or with its own pool. */
static sg_status nest(void *arg, size_t i, size_t worker)
{
    atomic_uint *sums = arg;
    (void)worker;
    sg_thread_pool *own = NULL;
    sg_status st = i % 2 ? sg_thread_pool_new(2, &own) : SG_OK;
    job j = {.n = 7, .threads = 2};
    if (st == SG_OK) st = sg_thread_pool_run_long(own, 7, count, &j);
    for (size_t k = 0; k < 7; k++) atomic_fetch_add(&sums[i], j.runs[k]);
    sg_thread_pool_free(own);
    return st;
}

static void runs_nest(void **state)
{
    atomic_uint sums[12] = {0};
    sg_thread_pool *p;
    (void)state;
    check(sg_thread_pool_new(3, &p));
    check(sg_thread_pool_run_long(p, 12, nest, sums));
    for (size_t i = 0; i < 12; i++) assert_int_equal(sums[i], 7);
    sg_thread_pool_free(p);
}

/* --- When threads help --- */

static double seconds(void)
{
    struct timespec t;
    clock_gettime(CLOCK_MONOTONIC, &t);
    return (double)t.tv_sec + 1e-9 * (double)t.tv_nsec;
}

/* Succeeds if all n tasks run at the same time. */
typedef struct meeting {
    size_t n;
    atomic_size_t here;
} meeting;

static sg_status meet(void *arg, size_t i, size_t worker)
{
    meeting *m = arg;
    (void)worker;
    atomic_fetch_add(&m->here, 1);
    for (double end = seconds() + 20; atomic_load(&m->here) < m->n;)
        if (seconds() > end) return sg_fail(SG_EIO, "task %zu waits for the others", i);
    return SG_OK;
}

static void long_tasks_begin_at_once(void **state)
{
    (void)state;
    for (size_t t = 1; t < COUNT(thread_counts); t++) {
        sg_thread_pool *p;
        check(sg_thread_pool_new(thread_counts[t], &p));
        for (int again = 0; again < 5; again++) {
            meeting m = {.n = thread_counts[t]};
            check(sg_thread_pool_run_long(p, m.n, meet, &m));
            if (again % 2) usleep(1000); /* the threads are asleep */
        }
        sg_thread_pool_free(p);
    }
}

/* Jobs follow each other quickly, each with an argument that is freed afterwards: a late thread must not touch the old
 * or the next job. */
static void late_threads_do_no_harm(void **state)
{
    sg_thread_pool *p[2];
    (void)state;
    check(sg_thread_pool_new(3, &p[0]));
    check(sg_thread_pool_new(MOST_THREADS, &p[1]));
    for (size_t k = 0; k < 4000; k++) {
        job *j = calloc(1, sizeof *j);
        assert_non_null(j);
        j->n = 2 + k % 5;
        j->threads = k % 3 ? 3 : MOST_THREADS;
        check(runs[k % 7 < 4](p[k % 3 == 0], j->n, count, j));
        assert_int_equal(j->wrong, 0);
        for (size_t i = 0; i <= j->n; i++) assert_int_equal(j->runs[i], i < j->n);
        memset(j, 0xff, sizeof *j);
        free(j);
    }
    sg_thread_pool_free(p[0]);
    sg_thread_pool_free(p[1]);
}

static sg_status take_20_us(void *arg, size_t i, size_t worker)
{
    unsigned char *helped = arg;
    (void)i;
    if (worker > 0) helped[worker] = 1;
    for (double end = seconds() + 20e-6; seconds() < end;) {}
    return SG_OK;
}

/* No thread is started for little work; one is for a long job and for many short ones. The scheduler decides whether it
 * gets a task, so the test retries. */
static bool is_helped(size_t jobs, size_t tasks)
{
    for (double end = seconds() + 20; seconds() < end;) {
        unsigned char helped[2] = {0};
        sg_thread_pool *p;
        check(sg_thread_pool_new(2, &p));
        for (size_t k = 0; k < jobs; k++) check(sg_thread_pool_run(p, tasks, take_20_us, helped));
        sg_thread_pool_free(p);
        if (helped[1]) return true;
        if (jobs * tasks < 20) return false;
    }
    return false;
}

static void threads_start_where_it_pays(void **state)
{
    (void)state;
    size_t helped = 0;
    for (int again = 0; again < 20; again++) helped += is_helped(1, 8);
    assert_true(helped < 10 || ALWAYS_TOGETHER); /* an interrupted task looks like a long one */
    if (sg_core_count() == 1) skip();
    assert_true(is_helped(1, 2000));
    assert_true(is_helped(200, 10));
}

/* The first task is long, and all others wait for a helper. */
static sg_status begin_slowly(void *arg, size_t i, size_t worker)
{
    atomic_bool *helped = arg;
    if (i == 0) usleep(50000);
    if (worker > 0) atomic_store(helped, true);
    for (double end = seconds() + 1e-3; i > 0 && !atomic_load(helped) && seconds() < end;) {}
    return SG_OK;
}

/* On a busy machine it takes many tries until there is help. */
static void a_slow_beginning_is_no_loss(void **state)
{
    bool again = false;
    (void)state;
    if (sg_core_count() == 1) skip();
    for (double end = seconds() + 60; !again && seconds() < end;) {
        unsigned char later[2] = {0};
        atomic_bool helped = false;
        sg_thread_pool *p;
        check(sg_thread_pool_new(2, &p));
        check(sg_thread_pool_run(p, 10, begin_slowly, &helped));
        for (size_t k = 0; k < 200; k++) check(sg_thread_pool_run(p, 10, take_20_us, later));
        sg_thread_pool_free(p);
        again = helped && later[1];
    }
    assert_true(again);
}

/* --- After fork --- */

static sg_status always_fail(void *arg, size_t i, size_t worker)
{
    const atomic_bool *stop = arg;
    (void)worker;
    return atomic_load(stop) ? SG_OK : sg_fail(SG_EIO, "task %zu failed", MOST_TASKS - i);
}

typedef struct busy {
    sg_thread_pool *pool;
    atomic_bool stop;
} busy;

static void *keep_busy(void *arg)
{
    busy *b = arg;
    while (!atomic_load(&b->stop)) sg_thread_pool_run_long(b->pool, 20, always_fail, &b->stop);
    return NULL;
}

static sg_status fail_late(void *arg, size_t i, size_t worker)
{
    size_t *next = arg;
    if (worker != 0 || i != (*next)++) _exit(3); /* all tasks run here, in order */
    return i < 6 ? SG_OK : sg_fail(SG_EDATA, "task %zu failed", i);
}

/* The pool was active when the process was forked: its lock may be held by a thread that the child does not have. */
static void a_child_works_alone(void **state)
{
    busy b = {.stop = false};
    pthread_t other;
    (void)state;
    check(sg_thread_pool_new(4, &b.pool));
    assert_int_equal(pthread_create(&other, NULL, keep_busy, &b), 0);
    for (int k = 0; k < 100; k++) {
        int status;
        pid_t child = fork();
        assert_true(child >= 0);
        if (child == 0) {
            alarm(20);
            for (size_t r = 0; r < COUNT(runs); r++) {
                size_t next = 0;
                if (runs[r](b.pool, 9, fail_late, &next) != SG_EDATA || next != 7) _exit(4);
                if (strcmp(sg_errmsg(), "task 6 failed") != 0) _exit(5);
            }
            if (sg_thread_pool_threads(b.pool) != 4) _exit(6);
            sg_thread_pool_free(b.pool);
            _exit(0);
        }
        assert_int_equal(waitpid(child, &status, 0), child);
        assert_int_equal(status, 0);
    }
    atomic_store(&b.stop, true);
    pthread_join(other, NULL);
    run_and_check(sg_thread_pool_run_long, b.pool, MOST_TASKS, 4); /* the parent's pool still works */
    sg_thread_pool_free(b.pool);
}

/* --- Cores --- */

static void zero_means_the_cores(void **state)
{
    sg_thread_pool *p;
    cpu_set_t all, one;
    (void)state;
    check(sg_thread_pool_new(0, &p));
    assert_int_equal(sg_thread_pool_threads(p), sg_core_count());
    sg_thread_pool_free(p);
    assert_in_range(sg_core_count(), 1, sysconf(_SC_NPROCESSORS_CONF));
    assert_int_equal(sched_getaffinity(0, sizeof all, &all), 0);
    CPU_ZERO(&one);
    CPU_SET(sg_core_current(), &one);
    assert_int_equal(sched_setaffinity(0, sizeof one, &one), 0);
    assert_int_equal(sg_core_count(), 1);
    check(sg_thread_pool_new(3, &p)); /* more threads than cores: no spinning */
    run_and_check(sg_thread_pool_run_long, p, MOST_TASKS, 3);
    sg_thread_pool_free(p);
    assert_int_equal(sched_setaffinity(0, sizeof all, &all), 0);
}

static const struct CMUnitTest tests[] = {
    cmocka_unit_test(every_task_runs_once),
    cmocka_unit_test(the_first_failure_wins),
    cmocka_unit_test(memory_is_shared),
    cmocka_unit_test(runs_nest),
    cmocka_unit_test(long_tasks_begin_at_once),
    cmocka_unit_test(late_threads_do_no_harm),
    cmocka_unit_test(threads_start_where_it_pays),
    cmocka_unit_test(a_slow_beginning_is_no_loss),
    cmocka_unit_test(a_child_works_alone),
    cmocka_unit_test(zero_means_the_cores),
};
TEST_GROUP(tests, NULL, NULL)
