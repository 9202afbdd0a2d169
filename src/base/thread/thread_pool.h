/* thread_pool.h: a small pool of threads for independent tasks. */
#ifndef SG_BASE_THREAD_THREAD_POOL_H
#define SG_BASE_THREAD_THREAD_POOL_H

#include "base/status.h"

typedef struct sg_thread_pool sg_thread_pool;

/* threads 0: one for each core. A thread is started when it is worth it, and none with 1. */
sg_status sg_thread_pool_new(size_t threads, sg_thread_pool **out);
/* Does not wait long: a thread whose core is busy ends later, by itself. */
void sg_thread_pool_free(sg_thread_pool *p);
/* How many threads may work, the caller's included; 1 for a pool that is NULL. */
size_t sg_thread_pool_threads(const sg_thread_pool *p);

/* Runs task(arg, i, worker) for i in [0, n), worker in [0, threads), and waits for all of them.
 * Which worker does which i is left open: results must not depend on it. The failure with the
 * smallest i is returned, with its sentence. p may be NULL: then all run here, in order; so they do
 * in a child of the process that made p. One run at a time.
 *
 * Tasks should be alike and take 10 us or more. Whether others are called, and whether they help
 * at all on this machine at this time, is found out from what the caller's own tasks take. */
typedef sg_status sg_task_fn(void *arg, size_t i, size_t worker);
sg_status sg_thread_pool_run(sg_thread_pool *p, size_t n, sg_task_fn *task, void *arg);

/* The same for long tasks, or tasks unlike each other: all threads begin at once. */
sg_status sg_thread_pool_run_long(sg_thread_pool *p, size_t n, sg_task_fn *task, void *arg);

#endif
