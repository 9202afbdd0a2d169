/* plan.h: all cells of the experiments. */
#ifndef PAPER_PLAN_H
#define PAPER_PLAN_H

#include "cell.h"

typedef struct plan {
    size_t cells;
    cell *cell;
    size_t left_out; /* cells that can't be run: their dataset is not there, or LIBSVM */
    sheet before;    /* what was finished before: resume.c */
} plan;

/* What limits the plan: words by spaces; NULL: as the tables say. */
typedef struct limits {
    const char *experiments, *datasets, *algorithms, *preprocessing;
} limits;

/* Every cell of the experiments, each once. Marks in wanted[dataset][variant] what has to be open.
 * *out is to be freed, also on failure. */
sg_status plan_make(const catalogue *c, const limits *l, plan *out, int (*wanted)[VARIANTS]);
void plan_free(plan *p);
/* Whether it has a cell of this name, run or not. */
int plan_has(const plan *p, const char *name);
/* NULL where it was not run. */
const cell *plan_find(const plan *p, preprocessing pre, const char *data, variant v, const char *by);

#endif
