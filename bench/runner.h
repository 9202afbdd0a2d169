/* runner.h: times several implementations of the same work in turns, so that noise on the machine affects all of them
 * equally, and collects the results. */
#pragma once

#include <stddef.h>

/* Length of one repetition: less than a time slice of the system. */
#define MIN_SECONDS 4e-4

typedef struct implementation implementation;
struct implementation {
    char name[32]; /* "sugeno", "sugeno/portable", a peer */
    char precision[8];
    size_t threads;
    double fma;                            /* multiply-adds of one example; 0: not counted */
    double (*run_once)(implementation *c); /* ns per example in one repetition; negative: failed */
    void *self;
    double ns; /* the best so far; 0: none */
};

/* Wall-clock seconds, and CPU seconds of this process, which other programs on a busy machine do not lengthen: used for
 * work on one thread. */
double now(void);
double now_cpu(void);

/* Quick: fewer rounds. */
void runner_set_quick(int yes);
/* Runs all implementations, and the peers that offer this work on this case, round by round. Adds the best time of each
 * to the results. */
void run_benchmark(const char *work, const char *case_name, implementation *list, size_t n);
/* The same with fewer rounds, for long work. */
void run_benchmark_long(const char *work, const char *case_name, implementation *list, size_t n);

/* --- results --- */

/* Adds a fact about the run, such as "kernel", "avx2". */
void result_note(const char *what, const char *value);
/* Writes all results as CSV. Returns 0 on failure. */
int results_write(const char *path);
