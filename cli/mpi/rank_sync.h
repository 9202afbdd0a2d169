/* rank_sync.h: synchronises several ranks that run the same command (sugeno-mpi). Rank 0, the root, prints and writes
 * files. In a single process there is nothing to synchronise. */
#pragma once

#include "cli.h"

/* Returns whether this process prints and writes files. */
bool cli_is_root(const cli_command *c);
/* Returns the communicator of the ranks, or NULL for a single process. */
const sg_comm *cli_comm(const cli_command *c);

/* Gives all ranks the exit code and message of the first rank that failed. Must be called after any step that may fail
 * on some ranks only. */
int cli_agree_exit_code(const cli_command *c, int code);
/* Gives all ranks the exit code and message of the root, after a step that only the root has executed. */
int cli_bcast_exit_code(const cli_command *c, int code);

/* Expands "{rank}" in file names, sets the default number of threads, and silences all ranks except the root. Must be
 * called after parsing. */
int cli_setup_ranks(cli_command *c);

/* Sets whether each rank opens files of its own (local). Must be called before files are opened. */
void cli_set_local_files(const cli_command *c, bool local);

/* Loads a model on the root and broadcasts it. */
int cli_load_model(const cli_command *c, const char *path, sg_model **out);

/* --- Ctrl-C, which must stop all ranks after the same iteration ---
 * The ranks exchange their state about every 50 ms, after an iteration that the root chose in the previous exchange. */
typedef struct cli_stop_sync {
    const sg_comm *comm;
    struct cli_stop_vote *votes; /* (ranks)                  */
    size_t next_poll, interval;  /* iterations               */
    double last_poll;            /* time returned by cli_now */
    bool stop;
} cli_stop_sync;

sg_status cli_stop_sync_start(cli_stop_sync *p, const cli_command *c, size_t iteration);
/* Returns whether to stop. Must be called after each iteration. Sets *st if the communication fails. */
bool cli_stop_sync_poll(cli_stop_sync *p, size_t iteration, sg_status *st);
void cli_stop_sync_end(cli_stop_sync *p);
