/* rank_sync.h: runs a verb on several ranks that execute the same command (sugeno-mpi). Rank 0, the root, prints and
 * writes files. In a single process these functions do nothing. */
#pragma once

#include "cli.h"

/* Returns whether this process prints and writes files. */
bool cli_is_root(const cli_command *c);
/* Returns NULL for a single process. */
const sg_comm *cli_comm(const cli_command *c);

/* Makes the exit code and message of the first failing rank those of all ranks. Call it after a step that may fail on
 * some ranks. */
int cli_agree_exit_code(const cli_command *c, int code);
/* Makes the exit code and message of the root those of all ranks. Call it after a step of the root alone. */
int cli_bcast_exit_code(const cli_command *c, int code);

/* Call it after parsing: expands "{rank}" in file names, sets the default number of threads, and silences ranks other
 * than the root. */
int cli_setup_ranks(cli_command *c);

/* Call it before files are opened. local: each rank opens files of its own. */
void cli_set_local_files(const cli_command *c, bool local);

/* Loads a model on the root and broadcasts it. */
int cli_load_model(const cli_command *c, const char *path, sg_model **out);

/* --- Ctrl-C, which must stop all ranks after the same iteration ---
 * The ranks exchange their state about every 50 ms, after an iteration that the root chooses at the exchange before. */
typedef struct cli_stop_sync {
    const sg_comm *comm;
    struct cli_stop_vote *votes; /* (ranks)    */
    size_t next_poll, interval;  /* iterations */
    double last_poll;            /* in seconds of cli_now */
    bool stop;
} cli_stop_sync;

sg_status cli_stop_sync_start(cli_stop_sync *p, const cli_command *c, size_t iteration);
/* Returns whether to stop. Call it after each iteration. *st is set if the communication fails. */
bool cli_stop_sync_poll(cli_stop_sync *p, size_t iteration, sg_status *st);
void cli_stop_sync_end(cli_stop_sync *p);
