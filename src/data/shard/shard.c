/* shard.c: see shard.h. */
#include "data/shard/shard.h"

#include "base/memory.h"

#include <stdlib.h>

struct sg_shard {
    sg_source source;
    sg_row_range range;
    size_t offset;
    sg_level_union levels; /* none: codes are those of `of` */
};

void sg_shard_free(sg_shard *m)
{
    if (!m) return;
    sg_level_union_release(&m->levels);
    free(m);
}

void sg_shard_set_levels(sg_shard *m, sg_level_union *c)
{
    sg_level_union_release(&m->levels);
    m->levels = *c;
    *c = (sg_level_union){0};
}

/* Rows that were read, with the team's codes. */
static sg_status map_levels(const sg_shard *m, sg_status st, size_t n, double *out)
{
    if (st == SG_OK && m->levels.levels) sg_level_union_map(&m->levels, m->range.comm->rank, out, n);
    return st;
}

sg_status sg_shard_new(const sg_row_range *s, const sg_source *of, size_t at, sg_shard **out)
{
    if (at > of->rows || s->count > of->rows - at)
        return sg_fail(SG_EINVAL, "%s: %zu rows from row %zu on, of %zu", sg_source_name(of), s->count, at, of->rows);
    sg_shard *m = sg_calloc(1, sizeof *m);
    if (!m) return sg_fail(SG_ENOMEM, "out of memory for rows of a team");
    *m = (sg_shard){.source = *of, .range = *s, .offset = at};
    *out = m;
    return SG_OK;
}

static sg_status fail_not_local(const sg_shard *m, size_t row)
{
    const sg_row_range *s = &m->range;
    if (s->count == 0) return sg_fail(SG_EINVAL, "row %zu is not with rank %zu, which has none", row, s->comm->rank);
    return sg_fail(SG_EINVAL, "row %zu is not with rank %zu, which has rows %zu to %zu", row, s->comm->rank,
                   s->first_row, s->first_row + s->count - 1);
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_shard *m = self;
    const sg_row_range *s = &m->range;
    if (n == 0) return SG_OK;
    if (first < s->first_row || first - s->first_row >= s->count) return fail_not_local(m, first);
    if (n > s->count - (first - s->first_row)) return fail_not_local(m, s->first_row + s->count);
    return map_levels(m, m->source.read(m->source.self, first - s->first_row + m->offset, n, out), n, out);
}

static sg_status gather_shifted(const sg_shard *m, const size_t *rows, size_t n, double *out)
{
    enum { CHUNK = 256 };
    size_t inside[CHUNK];
    sg_status st = SG_OK;
    for (size_t i = 0, some; st == SG_OK && i < n; i += some) {
        some = n - i < CHUNK ? n - i : CHUNK;
        for (size_t j = 0; j < some; j++) inside[j] = rows[i + j] - m->range.first_row + m->offset;
        st = sg_source_gather(&m->source, inside, some, out + i * m->source.columns);
    }
    return st;
}

/* Where all members see all rows these have the same numbers here. */
static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    const sg_shard *m = self;
    for (size_t i = 0; i < n; i++)
        if (rows[i] - m->range.first_row >= m->range.count)
            return fail_not_local(m, rows[i]); /* below it, the difference is huge */
    bool same = m->offset == m->range.first_row;
    return map_levels(m, same ? sg_source_gather(&m->source, rows, n, out) : gather_shifted(m, rows, n, out), n, out);
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_shard *m = self;
    if (!m->levels.levels) return m->source.level(m->source.self, column, i);
    return column < m->levels.columns ? sg_string_table_get(&m->levels.levels[column], i) : NULL;
}

sg_source sg_shard_source(const sg_shard *m)
{
    const sg_row_range *s = &m->range;
    return (sg_source){.self = (void *)m,
                       .name = m->source.name,
                       .rows = s->total,
                       .columns = m->source.columns,
                       .names = m->source.names,
                       .read = read_rows,
                       .gather = gather_rows,
                       .level = m->source.level || m->levels.levels ? level : NULL,
                       .comm = s->comm,
                       .local_first = s->first_row,
                       .local_rows = s->count,
                       .slow_gather = m->source.slow_gather,
                       .weight_column = m->source.weight_column,
                       .resident_bytes = m->source.resident_bytes};
}
