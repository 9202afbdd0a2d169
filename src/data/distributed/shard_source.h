/* shard_source.h: datasets that are distributed over the ranks of a communicator.
 *
 * A shard presents the rows of this rank as a source of all rows. Unless a comment says otherwise, functions are
 * collective: all ranks must call them at the same time, and get the same status. */
#pragma once

#include "data/level_union.h"
#include "data/source/source_util.h"

struct sg_dataset_files;
struct sg_table_builder;

/* The rows of one rank: [first_row, first_row + count) of `total`. */
typedef struct sg_row_range {
    const sg_comm *comm;
    size_t total, first_row, count;
} sg_row_range;

/* Returns the share of this rank in rows that all ranks can read. Not collective. */
sg_row_range sg_row_range_split(const sg_comm *comm, size_t rows);
/* Numbers the rows of all ranks, in rank order. This rank has `local` rows. comm may be NULL for one process. */
sg_status sg_row_range_from_local(const sg_comm *comm, size_t local, sg_row_range *out);

/* --- the source --- */

typedef struct sg_shard sg_shard;

/* Makes a shard of source, whose row `offset` is row range->first_row of all rows. The source and the communicator must
 * outlive the shard. Not collective. */
sg_status sg_shard_new(const sg_row_range *range, const sg_source *source, size_t offset, sg_shard **out);
/* Maps categories to the levels of u, in which this rank is part comm->rank. Takes ownership of u. Not collective. */
void sg_shard_set_levels(sg_shard *s, sg_level_union *u);
sg_source sg_shard_source(const sg_shard *s);
void sg_shard_free(sg_shard *s);

/* --- opening (shard_open.c) --- */

/* Opens files on all ranks: each rank's own files if `local` is set, otherwise the same files on all ranks. */
sg_status sg_shard_open_dataset(const sg_comm *comm, bool local, const struct sg_dataset_files *files,
                                sg_dataset **out);

/* --- consistency (rank_consistency.c) --- */

/* Fail unless all ranks see the same column names and, if `levels` is set, the same levels; and, in each file, the same
 * number of rows and the same values in some sampled rows. */
sg_status sg_shard_check_columns(const sg_comm *comm, const sg_source *local, bool levels);
sg_status sg_shard_check_files(const sg_comm *comm, const sg_source *files, size_t count);

/* --- data that ranks exchange --- */

/* shard_scatter.c: distributes the rows of rank 0, which passes them as `all`; the others pass NULL. Each other rank
 * gets the rows of its range as a table, in a temporary file if they exceed `memory` bytes. */
sg_status sg_shard_scatter(const sg_comm *comm, const sg_source *all, size_t memory, sg_row_range *range,
                           sg_table **out);
/* rank_level_union.c: merges the levels of all ranks, in rank order. Part comm->rank of u maps this rank's codes. If a
 * column is categorical on one rank and numeric on another, the numbers become levels, and the latter rank reads its
 * rows once. Release u even on failure. */
sg_status sg_shard_level_union(const sg_comm *comm, const sg_source *local, sg_level_union *u);
/* Broadcasts n bytes of rank `root` to *out, which the caller frees. out_n may be NULL. */
sg_status sg_shard_bcast_bytes(const sg_comm *comm, size_t root, const void *bytes, size_t n, void **out,
                               size_t *out_n);

/* --- type inference (rank_infer_types.c), as if the rows of all ranks were in one file --- */

/* `st` is the status of this rank so far. If the read options have no communicator, it is only returned. */

/* Merges the evidence and row number checks of all ranks. Fails if the ranks read different columns. */
sg_status sg_shard_merge_evidence(struct sg_table_builder *s, sg_status st);
/* Drops the levels of columns that have too many on any rank, or on all ranks together. */
sg_status sg_shard_merge_level_budget(struct sg_table_builder *s, sg_status st);
/* Fails if any rank has failed. */
sg_status sg_shard_agree_status(const struct sg_table_builder *s, sg_status st);
