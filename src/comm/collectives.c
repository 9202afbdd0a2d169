/* collectives.c: collective operations of a communicator.
 *
 * The data of all ranks moves to rank 0 along a binary tree, in log2(ranks) successive messages, and from there to all
 * ranks by a broadcast. */
#include "comm/collectives.h"

#include "base/part_range.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

sg_status sg_comm_bcast(const sg_comm *t, size_t from, void *bytes, size_t n)
{
    return t && t->ranks > 1 && n ? t->bcast(t->self, from, bytes, n) : SG_OK;
}

/* --- Allgather --- */

/* Returns how many records `rank` holds after gathering: its own and those of the next step - 1 ranks, as far as these
 * exist. */
static size_t records_held(const sg_comm *t, size_t rank, size_t step)
{
    return t->ranks - rank < step ? t->ranks - rank : step;
}

/* Records of adjacent ranks are adjacent, so one message forwards all records that a rank holds. */
static sg_status gather_to_root(const sg_comm *t, size_t bytes, char *all)
{
    for (size_t step = 1; step < t->ranks; step *= 2) {
        if (t->rank & step)
            return t->send(t->self, t->rank - step, all + t->rank * bytes, records_held(t, t->rank, step) * bytes);
        size_t other = t->rank + step;
        if (other >= t->ranks) continue;
        sg_status st = t->recv(t->self, other, all + other * bytes, records_held(t, other, step) * bytes);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

sg_status sg_comm_allgather(const sg_comm *t, const void *mine, size_t bytes, void *all)
{
    if (bytes) memcpy((char *)all + sg_comm_rank(t) * bytes, mine, bytes);
    if (!t || t->ranks == 1 || !bytes) return SG_OK;
    sg_status st = gather_to_root(t, bytes, all);
    return st == SG_OK ? sg_comm_bcast(t, 0, all, t->ranks * bytes) : st;
}

/* --- Agreement on a status --- */

/* The statuses of several ranks: the first rank that failed, and whether all failed with the same message. */
typedef struct status_summary {
    uint64_t first_failed_rank; /* UINT64_MAX if none failed */
    uint64_t status;
    uint64_t message_hash; /* hash of that rank's message */
    uint64_t same_message;
} status_summary;

/* Returns the FNV-1a hash of a message. */
static uint64_t hash_message(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

static void merge_summaries(status_summary *a, const status_summary *b)
{
    bool common = a->same_message && b->same_message && a->message_hash == b->message_hash;
    if (a->first_failed_rank == UINT64_MAX) *a = *b;
    a->same_message = common;
}

static sg_status reduce_to_root(const sg_comm *t, status_summary *v)
{
    status_summary other;
    for (size_t step = 1; step < t->ranks; step *= 2) {
        if (t->rank & step) return t->send(t->self, t->rank - step, v, sizeof *v);
        if (t->rank + step >= t->ranks) continue;
        sg_status st = t->recv(t->self, t->rank + step, &other, sizeof other);
        if (st != SG_OK) return st;
        merge_summaries(v, &other);
    }
    return SG_OK;
}

static sg_status agree_status(const sg_comm *t, sg_status mine, bool verbatim)
{
    status_summary v = {.first_failed_rank = UINT64_MAX};
    char error_message[1024] = "";
    snprintf(error_message, sizeof error_message, "%s", sg_errmsg());
    if (mine != SG_OK) v = (status_summary){t->rank, (uint64_t)mine, hash_message(error_message), 1};
    sg_status st = reduce_to_root(t, &v);
    if (st == SG_OK) st = t->bcast(t->self, 0, &v, sizeof v);
    if (st != SG_OK || v.first_failed_rank == UINT64_MAX) return st;
    st = t->bcast(t->self, (size_t)v.first_failed_rank, error_message, sizeof error_message);
    if (st != SG_OK) return st;
    error_message[sizeof error_message - 1] = '\0';
    if (v.same_message || verbatim) return sg_fail((sg_status)v.status, "%s", error_message);
    return sg_fail((sg_status)v.status, "rank %zu: %s", (size_t)v.first_failed_rank, error_message);
}

sg_status sg_comm_agree_status(const sg_comm *t, sg_status st)
{
    return t && t->ranks > 1 ? agree_status(t, st, false) : st;
}

sg_status sg_comm_agree_status_verbatim(const sg_comm *t, sg_status st)
{
    return t && t->ranks > 1 ? agree_status(t, st, true) : st;
}

/* --- Partition of rows --- */

/* Shards begin at boundaries of the 1,024 possible slices of a large batch, rows * s / 1024, as in batch_sampler.c. */
size_t sg_comm_shard_begin(size_t rows, size_t rank, size_t ranks)
{
    enum { PARTS = 1024 };
    size_t whole = rank / ranks, rest = rank % ranks;
    size_t s = whole * PARTS + (rest * PARTS + ranks / 2) / ranks;
    return sg_part_begin(rows, PARTS, s);
}
