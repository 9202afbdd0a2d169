/* member.c: see member.h. */
#include "data/member.h"

#include "base/memory.h"

#include <stdlib.h>

struct sg_member {
    sg_source of;
    sg_share share;
    size_t at;
    sg_common_levels levels; /* none: codes are those of `of` */
};

void sg_member_free(sg_member *m)
{
    if (!m) return;
    sg_common_levels_release(&m->levels);
    free(m);
}

void sg_member_code(sg_member *m, sg_common_levels *c)
{
    sg_common_levels_release(&m->levels);
    m->levels = *c;
    *c = (sg_common_levels){0};
}

/* Rows that were read, with the team's codes. */
static sg_status coded(const sg_member *m, sg_status st, size_t n, double *out)
{
    if (st == SG_OK && m->levels.levels) sg_common_levels_map(&m->levels, m->share.team->rank, out, n);
    return st;
}

sg_status sg_member_new(const sg_share *s, const sg_source *of, size_t at, sg_member **out)
{
    if (at > of->rows || s->here > of->rows - at)
        return sg_fail(SG_EINVAL, "%s: %zu rows from row %zu on, of %zu", sg_source_name(of), s->here, at, of->rows);
    sg_member *m = sg_alloc(1, sizeof *m);
    if (!m) return sg_fail(SG_ENOMEM, "out of memory for rows of a team");
    *m = (sg_member){.of = *of, .share = *s, .at = at};
    *out = m;
    return SG_OK;
}

static sg_status elsewhere(const sg_member *m, size_t row)
{
    const sg_share *s = &m->share;
    if (s->here == 0) return sg_fail(SG_EINVAL, "row %zu is not with rank %zu, which has none", row, s->team->rank);
    return sg_fail(SG_EINVAL, "row %zu is not with rank %zu, which has rows %zu to %zu", row, s->team->rank, s->first,
                   s->first + s->here - 1);
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_member *m = self;
    const sg_share *s = &m->share;
    if (n == 0) return SG_OK;
    if (first < s->first || first - s->first >= s->here) return elsewhere(m, first);
    if (n > s->here - (first - s->first)) return elsewhere(m, s->first + s->here);
    return coded(m, m->of.read(m->of.self, first - s->first + m->at, n, out), n, out);
}

static sg_status gather_moved(const sg_member *m, const size_t *rows, size_t n, double *out)
{
    enum { CHUNK = 256 };
    size_t inside[CHUNK];
    sg_status st = SG_OK;
    for (size_t i = 0, some; st == SG_OK && i < n; i += some) {
        some = n - i < CHUNK ? n - i : CHUNK;
        for (size_t j = 0; j < some; j++) inside[j] = rows[i + j] - m->share.first + m->at;
        st = sg_source_gather(&m->of, inside, some, out + i * m->of.columns);
    }
    return st;
}

/* Where all members see all rows these have the same numbers here. */
static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    const sg_member *m = self;
    for (size_t i = 0; i < n; i++)
        if (rows[i] - m->share.first >= m->share.here)
            return elsewhere(m, rows[i]); /* below it, the difference is huge */
    bool same = m->at == m->share.first;
    return coded(m, same ? sg_source_gather(&m->of, rows, n, out) : gather_moved(m, rows, n, out), n, out);
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_member *m = self;
    if (!m->levels.levels) return m->of.level(m->of.self, column, i);
    return column < m->levels.columns ? sg_levels_text(&m->levels.levels[column], i) : NULL;
}

sg_source sg_member_source(const sg_member *m)
{
    const sg_share *s = &m->share;
    return (sg_source){.self = (void *)m,
                       .name = m->of.name,
                       .rows = s->rows,
                       .columns = m->of.columns,
                       .names = m->of.names,
                       .read = read_rows,
                       .gather = gather_rows,
                       .level = m->of.level || m->levels.levels ? level : NULL,
                       .team = s->team,
                       .first = s->first,
                       .here = s->here,
                       .slow = m->of.slow,
                       .weights = m->of.weights,
                       .held = m->of.held};
}
