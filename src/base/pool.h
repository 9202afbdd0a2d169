/* pool.h: a small pool of threads for independent tasks. */
#ifndef SG_BASE_POOL_H
#define SG_BASE_POOL_H

#include "base/status.h"

typedef struct sg_pool sg_pool;

/* threads 0: one for each core. With 1 no thread is started. */
sg_status sg_pool_new(size_t threads, sg_pool **out);
void sg_pool_free(sg_pool *p);
/* How many threads work, the caller's included; 1 for a pool that is NULL. */
size_t sg_pool_threads(const sg_pool *p);

/* Runs task(arg, i, worker) for i in [0, n), worker in [0, threads), and waits for all of them.
 * Which worker does which i is left open: results must not depend on it. The failure with the
 * smallest i is returned, with its sentence. p may be NULL: then all run here, in order. */
typedef sg_status sg_task(void *arg, size_t i, size_t worker);
sg_status sg_pool_run(sg_pool *p, size_t n, sg_task *task, void *arg);

#endif
