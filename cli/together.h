/* together.h: what the verbs do where several processes run the same command together (sugeno-mpi). The first one
 * leads: it alone prints and writes files. Where there is one process all of this costs nothing. */
#ifndef SUGENO_CLI_TOGETHER_H
#define SUGENO_CLI_TOGETHER_H

#include "cli.h"

/* Whether this process prints and writes. */
bool cli_leads(const cli_call *c);
/* NULL where there is one process. */
const sg_team *cli_team(const cli_call *c);

/* The same exit code, and the same sentence, for all: for what one of them may have done without success. */
int cli_agree(const cli_call *c, int code);

/* The same where the leader alone did something: its code, and its sentence, are everyone's. */
int cli_follow(const cli_call *c, int code);

/* After parsing: files are read by all, "{rank}" in their names is the number of the process, and the followers
 * fall silent. */
int cli_join(cli_call *c);

/* Who opens files says first whether they are this member's own. */
void cli_read_local(const cli_call *c, bool local);

/* The model at path, which the leader reads. */
int cli_load(const cli_call *c, const char *path, sg_model **out);

/* --- Ctrl-C, at the same iteration for all ---
 * They ask each other every 50 ms or so, after an iteration that the leader chose the last time: more often would
 * cost time, and clocks differ. */
typedef struct cli_pulse {
    const sg_team *team;
    struct cli_beat *beats; /* (ranks) */
    size_t next, gap;       /* iterations */
    double last;            /* as of cli_now */
    bool stop;
} cli_pulse;

sg_status cli_pulse_start(cli_pulse *p, const cli_call *c, size_t iteration);
/* Whether to stop: call it after each iteration. *st tells where the others can't be asked. */
bool cli_pulse_stops(cli_pulse *p, size_t iteration, sg_status *st);
void cli_pulse_end(cli_pulse *p);

#endif
