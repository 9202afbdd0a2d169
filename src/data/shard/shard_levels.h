/* shard_levels.h: the categories of members of a team that have files of their own: common codes for all. */
#ifndef SG_DATA_SHARD_SHARD_LEVELS_H
#define SG_DATA_SHARD_SHARD_LEVELS_H

#include "data/level_union.h"

/* All members call it at the same time, with the same columns, and get the same status. The levels are those of all
 * members in the order of ranks, and part t->rank of c are this member's codes. Where a column holds words with one
 * member, the numbers that others have there are levels by their value; these read their rows once. c is to be
 * released, also on failure. */
sg_status sg_shard_level_union(const sg_comm *t, const sg_source *local, sg_level_union *c);

#endif
