/* race.h: contenders at the same work, measured in turns so that a noisy machine hurts all alike.
 */
#ifndef BENCH_RACE_H
#define BENCH_RACE_H

#include <stddef.h>

/* Seconds of one short repetition: less than a time slice of the system. */
#define SHORT 4e-4

typedef struct contender contender;
struct contender {
    char who[32]; /* "sugeno", "sugeno/portable", a peer */
    char precision[8];
    size_t threads;
    double fma;                   /* multiply-adds of one example; 0: not counted            */
    double (*once)(contender *c); /* ns an example in one short repetition; below 0: it broke */
    void *self;
    double ns; /* the best so far; 0: none */
};

/* Seconds since some moment; and those that this process had a core for, which other programs on
 * a busy machine can't lengthen: the time of whoever works on one thread. */
double now(void);
double now_cpu(void);

/* Whether only a rough picture is wanted: fewer rounds. */
void race_quick(int yes);
/* Runs all of them, and the peers that offered this work on this case, round by round, and keeps
 * the best of each in the results. */
void race(const char *work, const char *of, contender *list, size_t n);
/* The same for work that takes long: few rounds. */
void race_long(const char *work, const char *of, contender *list, size_t n);

/* --- what came of it, one line of CSV for each --- */

/* Something worth knowing about the run: "kernel", "avx2". */
void result_note(const char *what, const char *value);
/* Writes all; 0 where that fails. */
int results_write(const char *path);

#endif
