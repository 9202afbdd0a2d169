/* subset.c: some rows of another source, as a source. */
#include "data/subset.h"
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "base/team.h"

#include <stdlib.h>
#include <string.h>

struct sg_subset {
    sg_source of;
    size_t n;
    size_t *rows;   /* (n) in `of`, in any order; or NULL, and then: */
    sg_marks marks; /* in the order of `of`, of the rows that it has here */
    size_t base;    /* the first of these                                 */
    size_t first;   /* the number of the first marked one among all n     */
};

void sg_subset_free(sg_subset *s)
{
    if (!s) return;
    free(s->rows);
    sg_marks_release(&s->marks);
    free(s);
}

static sg_status no_memory(const sg_source *of)
{
    return sg_fail(SG_ENOMEM, "out of memory for a choice among %zu rows", of->rows);
}

sg_status sg_subset_new(const sg_source *of, const size_t *rows, size_t n, sg_subset **out)
{
    if (of->team) return sg_fail(SG_EINVAL, "%s: a team's rows can't be chosen one by one", sg_source_name(of));
    for (size_t i = 0; i < n; i++)
        if (rows[i] >= of->rows) return sg_fail(SG_EINVAL, "row %zu of a source that has %zu", rows[i], of->rows);
    sg_subset *s = sg_alloc(1, sizeof *s);
    if (s) *s = (sg_subset){.of = *of, .n = n, .rows = sg_alloc(n, sizeof *rows)};
    if (!s || !s->rows) {
        sg_subset_free(s);
        return no_memory(of);
    }
    if (n) memcpy(s->rows, rows, n * sizeof *rows);
    *out = s;
    return SG_OK;
}

/* How many are marked with all members, and with those before this one. */
static sg_status count_all(sg_subset *s)
{
    const sg_team *team = s->of.team;
    size_t ranks = sg_team_ranks(team), *counts = sg_alloc(ranks, sizeof *counts);
    sg_status st = counts ? sg_team_all(team, &s->marks.n, sizeof *counts, counts) : no_memory(&s->of);
    for (size_t i = 0; st == SG_OK && i < ranks; i++) {
        s->n += counts[i];
        if (i < sg_team_rank(team)) s->first += counts[i];
    }
    free(counts);
    return st;
}

sg_status sg_subset_marked(const sg_source *of, sg_marks *marks, sg_subset **out)
{
    sg_subset *s = sg_alloc(1, sizeof *s);
    if (!s) {
        sg_marks_release(marks);
        return no_memory(of);
    }
    sg_marks_count(marks);
    *s = (sg_subset){.of = *of, .marks = *marks, .base = of->team ? of->first : 0};
    *marks = (sg_marks){0};
    sg_status st = count_all(s);
    if (st == SG_OK) *out = s;
    else sg_subset_free(s);
    return st;
}

sg_status sg_subset_split(const sg_source *of, uint64_t seed, size_t first, size_t last, int inside, sg_subset **out)
{
    sg_marks marks;
    if (first > last || last > of->rows)
        return sg_fail(SG_EINVAL, "places %zu to %zu of a source that has %zu rows", first, last, of->rows);
    size_t begin, end;
    sg_source_range(of, &begin, &end);
    if (!sg_marks_init(&marks, end - begin)) return no_memory(of);
    for (size_t i = begin; i < end; i++) {
        uint64_t place = sg_random_place(seed, SG_RANDOM_SPLIT, of->rows, i);
        if ((place >= first && place < last) == (inside != 0)) sg_marks_set(&marks, i - begin);
    }
    return sg_subset_marked(of, &marks, out);
}

/* --- as a source: called from several threads, so nothing is allocated or changed --- */

enum { CHUNK = 256 };

static sg_status beyond(const sg_subset *s, size_t row)
{
    return sg_fail(SG_EINVAL, "row %zu of a choice of %zu", row, s->n);
}

/* How many rows it has here. */
static size_t here(const sg_subset *s) { return s->rows ? s->n : s->marks.n; }

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_subset *s = self;
    size_t below[CHUNK];
    if (first < s->first || first - s->first > here(s) || n > here(s) - (first - s->first)) return beyond(s, first + n);
    if (s->rows) return sg_source_gather(&s->of, s->rows + first, n, out);
    size_t row = n ? sg_marks_find(&s->marks, first - s->first) : 0;
    for (size_t i = 0, m; i < n; i += m) {
        m = n - i < CHUNK ? n - i : CHUNK;
        for (size_t j = 0; j < m; j++) {
            if (i + j > 0) row = sg_marks_next(&s->marks, row);
            below[j] = s->base + row;
        }
        sg_status st = sg_source_gather(&s->of, below, m, out + i * s->of.columns);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

size_t sg_subset_below(const sg_subset *s, size_t row)
{
    return s->rows ? s->rows[row] : s->base + sg_marks_find(&s->marks, row - s->first);
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    const sg_subset *s = self;
    size_t below[CHUNK];
    for (size_t i = 0, m; i < n; i += m) {
        m = n - i < CHUNK ? n - i : CHUNK;
        for (size_t j = 0; j < m; j++) {
            size_t row = rows[i + j];
            if (row < s->first || row - s->first >= here(s)) return beyond(s, row);
            below[j] = sg_subset_below(s, row);
        }
        sg_status st = sg_source_gather(&s->of, below, m, out + i * s->of.columns);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_subset *s = self;
    return s->of.level(s->of.self, column, i);
}

sg_source sg_subset_source(const sg_subset *s)
{
    sg_source chosen = s->of;
    chosen.self = (void *)s;
    chosen.rows = s->n;
    chosen.read = read_rows;
    chosen.look = NULL;
    chosen.gather = gather_rows;
    chosen.level = s->of.level ? level : NULL;
    chosen.first = s->first;
    chosen.here = here(s);
    return chosen;
}
