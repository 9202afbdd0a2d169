/* work.h: the kinds of work that are timed and counted, on one case with one kernel and precision.
 */
#ifndef BENCH_WORK_H
#define BENCH_WORK_H

#include "cases.h"

typedef struct subject {
    const bench_case *c;
    sg_table *table;
    sg_source rows;
    sg_trainer *trainer;
    sg_model *model;
    sg_predictor *predictor;
    double *x, *y, *gradient;
    size_t next; /* row to predict */
} subject;

enum { SUBJECT_ROWS = 4096, SUBJECT_FEW = 1024 }; /* few: where the rows are made on an emulated machine */

/* A system on one thread a few steps into its training, so that all of its numbers matter. */
void subject_init(subject *s, const bench_case *c, const char *precision, size_t rows);
void subject_release(subject *s);

typedef struct work {
    const char *name;
    size_t (*run)(subject *s);          /* a few microseconds of it or more; returns examples */
    double (*fma)(const bench_case *c); /* of one example; NULL: not counted */
} work;

const work *work_at(size_t i);
const work *work_find(const char *name);

#endif
