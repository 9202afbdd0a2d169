/* workload.h: the kinds of work that are timed and counted, on one case with one kernel and precision. */
#pragma once

#include "benchmark_cases.h"

typedef struct fixture {
    const bench_case *c;
    sg_table *table;
    sg_source rows;
    sg_trainer *trainer;
    sg_model *model;
    sg_predictor *predictor;
    double *x, *y, *gradient;
    size_t next; /* row to predict */
} fixture;

enum { FIXTURE_ROWS = 4096, FIXTURE_FEW_ROWS = 1024 }; /* few: for emulated machines */

/* A system on one thread after a few training steps, so that no parameter is 0. */
void fixture_init(fixture *s, const bench_case *c, const char *precision, size_t rows);
void fixture_release(fixture *s);

typedef struct workload {
    const char *name;
    size_t (*run)(fixture *s);          /* runs for some microseconds; returns the number of examples */
    double (*fma)(const bench_case *c); /* multiply-adds of an example; NULL: not counted */
} workload;

const workload *workload_at(size_t i);
const workload *workload_find(const char *name);
