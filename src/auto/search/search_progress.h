/* search_progress.h: counts the work that the threads of a search have done, and lets the caller cancel the search. */
#pragma once

#include "sugeno.h"

#include <stdatomic.h>
#include <stdbool.h>

typedef struct sg_search_progress {
    sg_cancel_fn *stop; /* may be NULL */
    void *arg;
    size_t planned; /* total work in nominal nanoseconds */
    atomic_size_t done;
    atomic_int stopped;
} sg_search_progress;

/* Adds finished work. Returns false if the search was cancelled. */
static inline bool sg_search_progress_add(sg_search_progress *p, size_t work)
{
    size_t done = atomic_fetch_add(&p->done, work) + work;
    if (done > p->planned) done = p->planned;
    if (p->stop && p->stop(p->arg, done, p->planned)) atomic_store(&p->stopped, 1);
    return !atomic_load(&p->stopped);
}

static inline bool sg_search_progress_stopped(sg_search_progress *p) { return atomic_load(&p->stopped) != 0; }
