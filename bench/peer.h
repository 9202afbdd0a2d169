/* peer.h: other programs that do the same work, in processes of their own.
 *
 * A peer is a command. It gets the folder of the common files as its last argument, checks that it
 * computes what we compute, and writes lines to its standard output:
 *
 *     note WHAT VALUE                  a version, for the report
 *     can WHO WORK CASE PRECISION      what it offers
 *     absent REASON                    it is not installed: skipped with this note
 *     wrong REASON                     it computes something else: the run fails
 *     ready
 *
 * and from then on answers every line "WHO WORK CASE PRECISION" by the nanoseconds of CPU time that
 * an example took in one short repetition. So peers and we take turns, and never run at the same
 * time. */
#ifndef BENCH_PEER_H
#define BENCH_PEER_H

#include "race.h"

/* Starts it and listens until it is ready. 0 where it computes something else than we do. */
int peer_start(const char *command, const char *folder);
/* Fills list with those who offered this work on this case; returns how many. */
size_t peers_join(const char *work, const char *of, contender *list, size_t space);
void peers_end(void);

#endif
