/* subset_source.c: some rows of another source, as a source. */
#include "data/source/subset_source.h"
#include "base/memory.h"
#include "base/random/random.h"
#include "base/status.h"
#include "data/shard/shard.h"

#include <stdlib.h>
#include <string.h>

struct sg_subset {
    sg_source source;
    size_t n;
    size_t *rows;          /* (n) in `of`, in any order; or NULL, and then: */
    sg_rank_bitset bitset; /* in the order of `of`, of the rows that it has here */
    size_t local_first;    /* the first of these                                 */
    size_t global_first;   /* the number of the first marked one among all n     */
};

void sg_subset_free(sg_subset *s)
{
    if (!s) return;
    free(s->rows);
    sg_rank_bitset_release(&s->bitset);
    free(s);
}

static sg_status no_memory(const sg_source *of)
{
    return sg_fail(SG_ENOMEM, "out of memory for a choice among %zu rows", of->rows);
}

sg_status sg_subset_new(const sg_source *of, const size_t *rows, size_t n, sg_subset **out)
{
    if (of->comm) return sg_fail(SG_EINVAL, "%s: a team's rows can't be chosen one by one", sg_source_name(of));
    for (size_t i = 0; i < n; i++)
        if (rows[i] >= of->rows) return sg_fail(SG_EINVAL, "row %zu of a source that has %zu", rows[i], of->rows);
    sg_subset *s = sg_calloc(1, sizeof *s);
    if (s) *s = (sg_subset){.source = *of, .n = n, .rows = sg_calloc(n, sizeof *rows)};
    if (!s || !s->rows) {
        sg_subset_free(s);
        return no_memory(of);
    }
    if (n) memcpy(s->rows, rows, n * sizeof *rows);
    *out = s;
    return SG_OK;
}

sg_status sg_subset_from_bitset(const sg_source *of, sg_rank_bitset *bitset, sg_subset **out)
{
    sg_subset *s = sg_calloc(1, sizeof *s);
    if (!s) {
        sg_rank_bitset_release(bitset);
        return no_memory(of);
    }
    sg_rank_bitset_build(bitset);
    *s = (sg_subset){.source = *of, .bitset = *bitset, .local_first = of->comm ? of->local_first : 0};
    *bitset = (sg_rank_bitset){0};
    sg_row_range range;
    sg_status st = sg_row_range_from_local(of->comm, s->bitset.set_count, &range);
    s->n = range.total;
    s->global_first = range.first_row;
    if (st == SG_OK) *out = s;
    else sg_subset_free(s);
    return st;
}

sg_status sg_subset_split(const sg_source *of, uint64_t seed, size_t first, size_t last, int inside, sg_subset **out)
{
    sg_rank_bitset bitset;
    if (first > last || last > of->rows)
        return sg_fail(SG_EINVAL, "places %zu to %zu of a source that has %zu rows", first, last, of->rows);
    size_t begin, end;
    sg_source_local_range(of, &begin, &end);
    if (!sg_rank_bitset_init(&bitset, end - begin)) return no_memory(of);
    for (size_t i = begin; i < end; i++) {
        uint64_t place = sg_random_permute(seed, SG_RANDOM_SPLIT, of->rows, i);
        if ((place >= first && place < last) == (inside != 0)) sg_rank_bitset_set(&bitset, i - begin);
    }
    return sg_subset_from_bitset(of, &bitset, out);
}

/* --- as a source: called from several threads, so nothing is allocated or changed --- */

enum { CHUNK = 256 };

/* How many rows it has here. */
static size_t local_rows(const sg_subset *s) { return s->rows ? s->n : s->bitset.set_count; }

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_subset *s = self;
    size_t base_rows[CHUNK];
    if (first < s->global_first || first - s->global_first > local_rows(s) ||
        n > local_rows(s) - (first - s->global_first))
        return sg_fail_row("the subset", first + n, s->n);
    if (s->rows) return sg_source_gather(&s->source, s->rows + first, n, out);
    size_t row = n ? sg_rank_bitset_select(&s->bitset, first - s->global_first) : 0;
    for (size_t i = 0, m; i < n; i += m) {
        m = n - i < CHUNK ? n - i : CHUNK;
        for (size_t j = 0; j < m; j++) {
            if (i + j > 0) row = sg_rank_bitset_next(&s->bitset, row);
            base_rows[j] = s->local_first + row;
        }
        sg_status st = sg_source_gather(&s->source, base_rows, m, out + i * s->source.columns);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

size_t sg_subset_base_row(const sg_subset *s, size_t row)
{
    return s->rows ? s->rows[row] : s->local_first + sg_rank_bitset_select(&s->bitset, row - s->global_first);
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    const sg_subset *s = self;
    size_t base_rows[CHUNK];
    for (size_t i = 0, m; i < n; i += m) {
        m = n - i < CHUNK ? n - i : CHUNK;
        for (size_t j = 0; j < m; j++) {
            size_t row = rows[i + j];
            if (row < s->global_first || row - s->global_first >= local_rows(s))
                return sg_fail_row("the subset", row, s->n);
            base_rows[j] = sg_subset_base_row(s, row);
        }
        sg_status st = sg_source_gather(&s->source, base_rows, m, out + i * s->source.columns);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_subset *s = self;
    return s->source.level(s->source.self, column, i);
}

sg_source sg_subset_source(const sg_subset *s)
{
    sg_source chosen = s->source;
    chosen.self = (void *)s;
    chosen.rows = s->n;
    chosen.read = read_rows;
    chosen.view = NULL;
    chosen.gather = gather_rows;
    chosen.level = s->source.level ? level : NULL;
    chosen.local_first = s->global_first;
    chosen.local_rows = local_rows(s);
    return chosen;
}
