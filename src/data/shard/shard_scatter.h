/* shard_scatter.h: rows that one member of a team can read, given to the others. */
#ifndef SG_DATA_SHARD_SHARD_SCATTER_H
#define SG_DATA_SHARD_SHARD_SCATTER_H

#include "data/shard/shard.h"

/* Member 0 has all rows, the others none yet (all NULL): each gets the rows of its share as a table with the
 * same columns, in a file where they take more than `memory` bytes; member 0 gets none, but its share. All members get
 * the same status. */
sg_status sg_shard_scatter(const sg_comm *t, const sg_source *all, size_t memory, sg_row_range *range, sg_table **out);

#endif
