/* subset.c: some rows of another source, as a source. */
#include "base/memory.h"
#include "base/random.h"
#include "base/status.h"
#include "data/source.h"

#include <stdlib.h>
#include <string.h>

struct sg_subset {
    sg_source of;
    size_t *rows; /* (n) in `of` */
    size_t n;
};

void sg_subset_free(sg_subset *s)
{
    if (!s) return;
    free(s->rows);
    free(s);
}

static sg_status make(const sg_source *of, size_t n, sg_subset **out)
{
    sg_subset *s = sg_alloc(1, sizeof *s);
    size_t *rows = sg_alloc(n, sizeof *rows);
    if (!s || !rows) {
        free(s);
        free(rows);
        return sg_fail(SG_ENOMEM, "out of memory for a choice of %zu rows", n);
    }
    *s = (sg_subset){.of = *of, .rows = rows, .n = n};
    *out = s;
    return SG_OK;
}

sg_status sg_subset_new(const sg_source *of, const size_t *rows, size_t n, sg_subset **out)
{
    for (size_t i = 0; i < n; i++)
        if (rows[i] >= of->rows)
            return sg_fail(SG_EINVAL, "row %zu of a source that has %zu", rows[i], of->rows);
    sg_status st = make(of, n, out);
    if (st == SG_OK && n) memcpy((*out)->rows, rows, n * sizeof *rows);
    return st;
}

sg_status sg_subset_split(const sg_source *of, uint64_t seed, size_t first, size_t last, int inside,
                          sg_subset **out)
{
    if (first > last || last > of->rows)
        return sg_fail(SG_EINVAL, "places %zu to %zu of a source that has %zu rows", first, last,
                       of->rows);
    sg_status st = make(of, inside ? last - first : of->rows - (last - first), out);
    if (st != SG_OK) return st;
    size_t *to = (*out)->rows;
    for (size_t i = 0; i < of->rows; i++) {
        uint64_t place = sg_random_place(seed, SG_RANDOM_SPLIT, of->rows, i);
        if ((place >= first && place < last) == (inside != 0)) *to++ = i;
    }
    return SG_OK;
}

/* --- as a source: called from several threads, so nothing is allocated or changed --- */

static sg_status beyond(const sg_subset *s, size_t row)
{
    return sg_fail(SG_EINVAL, "row %zu of a choice of %zu", row, s->n);
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_subset *s = self;
    if (first > s->n || n > s->n - first) return beyond(s, first + n);
    return sg_source_gather(&s->of, s->rows + first, n, out);
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    enum { CHUNK = 256 };
    const sg_subset *s = self;
    size_t below[CHUNK];
    for (size_t i = 0, m; i < n; i += m) {
        m = n - i < CHUNK ? n - i : CHUNK;
        for (size_t j = 0; j < m; j++) {
            if (rows[i + j] >= s->n) return beyond(s, rows[i + j]);
            below[j] = s->rows[rows[i + j]];
        }
        sg_status st = sg_source_gather(&s->of, below, m, out + i * s->of.columns);
        if (st != SG_OK) return st;
    }
    return SG_OK;
}

sg_source sg_subset_source(const sg_subset *s)
{
    return (sg_source){.self = (void *)s, .name = s->of.name, .rows = s->n,
                       .columns = s->of.columns, .names = s->of.names, .read = read_rows,
                       .gather = gather_rows};
}
