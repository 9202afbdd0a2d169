/* thread_pool.h: a small thread pool for independent tasks. */
#pragma once

#include "base/status.h"

typedef struct sg_thread_pool sg_thread_pool;

/* Creates a pool of `threads` threads, or one per core if `threads` is 0. They are started when it is worthwhile. */
sg_status sg_thread_pool_new(size_t threads, sg_thread_pool **out);
/* Frees the pool without a long wait: a thread whose core is busy exits later. */
void sg_thread_pool_free(sg_thread_pool *p);
/* Returns the maximum number of threads, including the caller, or 1 if p is NULL. */
size_t sg_thread_pool_threads(const sg_thread_pool *p);

/* Runs task(arg, i, worker) for each i in [0, n), with worker in [0, threads), and waits for all tasks. Results must
 * not depend on which worker runs which task. If tasks fail, returns the status of the failed task with the smallest i
 * and sets its message. If p is NULL, or in a forked child, all tasks run in the calling thread, in order. A pool can
 * run one job at a time.
 *
 * Tasks should be of similar size and take at least 10 us. The duration of the caller's own tasks decides whether other
 * threads are woken. */
typedef sg_status sg_task_fn(void *arg, size_t i, size_t worker);
sg_status sg_thread_pool_run(sg_thread_pool *p, size_t n, sg_task_fn *task, void *arg);

/* Like sg_thread_pool_run, but for tasks that are long or differ in size: all threads start at once. */
sg_status sg_thread_pool_run_long(sg_thread_pool *p, size_t n, sg_task_fn *task, void *arg);
