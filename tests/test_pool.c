/* test_pool.c: tasks on threads: each once, the first failure, again and again.
 * labels: threads */
#include "base/pool.h"
#include "test.h"

#include <stdatomic.h>
#include <unistd.h>

enum { MOST_TASKS = 1000, MOST_THREADS = 8 };

typedef struct job {
    atomic_uint runs[MOST_TASKS];
    atomic_uint busy[MOST_THREADS];
    size_t n, threads;
    sg_pool *pool;
    atomic_uint wrong;
    const size_t *fails; /* ends with SIZE_MAX */
} job;

static const size_t thread_counts[] = {1, 2, 3, MOST_THREADS}, task_counts[] = {0, 1, 7, MOST_TASKS};
#define COUNT(a) (sizeof(a) / sizeof *(a))

/* No two tasks at once may see the same worker: it stands for room that belongs to one. */
static sg_status count(void *arg, size_t i, size_t worker)
{
    job *j = arg;
    if (worker >= j->threads || i >= j->n || atomic_fetch_add(&j->busy[worker], 1) != 0)
        atomic_fetch_add(&j->wrong, 1);
    atomic_fetch_add(&j->runs[i], 1);
    atomic_fetch_sub(&j->busy[worker], 1);
    return SG_OK;
}

static void run_and_check(sg_pool *p, size_t n, size_t threads)
{
    static job j;
    memset(&j, 0, sizeof j);
    j.n = n;
    j.threads = threads;
    check(sg_pool_run(p, n, count, &j));
    assert_int_equal(j.wrong, 0);
    for (size_t i = 0; i < MOST_TASKS; i++) assert_int_equal(j.runs[i], i < n);
}

static void every_task_runs_once(void **state)
{
    (void)state;
    for (size_t t = 0; t < COUNT(thread_counts); t++) {
        sg_pool *p;
        check(sg_pool_new(thread_counts[t], &p));
        assert_int_equal(sg_pool_threads(p), thread_counts[t]);
        for (int again = 0; again < 20; again++)
            for (size_t k = 0; k < COUNT(task_counts); k++)
                run_and_check(p, task_counts[k], thread_counts[t]);
        sg_pool_free(p);
    }
    for (size_t k = 0; k < COUNT(task_counts); k++) run_and_check(NULL, task_counts[k], 1);
    assert_int_equal(sg_pool_threads(NULL), 1);
    sg_pool_free(NULL);
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
        sg_pool *p = NULL;
        if (t < COUNT(thread_counts)) check(sg_pool_new(thread_counts[t], &p));
        for (size_t k = 0; k < COUNT(first); k++) {
            job j = {.fails = fails[k]};
            char sentence[64];
            snprintf(sentence, sizeof sentence, "task %zu failed", first[k]);
            assert_int_equal(sg_pool_run(p, MOST_TASKS, fail_some, &j), first[k] % 2 ? SG_EDATA : SG_EIO);
            assert_string_equal(sg_errmsg(), sentence);
        }
        run_and_check(p, MOST_TASKS, t < COUNT(thread_counts) ? thread_counts[t] : 1); /* forgotten */
        sg_pool_free(p);
    }
}

/* What the tasks wrote is there when the run returns, and what was written before it is there for
 * the tasks: tsan would say otherwise. */
static sg_status add_neighbours(void *arg, size_t i, size_t worker)
{
    double *x = arg;
    (void)worker;
    if (i % 250 == 249) usleep(1000); /* also the last one is waited for */
    x[MOST_TASKS + i] = x[i] + x[(i + 1) % MOST_TASKS];
    return SG_OK;
}

static void memory_is_shared(void **state)
{
    static double x[2 * MOST_TASKS];
    sg_pool *p;
    (void)state;
    check(sg_pool_new(3, &p));
    for (int again = 0; again < 10; again++) {
        for (size_t i = 0; i < MOST_TASKS; i++) x[i] = 2.385 * (double)i + again;
        check(sg_pool_run(p, MOST_TASKS, add_neighbours, x));
        for (size_t i = 0; i < MOST_TASKS; i++)
            assert_true(x[MOST_TASKS + i] == x[i] + x[(i + 1) % MOST_TASKS]);
    }
    sg_pool_free(p);
}

/* A task may run tasks of its own, without a pool or with one of its own. */
static sg_status nest(void *arg, size_t i, size_t worker)
{
    atomic_uint *sums = arg;
    (void)worker;
    sg_pool *own = NULL;
    sg_status st = i % 2 ? sg_pool_new(2, &own) : SG_OK;
    job j = {.n = 7, .threads = 2};
    if (st == SG_OK) st = sg_pool_run(own, 7, count, &j);
    for (size_t k = 0; k < 7; k++) atomic_fetch_add(&sums[i], j.runs[k]);
    sg_pool_free(own);
    return st;
}

static void runs_nest(void **state)
{
    atomic_uint sums[12] = {0};
    sg_pool *p;
    (void)state;
    check(sg_pool_new(3, &p));
    check(sg_pool_run(p, 12, nest, sums));
    for (size_t i = 0; i < 12; i++) assert_int_equal(sums[i], 7);
    sg_pool_free(p);
}

static void zero_means_the_cores(void **state)
{
    sg_pool *p;
    (void)state;
    check(sg_pool_new(0, &p));
    assert_int_equal(sg_pool_threads(p), (size_t)sysconf(_SC_NPROCESSORS_ONLN));
    sg_pool_free(p);
}

int main(void)
{
    const struct CMUnitTest tests[] = {
        cmocka_unit_test(every_task_runs_once), cmocka_unit_test(the_first_failure_wins),
        cmocka_unit_test(memory_is_shared),     cmocka_unit_test(runs_nest),
        cmocka_unit_test(zero_means_the_cores),
    };
    return cmocka_run_group_tests(tests, NULL, NULL);
}
