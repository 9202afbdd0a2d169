/* team.c: see team.h. What comes from all members goes to member 0 in a binary tree, and from there to all by the
 * team's own share: log2(ranks) messages one after the other, and nobody hears from all the others. */
#include "base/team.h"

#include <stdint.h>
#include <stdio.h>
#include <string.h>

sg_status sg_team_share(const sg_team *t, size_t from, void *bytes, size_t n)
{
    return t && t->ranks > 1 && n ? t->share(t->self, from, bytes, n) : SG_OK;
}

/* --- everyone's record to everyone --- */

/* How many records member `rank` has once it was told those of `step` members. */
static size_t records_of(const sg_team *t, size_t rank, size_t step)
{
    return t->ranks - rank < step ? t->ranks - rank : step;
}

/* The records of neighbours lie side by side, so that one message hands on all that a member has. */
static sg_status gather(const sg_team *t, size_t bytes, char *all)
{
    for (size_t step = 1; step < t->ranks; step *= 2) {
        if (t->rank & step)
            return t->send(t->self, t->rank - step, all + t->rank * bytes, records_of(t, t->rank, step) * bytes);
        size_t other = t->rank + step;
        if (other >= t->ranks) continue;
        sg_status st = t->receive(t->self, other, all + other * bytes, records_of(t, other, step) * bytes);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

sg_status sg_team_all(const sg_team *t, const void *mine, size_t bytes, void *all)
{
    if (bytes) memcpy((char *)all + sg_team_rank(t) * bytes, mine, bytes);
    if (!t || t->ranks == 1 || !bytes) return SG_OK;
    sg_status st = gather(t, bytes, all);
    return st == SG_OK ? sg_team_share(t, 0, all, t->ranks * bytes) : st;
}

/* --- one status for all --- */

/* What is known of some members: the first of them that failed, and whether all failed with its sentence. */
typedef struct verdict {
    uint64_t first; /* its rank; UINT64_MAX: none failed */
    uint64_t status;
    uint64_t digest; /* of its sentence */
    uint64_t common;
} verdict;

/* FNV-1a. */
static uint64_t digest_of(const char *text)
{
    uint64_t h = UINT64_C(0xcbf29ce484222325);
    for (; *text; text++) h = (h ^ (unsigned char)*text) * UINT64_C(0x100000001b3);
    return h;
}

static void combine(verdict *a, const verdict *b)
{
    bool common = a->common && b->common && a->digest == b->digest;
    if (a->first == UINT64_MAX) *a = *b;
    a->common = common;
}

static sg_status collect(const sg_team *t, verdict *v)
{
    verdict other;
    for (size_t step = 1; step < t->ranks; step *= 2) {
        if (t->rank & step) return t->send(t->self, t->rank - step, v, sizeof *v);
        if (t->rank + step >= t->ranks) continue;
        sg_status st = t->receive(t->self, t->rank + step, &other, sizeof other);
        if (st != SG_OK) return st;
        combine(v, &other);
    }
    return SG_OK;
}

static sg_status agree(const sg_team *t, sg_status mine, bool named)
{
    verdict v = {.first = UINT64_MAX};
    char said[1024] = "";
    snprintf(said, sizeof said, "%s", sg_errmsg());
    if (mine != SG_OK) v = (verdict){t->rank, (uint64_t)mine, digest_of(said), 1};
    sg_status st = collect(t, &v);
    if (st == SG_OK) st = t->share(t->self, 0, &v, sizeof v);
    if (st != SG_OK || v.first == UINT64_MAX) return st;
    st = t->share(t->self, (size_t)v.first, said, sizeof said);
    if (st != SG_OK) return st;
    said[sizeof said - 1] = '\0';
    if (v.common || named) return sg_fail((sg_status)v.status, "%s", said);
    return sg_fail((sg_status)v.status, "rank %zu: %s", (size_t)v.first, said);
}

sg_status sg_team_agree(const sg_team *t, sg_status st) { return t && t->ranks > 1 ? agree(t, st, false) : st; }

sg_status sg_team_agree_said(const sg_team *t, sg_status st) { return t && t->ranks > 1 ? agree(t, st, true) : st; }

/* --- who gets which rows --- */

/* At one of the 1,024 places where the slices of a large batch may end: rows * s / 1024 as batch.c computes it. */
size_t sg_team_boundary(size_t rows, size_t rank, size_t ranks)
{
    enum { PARTS = 1024 };
    size_t whole = rank / ranks, rest = rank % ranks;
    size_t s = whole * PARTS + (rest * PARTS + ranks / 2) / ranks;
    return rows / PARTS * s + rows % PARTS * s / PARTS;
}
