/* team.h: what the members of a team do together. Every member makes the same call at the same time. A team that
 * is NULL is one member: nothing is sent then. */
#ifndef SG_BASE_TEAM_H
#define SG_BASE_TEAM_H

#include "base/status.h"

#include <stdbool.h>

/* Beside sg_team_all and sg_team_agree of sugeno.h: */

static inline size_t sg_team_rank(const sg_team *t) { return t ? t->rank : 0; }
static inline size_t sg_team_ranks(const sg_team *t) { return t ? t->ranks : 1; }

/* From one member to all the others; nothing where n is 0. */
sg_status sg_team_share(const sg_team *t, size_t from, void *bytes, size_t n);

/* As sg_team_agree, for sentences that name the member themselves. */
sg_status sg_team_agree_said(const sg_team *t, sg_status st);

/* The rows that member `rank` of `ranks` gets where all of `rows` are shared out: from the first of these to the
 * first of the next one's. Where ranks is a power of two no slice of a batch (train/batch.h) lies with two of
 * them. */
size_t sg_team_boundary(size_t rows, size_t rank, size_t ranks);

#endif
