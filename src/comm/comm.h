/* comm.h: what the members of a team do together. Every member makes the same call at the same time. A team that
 * is NULL is one member: nothing is sent then. */
#ifndef SG_COMM_COMM_H
#define SG_COMM_COMM_H

#include "base/status.h"

#include <stdbool.h>

/* Beside sg_comm_allgather and sg_comm_agree_status of sugeno.h: */

static inline size_t sg_comm_rank(const sg_comm *t) { return t ? t->rank : 0; }
static inline size_t sg_comm_ranks(const sg_comm *t) { return t ? t->ranks : 1; }

/* From one member to all the others; nothing where n is 0. */
sg_status sg_comm_bcast(const sg_comm *t, size_t from, void *bytes, size_t n);

/* As sg_comm_agree_status, for sentences that name the member themselves. */
sg_status sg_comm_agree_status_verbatim(const sg_comm *t, sg_status st);

/* The rows that member `rank` of `ranks` gets where all of `rows` are shared out: from the first of these to the
 * first of the next one's. Where ranks is a power of two no slice of a batch (train/batch/batch.h) lies with two of
 * them. */
size_t sg_comm_shard_begin(size_t rows, size_t rank, size_t ranks);

#endif
