/* sure.c: see sure.h. */
#include "model/sure.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

/* No number of a model file is larger: SG_LARGEST. */
static const double LARGEST = 1e100;
/* Every error is kept near the largest; then, below them, one in so many of those above it; at last this part of all.
 */
enum { NEAR = 16, PARTS = 128 };

bool sg_errors_init(sg_errors *e, size_t points)
{
    *e = (sg_errors){.points = points, .rank = sg_alloc(2 * points, sizeof *e->rank)};
    if (e->rank) e->size = e->rank + points;
    return e->rank;
}

void sg_sure_forget(sg_sure *s)
{
    for (size_t o = 0; s->errors && o < s->outputs; o++) free(s->errors[o].rank);
    free(s->errors);
    s->errors = NULL;
    s->rows = s->outputs = 0;
}

void sg_sure_release(sg_sure *s)
{
    sg_sure_forget(s);
    *s = (sg_sure){0};
}

bool sg_sure_copy(const sg_sure *s, sg_sure *out)
{
    *out = (sg_sure){.seen = s->seen, .firing = s->firing};
    if (!s->errors) return true;
    out->errors = sg_alloc(s->outputs, sizeof *out->errors);
    if (!out->errors) return false;
    out->rows = s->rows;
    out->outputs = s->outputs;
    for (size_t o = 0; o < s->outputs; o++) {
        const sg_errors *e = &s->errors[o];
        if (!sg_errors_init(&out->errors[o], e->points)) return false;
        memcpy(out->errors[o].rank, e->rank, 2 * e->points * sizeof *e->rank);
    }
    return true;
}

/* --- from errors --- */

/* An error of one output. */
typedef struct miss {
    double size, weight;
} miss;

static int by_size(const void *a, const void *b)
{
    const miss *x = a, *y = b;
    if (x->size != y->size) return x->size < y->size ? -1 : 1;
    return x->weight < y->weight ? -1 : x->weight > y->weight;
}

/* How many of n are kept, and which: place (n) from the largest down. */
static size_t choose(size_t n, size_t *place)
{
    size_t kept = 0, widest = n / PARTS ? n / PARTS : 1;
    for (size_t above = 0; above < n && kept < SG_ERRORS_MOST;) {
        size_t gap = above / NEAR ? above / NEAR : 1;
        place[kept++] = n - 1 - above;
        above += gap < widest ? gap : widest;
    }
    return kept;
}

/* Kish's effective number of rows, and the same in ranks: all are alike where nothing is weighed. */
static double count(const miss *m, size_t n, bool *alike)
{
    double sum = 0, squares = 0;
    *alike = true;
    for (size_t i = 0; i < n; i++) {
        sum += m[i].weight;
        squares += m[i].weight * m[i].weight;
        *alike = *alike && m[i].weight == m[0].weight;
    }
    double all = *alike ? (double)n : floor(sum * sum / squares * (1 + 1e-12));
    return all < 1 ? 1 : all > (double)n ? (double)n : all;
}

/* m is sorted. Ranks are shares of all that is weighed, times the number of rows. */
static bool keep(const miss *m, size_t n, size_t *place, sg_errors *out, size_t *rows)
{
    bool alike;
    double all = count(m, n, &alike), sum = 0, below = 0;
    size_t kept = choose(n, place), next = kept;
    if (!sg_errors_init(out, kept)) return false;
    for (size_t i = 0; i < n; i++) sum += m[i].weight;
    for (size_t i = 0; i < n; i++) {
        below += m[i].weight;
        if (next == 0 || place[next - 1] != i) continue;
        size_t at = kept - next--;
        out->rank[at] = alike ? (double)(i + 1) : i + 1 == n ? all : all * (below / sum);
        out->size[at] = m[i].size < LARGEST ? m[i].size : LARGEST;
    }
    *rows = (size_t)all;
    return true;
}

static size_t take(const double *row, size_t rows, size_t outputs, size_t output, miss *to)
{
    size_t n = 0;
    for (size_t i = 0; i < rows; i++, row += outputs + 1)
        if (row[outputs] > 0) to[n++] = (miss){row[output], row[outputs]};
    qsort(to, n, sizeof *to, by_size);
    return n;
}

sg_status sg_sure_fit(sg_sure *s, const double *row, size_t rows, size_t outputs)
{
    miss *m = sg_alloc(rows, sizeof *m);
    size_t *place = sg_alloc(rows, sizeof *place), n = 0;
    sg_sure_forget(s);
    s->errors = sg_alloc(outputs, sizeof *s->errors);
    s->outputs = outputs;
    bool room = m && place && s->errors;
    for (size_t o = 0; room && o < outputs; o++) {
        n = take(row, rows, outputs, o, m);
        if (n == 0) break;
        room = keep(m, n, place, &s->errors[o], &s->rows);
    }
    free(m);
    free(place);
    if (room && n) return SG_OK;
    sg_sure_forget(s);
    return room ? sg_fail(SG_EDATA, "no row has a target and a weight: there are no errors to learn from")
                : sg_fail(SG_ENOMEM, "out of memory for errors");
}
