/* probe.h: times parts of a training separately, for docs/scaling.md.
 *
 *     scaling_probe reading FILE REPEATS                       plain reading of the file, 1 MB at a time
 *     scaling_probe statistics FILE REPEATS [name=value...]    sg_trainer_new
 *     scaling_probe steps FILE ROUNDS STEPS [name=value...]    rounds of STEPS training steps
 *     scaling_probe evaluation FILE REPEATS MODEL [name=value...]
 *     scaling_probe crowd RANKS STEPS [name=value...]          see crowd.c
 *     scaling_probe launch REPORT COMMAND...                   see launch.c
 *
 * Options are the library's. Each prints one line: wall-clock and CPU seconds of the best repetition ("steps": of one
 * step). scaling_probe_mpi does the same in an MPI job, in which rank 0 prints its times, and
 *
 *     scaling_probe_mpi links                                  BYTES, seconds of a message and of a broadcast
 */
#pragma once

#include "sugeno.h"

typedef struct span {
    double wall, cpu;
} span;

/* Exits with the library's message unless st is SG_OK. */
void must(sg_status st);
/* The current times; the times since then. */
span span_start(void);
span span_since(span start);
/* Keeps the smaller of both times. */
void span_best(span *best, span s);
/* Reads options from argv[i] on; team may be NULL. */
sg_options *probe_options(int argc, char **argv, int i, const sg_comm *team);

/* team: NULL for one process. Returns the exit code. */
int probe_run(int argc, char **argv, const sg_comm *team);
/* scaling_probe crowd ...: the CPU time of a step with many ranks, which are threads. */
void probe_crowd(int argc, char **argv);
/* scaling_probe launch ...: returns the command's exit code. */
int probe_launch(char **argv);
