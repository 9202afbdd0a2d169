/* shard.h: the rows of a dataset that lie with this member of a team, as a source of them all. */
#ifndef SG_DATA_SHARD_SHARD_H
#define SG_DATA_SHARD_SHARD_H

#include "data/level_union.h"
#include "data/source/source.h"

typedef struct sg_shard sg_shard;

/* What a member has of all the team's rows: [first, first + here) of `rows`. */
typedef struct sg_row_range {
    const sg_comm *comm;
    size_t total, first_row, count;
} sg_row_range;

/* Row s->first of the team is row `at` of `of`, which must outlive it as the team must. */
sg_status sg_shard_new(const sg_row_range *s, const sg_source *of, size_t at, sg_shard **out);
/* Codes of categories are then those of c, of which this member is part s->team->rank. Takes c over. */
void sg_shard_set_levels(sg_shard *m, sg_level_union *c);
sg_source sg_shard_source(const sg_shard *m);
void sg_shard_free(sg_shard *m);

#endif
