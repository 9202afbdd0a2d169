/* time_training_parts.h: times parts of a training separately, for docs/scaling.md.
 *
 *     time_training_parts reading FILE REPEATS                       plain reading of the file, 1 MB at a time
 *     time_training_parts statistics FILE REPEATS [name=value...]    sg_trainer_new
 *     time_training_parts steps FILE ROUNDS STEPS [name=value...]    rounds of STEPS training steps
 *     time_training_parts evaluation FILE REPEATS MODEL [name=value...]
 *     time_training_parts crowd RANKS STEPS [name=value...]          see oversubscribed_ranks.c
 *     time_training_parts launch REPORT COMMAND...                   see measure_command.c
 *
 * Options are the library's. Each prints one line: wall-clock and CPU seconds of the best repetition ("steps": of one
 * step). time_training_parts_mpi does the same in an MPI job, in which rank 0 prints its times, and
 *
 *     time_training_parts_mpi links                                  BYTES, seconds of a message and of a broadcast
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
int time_training_part(int argc, char **argv, const sg_comm *team);
/* time_training_parts crowd ...: the CPU time of a step with many ranks, which are threads. */
void time_oversubscribed_ranks(int argc, char **argv);
/* time_training_parts launch ...: returns the command's exit code. */
int measure_command(char **argv);
