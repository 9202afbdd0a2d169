/* shard_check.h: whether the members of a team see the same data, and which rows of it are whose. All members call
 * these at the same time, and all get the same status. */
#ifndef SG_DATA_SHARD_SHARD_CHECK_H
#define SG_DATA_SHARD_SHARD_CHECK_H

#include "data/shard/shard.h"

#include <stdbool.h>

/* The same columns, by name and place, as member 0; and the same levels of those that hold words. */
sg_status sg_shard_check_columns(const sg_comm *t, const sg_source *local, bool levels);
/* As many rows as member 0 in each of the files. */
sg_status sg_shard_check_rows(const sg_comm *t, const sg_source *files, size_t count);

/* The same values as member 0 in some rows of each of the files, which have the same shape. */
sg_status sg_shard_check_values(const sg_comm *t, const sg_source *files, size_t count);

/* Rows that all see are shared out. */
sg_row_range sg_row_range_split(const sg_comm *t, size_t rows);
/* Each has some of its own, in the order of ranks. */
sg_status sg_row_range_from_local(const sg_comm *t, size_t local, sg_row_range *out);

#endif
