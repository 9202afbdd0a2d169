/* peer_process.h: other programs that do the same work, in separate processes.
 *
 * A peer is a command. Its last argument is the folder of the common files. It checks that it computes the same
 * results, and writes lines to its standard output:
 *
 *     note WHAT VALUE                  a version, for the report
 *     can WHO WORK CASE PRECISION      an offer
 *     absent REASON                    not installed: the peer is skipped
 *     wrong REASON                     different results: the run fails
 *     ready
 *
 * Then it answers every line "WHO WORK CASE PRECISION" with the CPU time of an example in one repetition, in
 * nanoseconds. So all implementations take turns, and never run at the same time. */
#pragma once

#include "runner.h"

/* Starts a peer and waits until it is ready. Returns 0 if its results are different. */
int peer_start(const char *command, const char *folder);
/* Fills list with the offers for this work on this case. Returns their number. */
size_t peers_add_offers(const char *work, const char *case_name, implementation *list, size_t space);
void peers_stop(void);
