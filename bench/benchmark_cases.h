/* benchmark_cases.h: the table of systems that are verified, timed and counted, and how each is made from generated
 * rows. Uses sugeno.h only, like a user's program. */
#pragma once

#include "sugeno.h"

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
    size_t mfs;   /* of every input of a grid; 0: clustered rules */
    size_t rules; /* if mfs is 0 */
    size_t outputs;
    size_t batch;
    const char *scale; /* of the inputs: NULL, none */
    size_t missing;    /* one in `missing` inputs is missing; 0: none */
} bench_case;

/* Return a case by index or name, or NULL. */
const bench_case *case_at(size_t i);
const bench_case *case_find(const char *name);
size_t case_rules(const bench_case *c);

/* Generates inputs in (-1, 1) and smooth targets, the same on every machine. */
sg_table *case_table(const bench_case *c, size_t rows);
/* Returns x[rows * inputs], to be freed. */
double *case_inputs(const bench_case *c, const sg_table *t);

/* settings: "name=value ...", changes to the paper's options; or NULL. */
sg_trainer *case_trainer(const bench_case *c, const sg_source *rows, const char *precision, size_t threads,
                         const char *settings);

/* Returns the i-th kernel name for SUGENO_KERNEL, or NULL. */
const char *kernel_at(size_t i);
/* Selects a kernel for new trainers and predictors; NULL: the default. Returns 0 if this machine cannot run it. */
int kernel_use(const char *name);

/* Exits with the library's message unless st is SG_OK. */
void must(sg_status st);
/* calloc that exits if there is no memory. */
void *must_calloc(size_t n, size_t size);
