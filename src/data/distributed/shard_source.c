/* shard_source.c: presents the rows of this rank as a source of all rows, and divides rows among ranks. */
#include "data/distributed/shard_source.h"

#include "base/memory.h"
#include "comm/collectives.h"

#include <stdlib.h>
#include <string.h>

struct sg_shard {
    sg_source source;
    sg_row_range range;
    size_t offset;         /* the row of `source` that is row range.first_row of all rows */
    sg_level_union levels; /* empty if the codes are those of `source` */
};

void sg_shard_free(sg_shard *s)
{
    if (!s) return;
    sg_level_union_release(&s->levels);
    free(s);
}

void sg_shard_set_levels(sg_shard *s, sg_level_union *u)
{
    sg_level_union_release(&s->levels);
    s->levels = *u;
    *u = (sg_level_union){0};
}

sg_status sg_shard_new(const sg_row_range *range, const sg_source *source, size_t offset, sg_shard **out)
{
    if (offset > source->rows || range->count > source->rows - offset)
        return sg_fail(SG_EINVAL, "%s: a range of %zu rows from row %zu exceeds the %zu rows of the source",
                       sg_source_name(source), range->count, offset, source->rows);
    sg_shard *s = sg_calloc(1, sizeof *s);
    if (!s) return sg_fail_out_of_memory("distributed rows");
    *s = (sg_shard){.source = *source, .range = *range, .offset = offset};
    *out = s;
    return SG_OK;
}

/* --- source --- */

static sg_status fail_not_local(const sg_shard *s, size_t row)
{
    const sg_row_range *r = &s->range;
    if (r->count == 0)
        return sg_fail(SG_EINVAL, "rank %zu does not hold row %zu: it holds no rows", r->comm->rank, row);
    return sg_fail(SG_EINVAL, "rank %zu does not hold row %zu: it holds rows %zu to %zu", r->comm->rank, row,
                   r->first_row, r->first_row + r->count - 1);
}

static sg_status map_levels(const sg_shard *s, sg_status st, size_t n, double *out)
{
    if (st == SG_OK && s->levels.levels) sg_level_union_map(&s->levels, s->range.comm->rank, out, n);
    return st;
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_shard *s = self;
    const sg_row_range *r = &s->range;
    if (n == 0) return SG_OK;
    if (first < r->first_row || first - r->first_row >= r->count) return fail_not_local(s, first);
    if (n > r->count - (first - r->first_row)) return fail_not_local(s, r->first_row + r->count);
    return map_levels(s, s->source.read(s->source.self, first - r->first_row + s->offset, n, out), n, out);
}

static sg_status gather_shifted(const sg_shard *s, const size_t *rows, size_t n, double *out)
{
    enum { CHUNK = 256 };
    size_t shifted[CHUNK];
    sg_status st = SG_OK;
    for (size_t i = 0, some; st == SG_OK && i < n; i += some) {
        some = n - i < CHUNK ? n - i : CHUNK;
        for (size_t j = 0; j < some; j++) shifted[j] = rows[i + j] - s->range.first_row + s->offset;
        st = sg_source_gather(&s->source, shifted, some, out + i * s->source.columns);
    }
    return st;
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    const sg_shard *s = self;
    for (size_t i = 0; i < n; i++)
        if (rows[i] - s->range.first_row >= s->range.count) /* wraps around for rows before the first */
            return fail_not_local(s, rows[i]);
    bool same = s->offset == s->range.first_row; /* if all ranks see all rows, no shift is needed */
    return map_levels(s, same ? sg_source_gather(&s->source, rows, n, out) : gather_shifted(s, rows, n, out), n, out);
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_shard *s = self;
    if (!s->levels.levels) return s->source.level(s->source.self, column, i);
    return column < s->levels.columns ? sg_string_table_get(&s->levels.levels[column], i) : NULL;
}

sg_source sg_shard_source(const sg_shard *s)
{
    sg_source rows = s->source;
    rows.self = (void *)s;
    rows.rows = s->range.total;
    rows.read = read_rows;
    rows.gather = gather_rows;
    rows.view = NULL;
    rows.level = s->source.level || s->levels.levels ? level : NULL;
    rows.comm = s->range.comm;
    rows.local_first = s->range.first_row;
    rows.local_rows = s->range.count;
    return rows;
}

/* --- ranges --- */

sg_row_range sg_row_range_split(const sg_comm *comm, size_t rows)
{
    size_t first = sg_comm_shard_begin(rows, comm->rank, comm->ranks);
    return (sg_row_range){.comm = comm,
                          .total = rows,
                          .first_row = first,
                          .count = sg_comm_shard_begin(rows, comm->rank + 1, comm->ranks) - first};
}

sg_status sg_row_range_from_local(const sg_comm *comm, size_t local, sg_row_range *out)
{
    size_t ranks = sg_comm_ranks(comm);
    uint64_t *counts = sg_calloc(ranks, sizeof *counts), own = local, sum = 0;
    sg_status st = sg_comm_agree_status(
        comm, counts ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while counting the rows of %zu ranks", ranks));
    if (st == SG_OK) st = sg_comm_allgather(comm, &own, sizeof own, counts);
    *out = (sg_row_range){.comm = comm, .count = local};
    for (size_t i = 0; st == SG_OK && i < ranks; i++) {
        if (counts[i] > SIZE_MAX / 2 - sum) /* NOLINT(clang-analyzer-core.NullDereference) */
            st = sg_fail(SG_EDATA, "the ranks have more rows than can be counted");
        if (i == sg_comm_rank(comm)) out->first_row = (size_t)sum;
        sum += counts[i];
    }
    out->total = (size_t)sum;
    free(counts);
    return st;
}

sg_status sg_source_shard_bounds(const sg_source *s, size_t *bound)
{
    size_t ranks = sg_comm_ranks(s->comm), end = 0, (*range)[2] = sg_calloc(ranks, sizeof *range), own[2];
    sg_source_local_range(s, &own[0], &own[1]);
    sg_status st = range ? sg_comm_allgather(s->comm, own, sizeof own, range)
                         : sg_fail(SG_ENOMEM, "out of memory while reading rows");
    for (size_t i = 0; st == SG_OK && i < ranks; i++) {
        bound[i] = range[i][0];
        if (range[i][0] != end || range[i][1] < end)
            st = sg_fail(SG_EINVAL, "%s: the rows of rank %zu leave a gap or overlap others", sg_source_name(s), i);
        end = range[i][1];
    }
    bound[ranks] = s->rows;
    if (st == SG_OK && end != s->rows)
        st = sg_fail(SG_EINVAL, "%s: expected %zu rows, but the ranks hold %zu", sg_source_name(s), s->rows, end);
    free(range);
    return st;
}

/* --- broadcast --- */

sg_status sg_shard_bcast_bytes(const sg_comm *comm, size_t root, const void *bytes, size_t n, void **out, size_t *out_n)
{
    uint64_t size = n;
    sg_status st = sg_comm_bcast(comm, root, &size, sizeof size);
    if (st != SG_OK) return st;
    void *copy = sg_calloc((size_t)size, 1);
    st = sg_comm_agree_status(
        comm, copy ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while receiving data from rank %zu", root));
    if (st == SG_OK && comm->rank == root && n)
        memcpy(copy, bytes, n); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK) st = sg_comm_bcast(comm, root, copy, (size_t)size);
    if (st == SG_OK) *out = copy;
    else free(copy);
    if (st == SG_OK && out_n) *out_n = (size_t)size;
    return st;
}
