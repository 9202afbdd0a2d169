/* workers.h: all trainings of a plan that are not finished yet, on every core, with one bar. */
#ifndef PAPER_WORKERS_H
#define PAPER_WORKERS_H

#include "plan.h"

/* Saves each cell when its last repeat is done. Ctrl-C ends it soon, with *stopped 1. */
sg_status workers_run(plan *p, const char *folder, size_t threads, int *stopped);

#endif
