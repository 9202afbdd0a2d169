/* borrowed.c: see borrowed.h. Every member goes through all that is sent in the same order, so that nobody waits in a
 * circle. */
#include "data/borrowed.h"

#include "base/memory.h"
#include "base/team.h"

#include <stdlib.h>
#include <string.h>

sg_status sg_borrowed_init(sg_borrowed *b, const sg_source *of)
{
    *b = (sg_borrowed){.of = of, .bound = sg_alloc(sg_team_ranks(of->team) + 1, sizeof *b->bound)};
    sg_status st = b->bound ? sg_source_bounds(of, b->bound) : sg_fail(SG_ENOMEM, "out of memory for a batch");
    if (st != SG_OK) sg_borrowed_release(b);
    return st;
}

void sg_borrowed_release(sg_borrowed *b)
{
    free(b->bound);
    free(b->values);
    free(b->sent);
    *b = (sg_borrowed){0};
}

static sg_status make_room(const sg_borrowed *b, double **rows, size_t *room, size_t n)
{
    if (n <= *room && *rows) return SG_OK;
    size_t bytes;
    bool fits = sg_mul(b->of->columns, sizeof **rows, &bytes);
    return fits && sg_grow(rows, room, n ? n : 1, bytes) ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for a batch");
}

static size_t row_at(const sg_borrowed *b, size_t position) { return b->rows ? b->rows[position] : position; }

static bool holds(const sg_borrowed *b, size_t rank, size_t row)
{
    return row >= b->bound[rank] && row < b->bound[rank + 1];
}

static size_t bytes_of(const sg_borrowed *b, size_t rows) { return rows * b->of->columns * sizeof(double); }

static sg_status read_one(const sg_borrowed *b, size_t row, double *out)
{
    return sg_source_gather(b->of, &row, 1, out);
}

/* --- a batch that everyone computes: to member 0, and from there to all --- */

/* The rows of the batch that this member holds, in the batch's order. */
static sg_status collect(sg_borrowed *b, size_t n, size_t *count)
{
    size_t rank = b->of->team->rank;
    sg_status st = make_room(b, &b->sent, &b->sending, n);
    *count = 0;
    for (size_t i = 0; st == SG_OK && i < n; i++)
        if (holds(b, rank, row_at(b, i))) st = read_one(b, row_at(b, i), b->sent + b->of->columns * (*count)++);
    return st;
}

/* Rows that a member sent go to their places. */
static void place(sg_borrowed *b, size_t rank, size_t n)
{
    const double *next = b->sent;
    for (size_t i = 0; i < n; i++) {
        if (!holds(b, rank, row_at(b, i))) continue;
        memcpy(b->values + i * b->of->columns, next, bytes_of(b, 1));
        next += b->of->columns;
    }
}

static size_t count_of(const sg_borrowed *b, size_t rank, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += holds(b, rank, row_at(b, i));
    return count;
}

sg_status sg_borrowed_all(sg_borrowed *b, const size_t *rows, size_t n)
{
    const sg_team *team = b->of->team;
    size_t own;
    b->rows = rows;
    b->from = 0;
    b->last = n;
    sg_status st = make_room(b, &b->values, &b->room, n);
    if (st == SG_OK) st = collect(b, n, &own);
    if (st == SG_OK && team->rank && own) st = team->send(team->self, 0, b->sent, bytes_of(b, own));
    if (st == SG_OK && team->rank == 0) place(b, 0, n);
    for (size_t h = 1; st == SG_OK && team->rank == 0 && h < team->ranks; h++) {
        size_t theirs = count_of(b, h, n);
        if (theirs) st = team->receive(team->self, h, b->sent, bytes_of(b, theirs));
        if (st == SG_OK) place(b, h, n);
    }
    return st == SG_OK ? sg_team_share(team, 0, b->values, bytes_of(b, n)) : st;
}

/* --- an ascending batch --- */

/* The first position in [first, last) whose row is not below `row`. */
static size_t lower_bound(const sg_borrowed *b, size_t first, size_t last, size_t row)
{
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (row_at(b, middle) < row) first = middle + 1;
        else last = middle;
    }
    return first;
}

static sg_status send_rows(sg_borrowed *b, size_t to, size_t first, size_t last)
{
    const sg_team *team = b->of->team;
    sg_status st = make_room(b, &b->sent, &b->sending, last - first);
    for (size_t i = first; st == SG_OK && i < last; i++)
        st = read_one(b, row_at(b, i), b->sent + (i - first) * b->of->columns);
    return st == SG_OK ? team->send(team->self, to, b->sent, bytes_of(b, last - first)) : st;
}

/* What member u lacks, the positions [first, last), from those who hold it. */
static sg_status lend(sg_borrowed *b, size_t u, size_t first, size_t last)
{
    const sg_team *team = b->of->team;
    sg_status st = SG_OK;
    if (team->rank == u) st = make_room(b, &b->values, &b->room, last - first);
    for (size_t h = u + 1, begin = first, end; st == SG_OK && begin < last; h++, begin = end) {
        end = lower_bound(b, begin, last, b->bound[h + 1]);
        if (begin == end) continue;
        if (team->rank == h) st = send_rows(b, u, begin, end);
        if (team->rank == u)
            st = team->receive(team->self, h, b->values + (begin - first) * b->of->columns, bytes_of(b, end - begin));
    }
    return st;
}

sg_status sg_borrowed_parts(sg_borrowed *b, const size_t *rows, const size_t *part)
{
    const sg_team *team = b->of->team;
    sg_status st = SG_OK;
    b->rows = rows;
    for (size_t u = 0; st == SG_OK && u < team->ranks; u++) {
        size_t from = lower_bound(b, part[u], part[u + 1], b->bound[u + 1]);
        if (u == team->rank) {
            b->from = from;
            b->last = part[u + 1];
        }
        if (from < part[u + 1]) st = lend(b, u, from, part[u + 1]);
    }
    return st;
}

sg_status sg_borrowed_take(const sg_borrowed *b, size_t first, size_t n, double *out)
{
    const sg_source *s = b->of;
    size_t own = first < b->from ? b->from - first : 0;
    if (own > n) own = n;
    sg_status st = SG_OK;
    if (own) st = b->rows ? sg_source_gather(s, b->rows + first, own, out) : s->read(s->self, first, own, out);
    if (st == SG_OK && n > own)
        memcpy(out + own * s->columns, b->values + (first + own - b->from) * s->columns, bytes_of(b, n - own));
    return st;
}
