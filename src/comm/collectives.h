/* collectives.h: collective operations, in which all ranks make the same call at the same time. A communicator that is
 * NULL has one rank. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* These functions complement sg_comm_allgather and sg_comm_agree_status of sugeno.h. */

static inline size_t sg_comm_rank(const sg_comm *t) { return t ? t->rank : 0; }
static inline size_t sg_comm_ranks(const sg_comm *t) { return t ? t->ranks : 1; }

/* Broadcasts n bytes from rank `from` to all others. Does nothing if n is 0. */
sg_status sg_comm_bcast(const sg_comm *t, size_t from, void *bytes, size_t n);

/* Like sg_comm_agree_status, but does not add the rank to the message. */
sg_status sg_comm_agree_status_verbatim(const sg_comm *t, sg_status st);

/* Returns the first row of rank `rank` if `rows` rows are divided among `ranks` ranks. If ranks is a power of two,
 * every slice of a batch (train/batch/batch_sampler.h) belongs to one rank. */
size_t sg_comm_shard_begin(size_t rows, size_t rank, size_t ranks);
