/* additive_progress.h: reports the progress of training an additive model, and remembers whether the training was
 * cancelled. */
#pragma once

#include "sugeno.h"

#include <stdatomic.h>
#include <stdbool.h>

/* Work is measured in rows processed. */
typedef struct sg_additive_progress {
    sg_cancel_fn *stop; /* may be NULL */
    void *arg;
    atomic_size_t done;
    size_t planned;
    atomic_int stopped;
} sg_additive_progress;

/* Returns whether the training was cancelled. p may be NULL. */
static inline bool sg_additive_stopped(sg_additive_progress *p) { return p && atomic_load(&p->stopped); }

/* Reports that `work` further rows have been processed. Returns whether the training was cancelled. p may be NULL. */
static inline bool sg_additive_work(sg_additive_progress *p, size_t work)
{
    if (!p) return false;
    size_t done = atomic_fetch_add(&p->done, work) + work;
    if (p->stop && p->stop(p->arg, done < p->planned ? done : p->planned, p->planned)) atomic_store(&p->stopped, 1);
    return sg_additive_stopped(p);
}
