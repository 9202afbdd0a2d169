/* rank_consistency.c: checks that all ranks see the same data, by comparing it with what rank 0 broadcasts. */
#include "data/distributed/shard_source.h"

#include "base/memory.h"
#include "base/part_range.h"
#include "base/text.h"
#include "comm/collectives.h"
#include "data/distributed/schema_wire.h"

#include <stdlib.h>
#include <string.h>

/* --- columns --- */

static sg_status fail_name(const sg_comm *comm, const sg_source *local, size_t i, const char *remote)
{
    return sg_fail(
        SG_EDATA,
        "column %zu of %s is \"%s\" on rank %zu but \"%s\" on rank 0; use --ignore to exclude a column on all ranks",
        i + 1, sg_source_name(local), SG_EXCERPT(local->names[i]), comm->rank, SG_EXCERPT(remote));
}

/* Returns whether a column has the same levels in the same order on both ranks. */
static bool same_levels(const sg_source *local, size_t column, const sg_string_table *remote)
{
    const char *text;
    size_t i = 0;
    for (; (text = sg_source_level(local, column, i)); i++)
        if (!remote || i >= remote->count || strcmp(text, sg_string_table_get(remote, i)) != 0) return false;
    return i == (remote ? remote->count : 0);
}

static sg_status compare_columns(const sg_comm *comm, const sg_source *local, bool levels, const sg_schema *remote)
{
    for (size_t i = 0; i < local->columns; i++) {
        if (strcmp(local->names[i], remote->names[i]) != 0) return fail_name(comm, local, i, remote->names[i]);
        if (levels && !same_levels(local, i, remote->levels ? &remote->levels[i] : NULL))
            return sg_fail(SG_EDATA, "rank %zu and rank 0 see different categories in column \"%s\" of %s", comm->rank,
                           SG_EXCERPT(local->names[i]), sg_source_name(local));
    }
    return SG_OK;
}

static sg_status compare_schemas(const sg_comm *comm, const sg_source *local, bool levels, const char *remote,
                                 size_t columns)
{
    sg_schema schema;
    if (local->columns != columns)
        return sg_fail(
            SG_EDATA,
            "rank %zu sees %zu columns in %s, but rank 0 sees %zu; use --ignore to exclude a column on all ranks",
            comm->rank, local->columns, sg_source_name(local), columns);
    sg_status st = sg_schema_decode(remote, columns, &schema);
    if (st == SG_OK) st = compare_columns(comm, local, levels, &schema);
    sg_schema_release(&schema);
    return st;
}

sg_status sg_shard_check_columns(const sg_comm *comm, const sg_source *local, bool levels)
{
    sg_text names = {0};
    uint64_t columns = local->columns;
    void *remote = NULL;
    sg_status st = sg_comm_agree_status(comm, sg_schema_encode(local, &names));
    if (st == SG_OK) st = sg_comm_bcast(comm, 0, &columns, sizeof columns);
    if (st == SG_OK) st = sg_shard_bcast_bytes(comm, 0, names.bytes, names.length, &remote, NULL);
    if (st == SG_OK)
        st = sg_comm_agree_status_verbatim(comm, compare_schemas(comm, local, levels, remote, (size_t)columns));
    free(remote);
    sg_text_release(&names);
    return st;
}

/* --- rows --- */

/* A file is represented by its number of rows and the hashes of some rows, evenly spaced from the first to the last. */
enum { SAMPLES = 9, FINGERPRINT = 1 + SAMPLES };

static size_t sample_row(const sg_source *file, size_t i) { return sg_part_begin(file->rows - 1, SAMPLES - 1, i); }

static uint64_t hash_row(const double *value, size_t n)
{
    uint64_t hash = 0, bits;
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &value[i], sizeof bits);
        hash = (hash ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        hash ^= hash >> 32;
    }
    return hash;
}

static sg_status fingerprint_file(const sg_source *file, uint64_t *out)
{
    double *row = sg_calloc(file->columns, sizeof *row);
    sg_status st = row ? SG_OK : sg_fail_out_of_memory("a row");
    out[0] = file->rows;
    for (size_t i = 0; st == SG_OK && file->rows && i < SAMPLES; i++) {
        st = file->read(file->self, sample_row(file, i), 1, row);
        if (st == SG_OK) out[1 + i] = hash_row(row, file->columns);
    }
    free(row);
    return st;
}

static sg_status compare_file(const sg_comm *comm, const sg_source *file, const uint64_t *local, const uint64_t *remote)
{
    if (local[0] != remote[0]) /* NOLINT(clang-analyzer-core.NullDereference): all ranks have allocated */
        return sg_fail(SG_EDATA, "rank %zu sees %zu rows in %s, but rank 0 sees %zu", comm->rank, file->rows,
                       sg_source_name(file), (size_t)remote[0]);
    for (size_t i = 0; i < SAMPLES; i++)
        if (local[1 + i] != remote[1 + i])
            return sg_fail(SG_EDATA, "rank %zu and rank 0 see different values in row %zu of %s", comm->rank,
                           sample_row(file, i) + 1, sg_source_name(file));
    return SG_OK;
}

static sg_status compare_files(const sg_comm *comm, const sg_source *files, size_t count, const uint64_t *local,
                               const uint64_t *remote, size_t remote_count)
{
    if (count != remote_count)
        return sg_fail(SG_EDATA, "rank %zu reads %zu files, but rank 0 reads %zu", comm->rank, count, remote_count);
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < count; i++)
        st = compare_file(comm, &files[i], local + i * FINGERPRINT, remote + i * FINGERPRINT);
    return st;
}

sg_status sg_shard_check_files(const sg_comm *comm, const sg_source *files, size_t count)
{
    uint64_t *local = sg_calloc(count, FINGERPRINT * sizeof *local);
    void *remote = NULL;
    size_t bytes = 0;
    sg_status st = local ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while comparing %zu files", count);
    for (size_t i = 0; st == SG_OK && i < count; i++) st = fingerprint_file(&files[i], local + i * FINGERPRINT);
    st = sg_comm_agree_status(comm, st);
    if (st == SG_OK) st = sg_shard_bcast_bytes(comm, 0, local, count * FINGERPRINT * sizeof *local, &remote, &bytes);
    if (st == SG_OK) st = compare_files(comm, files, count, local, remote, bytes / (FINGERPRINT * sizeof *local));
    if (remote) st = sg_comm_agree_status_verbatim(comm, st);
    free(remote);
    free(local);
    return st;
}
