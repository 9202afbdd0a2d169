/* aligned.c: see aligned.h. */
#include "data/aligned.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

struct sg_aligned {
    sg_source of;
    size_t block, ranks;
    size_t *held, *bound; /* (ranks + 1): first rows of members, as they hold them and as they are here */
    double *copies;       /* rows from the end of ours to the end of our last block */
};

void sg_aligned_free(sg_aligned *a)
{
    if (!a) return;
    free(a->held);
    free(a->bound);
    free(a->copies);
    free(a);
}

static size_t round_up(const sg_aligned *a, size_t row)
{
    size_t over = row % a->block;
    return over == 0 ? row : a->of.rows - row < a->block - over ? a->of.rows : row + (a->block - over);
}

/* The rows that member u needs and doesn't hold: [*first, *last). */
static void lacking(const sg_aligned *a, size_t u, size_t *first, size_t *last)
{
    bool any = a->bound[u] < a->bound[u + 1];
    *first = any ? a->held[u + 1] : 0;
    *last = any ? a->bound[u + 1] : 0;
}

/* What member h holds of them goes to u. */
static sg_status hand_over(sg_aligned *a, size_t u, size_t h, size_t first, size_t last)
{
    const sg_team *team = a->of.team;
    size_t begin = first > a->held[h] ? first : a->held[h], end = last < a->held[h + 1] ? last : a->held[h + 1];
    size_t width = a->of.columns;
    if (begin >= end || (team->rank != u && team->rank != h)) return SG_OK;
    size_t bytes = (end - begin) * width * sizeof(double); /* fits: allocated, or will be */
    if (team->rank == u) return team->receive(team->self, h, a->copies + (begin - first) * width, bytes);
    double *rows = sg_alloc(end - begin, width * sizeof *rows);
    sg_status st = rows ? a->of.read(a->of.self, begin, end - begin, rows) : sg_fail(SG_ENOMEM, "out of memory for rows");
    if (st == SG_OK) st = team->send(team->self, u, rows, bytes);
    free(rows);
    return st;
}

/* Every member goes through all hand-overs in the same order, so that nobody waits in a circle. */
static sg_status exchange(sg_aligned *a)
{
    const sg_team *team = a->of.team;
    size_t first, last;
    sg_status st = SG_OK;
    lacking(a, team->rank, &first, &last);
    a->copies = sg_alloc(last - first, a->of.columns * sizeof *a->copies);
    if (!a->copies) return sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t u = 0; st == SG_OK && u < a->ranks; u++) {
        lacking(a, u, &first, &last);
        for (size_t h = u + 1; st == SG_OK && h < a->ranks && a->held[h] < last; h++) st = hand_over(a, u, h, first, last);
    }
    return st;
}

sg_status sg_aligned_new(const sg_source *of, size_t block, sg_aligned **out)
{
    sg_aligned *a = sg_alloc(1, sizeof *a);
    if (a) *a = (sg_aligned){.of = *of, .block = block, .ranks = of->team ? of->team->ranks : 1};
    if (a) a->held = sg_alloc(a->ranks + 1, sizeof *a->held);
    if (a) a->bound = sg_alloc(a->ranks + 1, sizeof *a->bound);
    sg_status st = a && a->held && a->bound ? sg_source_bounds(of, a->held) : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t i = 0; st == SG_OK && i <= a->ranks; i++) a->bound[i] = round_up(a, a->held[i]);
    if (st == SG_OK && of->team) st = exchange(a);
    if (st == SG_OK) *out = a;
    else sg_aligned_free(a);
    return st;
}

const size_t *sg_aligned_bounds(const sg_aligned *a) { return a->bound; }

/* --- as a source --- */

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_aligned *a = self;
    size_t rank = a->of.team->rank, end = a->held[rank + 1], own = first < end ? end - first : 0;
    if (own > n) own = n;
    if (first < a->bound[rank] || first + n > a->bound[rank + 1])
        return sg_fail(SG_EINVAL, "row %zu is not with this process", first);
    sg_status st = own ? a->of.read(a->of.self, first, own, out) : SG_OK;
    if (st == SG_OK && n > own)
        memcpy(out + own * a->of.columns, a->copies + (first + own - end) * a->of.columns,
               (n - own) * a->of.columns * sizeof *out);
    return st;
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_aligned *a = self;
    return a->of.level(a->of.self, column, i);
}

sg_source sg_aligned_source(const sg_aligned *a)
{
    sg_source s = a->of;
    if (!s.team) return s;
    s.self = (void *)a;
    s.read = read_rows;
    s.gather = NULL;
    s.level = s.level ? level : NULL;
    s.first = a->bound[s.team->rank];
    s.here = a->bound[s.team->rank + 1] - s.first;
    return s;
}
