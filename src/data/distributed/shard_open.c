/* shard_open.c: opens a dataset on several ranks.
 *
 * If ranks name the same files, each reads its own range of rows of .npy files in place; rank 0 reads other formats and
 * distributes the rows. Ranks with local files read all rows of their own files. */
#include "data/dataset_open.h"

#include "base/memory.h"
#include "comm/collectives.h"

#include <stdlib.h>
#include <string.h>

static sg_status scatter_rows(const sg_comm *comm, const sg_dataset_files *files, sg_row_range *range, sg_dataset **d)
{
    sg_source all = *d ? sg_dataset_local_source(*d) : (sg_source){0};
    sg_table *received = NULL;
    sg_status st = sg_shard_scatter(comm, *d ? &all : NULL, files->memory, range, &received);
    return sg_comm_agree_status(comm, received ? sg_dataset_from_table(received, d) : st);
}

/* Checks that the files that the ranks have opened are consistent with each other, and gets the row range of this
 * rank. */
static sg_status check_shards(const sg_comm *comm, bool local, const sg_dataset *d, sg_row_range *range)
{
    sg_source own = sg_dataset_local_source(d);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the caller has opened it */
    sg_source *files = sg_calloc(d->parts, sizeof *files);
    for (size_t i = 0; files && i < d->parts; i++) files[i] = d->part[i].source;
    sg_status st = sg_comm_agree_status(
        comm, files ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while comparing %zu files", d->parts));
    if (st == SG_OK) st = sg_shard_check_columns(comm, &own, !local);
    if (st == SG_OK && !local) st = sg_shard_check_files(comm, files, d->parts);
    if (st == SG_OK && local) st = sg_row_range_from_local(comm, own.rows, range);
    else if (st == SG_OK) *range = sg_row_range_split(comm, own.rows);
    free(files);
    return st;
}

/* Makes the shard. The local source holds either the rows of all ranks or those of this rank. */
static sg_status make_shard(const sg_row_range *range, char weighted, sg_dataset *d)
{
    sg_source rows = sg_dataset_local_source(d);
    rows.weight_column = weighted ? rows.names[0] : NULL;
    return sg_shard_new(range, &rows, rows.rows == range->total ? range->first_row : 0, &d->shard);
}

static sg_status merge_levels(const sg_comm *comm, sg_dataset *d)
{
    sg_source own = sg_dataset_local_source(d);
    sg_level_union levels;
    sg_status st = sg_shard_level_union(comm, &own, &levels);
    /* NOLINTNEXTLINE(clang-analyzer-core.NullDereference): the caller has opened it */
    if (st == SG_OK) sg_shard_set_levels(d->shard, &levels);
    sg_level_union_release(&levels);
    return st;
}

/* Lets the ranks infer column types together if all of them read CSV files of their own. */
static sg_status enable_shared_inference(const sg_comm *comm, sg_dataset_files *files)
{
    char own = sg_dataset_files_are_csv(files), *all = sg_calloc(comm->ranks, 1);
    sg_status st = sg_comm_agree_status(
        comm, all ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while opening files on %zu ranks", comm->ranks));
    if (st == SG_OK) st = sg_comm_allgather(comm, &own, 1, all);
    if (st == SG_OK && !memchr(all, 0, comm->ranks)) /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
        files->options.comm = comm;
    free(all);
    return st;
}

static sg_status distribute_dataset(const sg_comm *comm, bool local, char each, const sg_dataset_files *files,
                                    sg_dataset **d)
{
    sg_row_range range;
    char weighted = *d && sg_dataset_local_source(*d).weight_column != NULL; /* rank 0 decides */
    sg_status st = each ? check_shards(comm, local, *d, &range) : scatter_rows(comm, files, &range, d);
    if (st == SG_OK) st = sg_comm_bcast(comm, 0, &weighted, sizeof weighted);
    if (st == SG_OK) st = sg_comm_agree_status(comm, make_shard(&range, weighted, *d));
    return st == SG_OK && local ? merge_levels(comm, *d) : st;
}

sg_status sg_shard_open_dataset(const sg_comm *comm, bool local, const sg_dataset_files *files, sg_dataset **out)
{
    sg_dataset *d = NULL;
    sg_dataset_files own = *files;
    char each = local || sg_dataset_files_are_in_place(files); /* whether every rank opens files; rank 0 decides */
    sg_status st = sg_comm_bcast(comm, 0, &each, sizeof each);
    if (st == SG_OK && local) st = enable_shared_inference(comm, &own);
    if (st != SG_OK) return st;
    if (each || comm->rank == 0) st = sg_dataset_open_local(&own, &d);
    st = each ? sg_comm_agree_status(comm, st) : sg_comm_agree_status_verbatim(comm, st); /* rank 0 reads for all */
    if (st == SG_OK) st = distribute_dataset(comm, local, each, files, &d);
    if (st == SG_OK) *out = d;
    else sg_dataset_free(d);
    return st;
}
