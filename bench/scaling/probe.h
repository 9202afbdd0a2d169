/* probe.h: parts of a training that are timed one by one, for docs/scaling.md.
 *
 *     scaling_probe reading FILE REPEATS                       plain reading of the file, 1 MB at a time
 *     scaling_probe statistics FILE REPEATS [name=value...]    sg_trainer_new
 *     scaling_probe steps FILE ROUNDS STEPS [name=value...]    rounds of so many training steps
 *     scaling_probe evaluation FILE REPEATS MODEL [name=value...]
 *     scaling_probe crowd RANKS STEPS [name=value...]          see crowd.c
 *     scaling_probe launch REPORT COMMAND...                   see launch.c
 *
 * Options are the library's. Each prints one line: seconds on the wall, and of CPU time, of the best repetition;
 * "steps" those of one step. scaling_probe_mpi does the same in an MPI job, where rank 0 prints its own times, and
 *
 *     scaling_probe_mpi links                                  BYTES and seconds: one message, one share
 */
#ifndef BENCH_SCALING_PROBE_H
#define BENCH_SCALING_PROBE_H

#include "sugeno.h"

typedef struct span {
    double wall, cpu;
} span;

/* Ends the program with the sentence, unless st is SG_OK. */
void must(sg_status st);
/* Now; and what has passed since then. */
span span_start(void);
span span_since(span start);
/* The best of both so far. */
void span_best(span *best, span s);
/* From argv[i] on; team may be NULL. */
sg_options *probe_options(int argc, char **argv, int i, const sg_comm *team);

/* team: NULL for one process. Returns the exit code. */
int probe_run(int argc, char **argv, const sg_comm *team);
/* scaling_probe crowd ...: the CPU time of a step on each of many ranks, which are threads here. */
void probe_crowd(int argc, char **argv);
/* scaling_probe launch ...: returns the command's exit code. */
int probe_launch(char **argv);

#endif
