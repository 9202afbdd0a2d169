/* search_progress.h: how far a search is, and whether it shall end. */
#ifndef SG_AUTO_SEARCH_SEARCH_PROGRESS_H
#define SG_AUTO_SEARCH_SEARCH_PROGRESS_H

#include "sugeno.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct sg_search_progress {
    sg_cancel_fn *stop;
    void *arg;
    size_t planned;
    atomic_size_t done;
    atomic_int stopped;
} sg_search_progress;

/* Some work was done; false: no more of it. */
static inline bool sg_search_progress_add(sg_search_progress *w, size_t work)
{
    size_t done = atomic_fetch_add(&w->done, work) + work;
    if (done > w->planned) done = w->planned;
    if (w->stop && w->stop(w->arg, done, w->planned)) atomic_store(&w->stopped, 1);
    return !atomic_load(&w->stopped);
}

static inline bool sg_search_progress_stopped(sg_search_progress *w) { return atomic_load(&w->stopped) != 0; }

#endif
