/* shard_infer_types.h: members of a team that each read a file of their own judge its columns as if all rows were in
 * one file. All members call these at the same time, and get the same status. */
#ifndef SG_DATA_SHARD_SHARD_INFER_TYPES_H
#define SG_DATA_SHARD_SHARD_INFER_TYPES_H

#include "data/ingest/table_builder.h"

/* What is known of this member's rows (s->facts, and whether the first column counts them) becomes what is known of
 * all. Fails where members do not read the same columns. */
sg_status sg_shard_merge_evidence(const sg_comm *t, sg_table_builder *s);
/* What has too many words with one member, or with all of them together, has them with all. */
sg_status sg_shard_merge_level_budget(const sg_comm *t, sg_table_builder *s);

#endif
