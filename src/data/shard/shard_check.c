/* shard_check.c: checks that all ranks see the same data. Rank 0 broadcasts what it sees, and the others compare. */
#include "data/shard/shard.h"

#include "base/memory.h"
#include "base/text.h"
#include "comm/comm.h"
#include "data/shard/schema_wire.h"

#include <stdlib.h>
#include <string.h>

/* --- columns --- */

static sg_status fail_name(const sg_comm *t, const sg_source *local, size_t i, const char *remote)
{
    char a[128], b[128];
    return sg_fail(
        SG_EDATA,
        "column %zu of %s is \"%s\" for rank %zu, and \"%s\" for rank 0; use --ignore to exclude a column on all ranks",
        i + 1, sg_source_name(local), sg_quote_excerpt(local->names[i], strlen(local->names[i]), a, sizeof a), t->rank,
        sg_quote_excerpt(remote, strlen(remote), b, sizeof b));
}

/* Reports whether a column has the same levels in the same order. */
static bool same_levels(const sg_source *local, size_t column, const sg_string_table *remote)
{
    const char *text;
    size_t i = 0;
    for (; (text = sg_source_level(local, column, i)); i++)
        if (!remote || i >= remote->count || strcmp(text, sg_string_table_get(remote, i)) != 0) return false;
    return i == (remote ? remote->count : 0);
}

static sg_status compare_columns(const sg_comm *t, const sg_source *local, bool levels, const sg_schema *remote)
{
    char shown[128];
    for (size_t i = 0; i < local->columns; i++) {
        if (strcmp(local->names[i], remote->names[i]) != 0) return fail_name(t, local, i, remote->names[i]);
        if (levels && !same_levels(local, i, remote->levels ? &remote->levels[i] : NULL))
            return sg_fail(SG_EDATA, "rank %zu sees different categories in column \"%s\" of %s than rank 0", t->rank,
                           sg_quote_excerpt(local->names[i], strlen(local->names[i]), shown, sizeof shown),
                           sg_source_name(local));
    }
    return SG_OK;
}

static sg_status compare_schemas(const sg_comm *t, const sg_source *local, bool levels, const char *remote,
                                 size_t columns)
{
    sg_schema schema;
    if (local->columns != columns)
        return sg_fail(
            SG_EDATA, "rank %zu sees %zu columns in %s, rank 0 sees %zu; use --ignore to exclude a column on all ranks",
            t->rank, local->columns, sg_source_name(local), columns);
    sg_status st = sg_schema_decode(remote, columns, &schema);
    if (st == SG_OK) st = compare_columns(t, local, levels, &schema);
    sg_schema_release(&schema);
    return st;
}

sg_status sg_shard_check_columns(const sg_comm *t, const sg_source *local, bool levels)
{
    sg_text names = {0};
    uint64_t columns = local->columns;
    void *remote = NULL;
    sg_status st = sg_comm_agree_status(t, sg_schema_encode(local, &names));
    if (st == SG_OK) st = sg_comm_bcast(t, 0, &columns, sizeof columns);
    if (st == SG_OK) st = sg_shard_bcast_bytes(t, 0, names.bytes, names.length, &remote, NULL);
    if (st == SG_OK) st = sg_comm_agree_status_verbatim(t, compare_schemas(t, local, levels, remote, (size_t)columns));
    free(remote);
    sg_text_release(&names);
    return st;
}

/* --- rows --- */

static sg_status compare_rows(const sg_comm *t, const sg_source *files, size_t count, const uint64_t *remote)
{
    for (size_t i = 0; i < count; i++)
        if (files[i].rows != remote[i])
            return sg_fail(SG_EDATA, "rank %zu sees %zu rows in %s, rank 0 sees %zu", t->rank, files[i].rows,
                           sg_source_name(&files[i]), (size_t)remote[i]);
    return SG_OK;
}

static sg_status compare_files(const sg_comm *t, const sg_source *files, size_t count, uint64_t *rows)
{
    uint64_t remote = count;
    sg_status st = sg_comm_bcast(t, 0, &remote, sizeof remote);
    if (st != SG_OK) return st;
    st = remote == count ? SG_OK
                         : sg_fail(SG_EDATA, "rank %zu reads %zu files, rank 0 %zu", t->rank, count, (size_t)remote);
    st = sg_comm_agree_status_verbatim(t, st);
    for (size_t i = 0; st == SG_OK && i < count; i++)
        rows[i] = files[i].rows; /* NOLINT(clang-analyzer-core.NullDereference) */
    if (st == SG_OK) st = sg_comm_bcast(t, 0, rows, count * sizeof *rows);
    return st == SG_OK ? sg_comm_agree_status_verbatim(t, compare_rows(t, files, count, rows)) : st;
}

sg_status sg_shard_check_rows(const sg_comm *t, const sg_source *files, size_t count)
{
    uint64_t *rows = sg_calloc(count, sizeof *rows);
    sg_status st = sg_comm_agree_status(t, rows ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu files", count));
    if (st == SG_OK) st = compare_files(t, files, count, rows);
    free(rows);
    return st;
}

/* --- values --- */

/* Number of rows of each file that are compared, evenly spaced from the first to the last. */
enum { SAMPLES = 9 };

static size_t sample_row(const sg_source *file, size_t i)
{
    size_t last = file->rows - 1, steps = SAMPLES - 1;
    return last / steps * i + last % steps * i / steps;
}

static uint64_t digest_of(const double *value, size_t n)
{
    uint64_t digest = 0, bits;
    for (size_t i = 0; i < n; i++) {
        memcpy(&bits, &value[i], sizeof bits);
        digest = (digest ^ bits) * UINT64_C(0x9e3779b97f4a7c15);
        digest ^= digest >> 32;
    }
    return digest;
}

static sg_status digest_samples(const sg_source *file, uint64_t digest[SAMPLES])
{
    double *row = sg_calloc(file->columns, sizeof *row);
    sg_status st = row ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a row");
    for (size_t i = 0; st == SG_OK && file->rows && i < SAMPLES; i++) {
        st = file->read(file->self, sample_row(file, i), 1, row);
        if (st == SG_OK) digest[i] = digest_of(row, file->columns);
    }
    free(row);
    return st;
}

static sg_status compare_values(const sg_comm *t, const sg_source *files, size_t samples, const uint64_t *local,
                                const uint64_t *remote)
{
    for (size_t i = 0; i < samples; i++)
        if (local[i] != remote[i]) /* NOLINT(clang-analyzer-core.NullDereference): agreed on */
            return sg_fail(SG_EDATA, "rank %zu sees different values in row %zu of %s than rank 0", t->rank,
                           sample_row(&files[i / SAMPLES], i % SAMPLES) + 1, sg_source_name(&files[i / SAMPLES]));
    return SG_OK;
}

sg_status sg_shard_check_values(const sg_comm *t, const sg_source *files, size_t count)
{
    uint64_t *local = sg_calloc(count, SAMPLES * sizeof *local);
    void *remote = NULL;
    sg_status st = local ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu files", count);
    for (size_t i = 0; st == SG_OK && i < count; i++) st = digest_samples(&files[i], local + i * SAMPLES);
    st = sg_comm_agree_status(t, st);
    if (st == SG_OK) st = sg_shard_bcast_bytes(t, 0, local, count * SAMPLES * sizeof *local, &remote, NULL);
    if (st == SG_OK) st = sg_comm_agree_status_verbatim(t, compare_values(t, files, count * SAMPLES, local, remote));
    free(remote);
    free(local);
    return st;
}
