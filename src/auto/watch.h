/* watch.h: how far a search is, and whether it shall end. */
#ifndef SG_AUTO_WATCH_H
#define SG_AUTO_WATCH_H

#include "sugeno.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct sg_watch {
    sg_stop_fn *stop;
    void *arg;
    size_t planned;
    atomic_size_t done;
    atomic_int stopped;
} sg_watch;

/* Some work was done; false: no more of it. */
static inline bool sg_watch_on(sg_watch *w, size_t work)
{
    size_t done = atomic_fetch_add(&w->done, work) + work;
    if (done > w->planned) done = w->planned;
    if (w->stop && w->stop(w->arg, done, w->planned)) atomic_store(&w->stopped, 1);
    return !atomic_load(&w->stopped);
}

static inline bool sg_watch_stopped(sg_watch *w) { return atomic_load(&w->stopped) != 0; }

#endif
