/* cases.h: the one table of systems that are checked, timed and counted, and how each is made from
 * generated rows. Everything goes through sugeno.h, as a user's program would. */
#ifndef BENCH_CASES_H
#define BENCH_CASES_H

#include "sugeno.h"

/* What this was compiled by. */
#if defined(__clang__)
#define COMPILER "clang " __clang_version__
#elif defined(__GNUC__)
#define COMPILER "gcc " __VERSION__
#else
#define COMPILER "unknown"
#endif

typedef struct bench_case {
    const char *name;
    size_t inputs;
    size_t mfs;   /* of every input of a grid; 0: rules that own their MFs */
    size_t rules; /* where mfs is 0                                        */
    size_t outputs;
    size_t batch;
    const char *scale; /* of the inputs: NULL, none */
    size_t missing;    /* one in so many inputs is; 0: none */
} bench_case;

/* The i-th case, NULL after the last; by name. */
const bench_case *case_at(size_t i);
const bench_case *case_find(const char *name);
size_t case_rules(const bench_case *c);

/* Rows of inputs within (-1, 1) and smooth targets, the same on every machine. */
sg_table *case_table(const bench_case *c, size_t rows);
/* The inputs alone: x[rows * inputs], to be freed. */
double *case_inputs(const bench_case *c, const sg_table *t);

/* What differs from the paper's settings, as "name=value ..."; NULL: nothing. */
sg_trainer *case_trainer(const bench_case *c, const sg_source *rows, const char *precision, size_t threads,
                         const char *settings);

/* Kernels by their names in SUGENO_KERNEL; NULL after the last. */
const char *kernel_at(size_t i);
/* Makes it the choice for trainers and predictors made from now on (NULL: the library's own
 * choice); 0 where this machine can't run it. */
int kernel_use(const char *name);

/* Ends the program with the library's sentence unless st is SG_OK. */
void must(sg_status st);
/* calloc that ends the program where there is no memory. */
void *room(size_t n, size_t size);

#endif
