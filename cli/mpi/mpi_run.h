/* mpi_run.h: what the verbs do where several processes run the same command together (sugeno-mpi). The first one
 * leads: it alone prints and writes files. Where there is one process all of this costs nothing. */
#ifndef SUGENO_CLI_MPI_MPI_RUN_H
#define SUGENO_CLI_MPI_MPI_RUN_H

#include "cli.h"

/* Whether this process prints and writes. */
bool cli_is_root(const cli_command *c);
/* NULL where there is one process. */
const sg_comm *cli_comm(const cli_command *c);

/* The same exit code, and the same sentence, for all: for what one of them may have done without success. */
int cli_agree_exit_code(const cli_command *c, int code);

/* The same where the leader alone did something: its code, and its sentence, are everyone's. */
int cli_bcast_exit_code(const cli_command *c, int code);

/* After parsing: files are read by all, "{rank}" in their names is the number of the process, and the followers
 * fall silent. */
int cli_setup_ranks(cli_command *c);

/* Who opens files says first whether they are this member's own. */
void cli_set_local_files(const cli_command *c, bool local);

/* The model at path, which the leader reads. */
int cli_load_model(const cli_command *c, const char *path, sg_model **out);

/* --- Ctrl-C, at the same iteration for all ---
 * They ask each other every 50 ms or so, after an iteration that the leader chose the last time: more often would
 * cost time, and clocks differ. */
typedef struct cli_stop_sync {
    const sg_comm *comm;
    struct cli_stop_vote *votes; /* (ranks) */
    size_t next_poll, interval;  /* iterations */
    double last_poll;            /* as of cli_now */
    bool stop;
} cli_stop_sync;

sg_status cli_stop_sync_start(cli_stop_sync *p, const cli_command *c, size_t iteration);
/* Whether to stop: call it after each iteration. *st tells where the others can't be asked. */
bool cli_stop_sync_poll(cli_stop_sync *p, size_t iteration, sg_status *st);
void cli_stop_sync_end(cli_stop_sync *p);

#endif
