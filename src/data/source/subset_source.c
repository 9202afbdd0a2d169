/* subset_source.c: makes a source of some rows of another source. */
#include "data/source/subset_source.h"
#include "base/memory.h"
#include "base/random/random.h"
#include "base/status.h"
#include "data/distributed/shard_source.h"

#include <stdlib.h>
#include <string.h>

struct sg_subset {
    sg_source source; /* must come first, for sg_source_wrapped_level */
    size_t n;
    size_t *rows;            /* (n) the selected rows, in any order; NULL if the bitset selects rows */
    sg_select_bitset bitset; /* the selected local rows of the base source */
    size_t local_first;      /* the first local row of the base source */
    size_t global_first;     /* the number of selected rows on previous ranks */
};

void sg_subset_free(sg_subset *s)
{
    if (!s) return;
    free(s->rows);
    sg_select_bitset_release(&s->bitset);
    free(s);
}

static sg_status fail_out_of_memory(const sg_source *base)
{
    return sg_fail(SG_ENOMEM, "out of memory while selecting from %zu rows", base->rows);
}

sg_status sg_subset_new(const sg_source *base, const size_t *rows, size_t n, sg_subset **out)
{
    if (base->comm) return sg_fail(SG_EINVAL, "%s: distributed rows can't be selected by index", sg_source_name(base));
    for (size_t i = 0; i < n; i++)
        if (rows[i] >= base->rows)
            return sg_fail(SG_EINVAL, "row index %zu is out of range; the source has %zu rows, numbered from 0",
                           rows[i], base->rows);
    sg_subset *s = sg_calloc(1, sizeof *s);
    if (s) *s = (sg_subset){.source = *base, .n = n, .rows = sg_calloc(n, sizeof *rows)};
    if (!s || !s->rows) {
        sg_subset_free(s);
        return fail_out_of_memory(base);
    }
    if (n) memcpy(s->rows, rows, n * sizeof *rows);
    *out = s;
    return SG_OK;
}

sg_status sg_subset_from_bitset(const sg_source *base, sg_select_bitset *bitset, sg_subset **out)
{
    sg_subset *s = sg_calloc(1, sizeof *s);
    if (!s) {
        sg_select_bitset_release(bitset);
        return fail_out_of_memory(base);
    }
    sg_select_bitset_build(bitset);
    *s = (sg_subset){.source = *base, .bitset = *bitset, .local_first = base->comm ? base->local_first : 0};
    *bitset = (sg_select_bitset){0};
    sg_row_range range;
    sg_status st = sg_row_range_from_local(base->comm, s->bitset.set_count, &range);
    s->n = range.total;
    s->global_first = range.first_row;
    if (st == SG_OK) *out = s;
    else sg_subset_free(s);
    return st;
}

sg_status sg_subset_split(const sg_source *base, uint64_t seed, size_t first, size_t last, int inside, sg_subset **out)
{
    sg_select_bitset bitset;
    if (first > last || last > base->rows)
        return sg_fail(SG_EINVAL, "can't select positions %zu to %zu of %zu rows", first, last, base->rows);
    size_t begin, end;
    sg_source_local_range(base, &begin, &end);
    if (!sg_select_bitset_init(&bitset, end - begin)) return fail_out_of_memory(base);
    for (size_t i = begin; i < end; i++) {
        uint64_t position = sg_random_permute(seed, SG_RANDOM_SPLIT, base->rows, i);
        if ((position >= first && position < last) == (inside != 0)) sg_select_bitset_set(&bitset, i - begin);
    }
    return sg_subset_from_bitset(base, &bitset, out);
}

/* --- source: called from several threads, so nothing is allocated or changed --- */

enum { CHUNK = 256 };

static size_t local_rows(const sg_subset *s) { return s->rows ? s->n : s->bitset.set_count; }

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_subset *s = self;
    size_t base_rows[CHUNK];
    if (first < s->global_first || first - s->global_first > local_rows(s) ||
        n > local_rows(s) - (first - s->global_first))
        return sg_fail_row("the subset", first + n, s->n);
    if (s->rows) return sg_source_gather(&s->source, s->rows + first, n, out);
    size_t row = n ? sg_select_bitset_select(&s->bitset, first - s->global_first) : 0;
    for (size_t i = 0, m; i < n; i += m) {
        m = n - i < CHUNK ? n - i : CHUNK;
        for (size_t j = 0; j < m; j++) {
            if (i + j > 0) row = sg_select_bitset_next(&s->bitset, row);
            base_rows[j] = s->local_first + row;
        }
        sg_status st = sg_source_gather(&s->source, base_rows, m, out + i * s->source.columns);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

size_t sg_subset_base_row(const sg_subset *s, size_t row)
{
    return s->rows ? s->rows[row] : s->local_first + sg_select_bitset_select(&s->bitset, row - s->global_first);
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

sg_source sg_subset_source(const sg_subset *s)
{
    sg_source subset = s->source;
    subset.self = (void *)s;
    subset.rows = s->n;
    subset.read = read_rows;
    subset.view = NULL;
    subset.gather = gather_rows;
    subset.level = s->source.level ? sg_source_wrapped_level : NULL;
    subset.local_first = s->global_first;
    subset.local_rows = local_rows(s);
    return subset;
}
