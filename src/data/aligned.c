/* aligned.c: see aligned.h. */
#include "data/aligned.h"

#include "base/memory.h"
#include "base/team.h"
#include "data/spool.h"

#include <stdlib.h>
#include <string.h>

struct sg_aligned {
    sg_source of;
    size_t block, ranks;
    size_t *held, *bound; /* (ranks + 1): first rows of members, as they hold them and as they are here */
    double *copies;       /* rows from the end of ours to the end of our last block ... */
    sg_npy *file;         /* ... or, where these are many, the file that they are in    */
};

void sg_aligned_free(sg_aligned *a)
{
    if (!a) return;
    free(a->held);
    free(a->bound);
    free(a->copies);
    sg_npy_free(a->file);
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

/* --- copies --- */

/* What is sent at a time; and copies that are more than this go to a file. */
enum { NUMBERS_SENT = 1 << 17, BYTES_KEPT = 16 << 20 };

typedef struct copying {
    sg_aligned *a;
    size_t most;     /* rows that are sent at a time        */
    double *some;    /* (most, columns)                     */
    sg_spool *spool; /* NULL: all of ours stay in memory    */
    size_t taken;    /* of ours                             */
    sg_status st;    /* of what this member does by itself  */
} copying;

static sg_status make_room(copying *c)
{
    sg_aligned *a = c->a;
    size_t first, last, bytes, width = a->of.columns;
    lacking(a, a->of.team->rank, &first, &last);
    c->most = width < NUMBERS_SENT ? NUMBERS_SENT / width : 1;
    c->some = sg_alloc(c->most, width * sizeof *c->some);
    if (!c->some) return sg_fail(SG_ENOMEM, "out of memory for rows");
    if (!sg_mul(last - first, width * sizeof *a->copies, &bytes) || bytes > BYTES_KEPT)
        return sg_spool_new(sg_source_name(&a->of), NULL, a->of.names, width, &c->spool);
    a->copies = sg_alloc(bytes, 1);
    return a->copies ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
}

/* A word goes ahead of the rows: whether they could be read. */
static sg_status send_some(copying *c, size_t to, size_t first, size_t n)
{
    const sg_team *team = c->a->of.team;
    if (c->st == SG_OK) c->st = c->a->of.read(c->a->of.self, first, n, c->some);
    uint64_t there = c->st == SG_OK;
    sg_status st = team->send(team->self, to, &there, sizeof there);
    return st == SG_OK && there ? team->send(team->self, to, c->some, n * c->a->of.columns * sizeof *c->some) : st;
}

/* What can't be kept is taken all the same: its sender waits. */
static sg_status take_some(copying *c, size_t from, size_t n)
{
    const sg_team *team = c->a->of.team;
    size_t width = c->a->of.columns;
    double *to = c->spool ? c->some : c->a->copies + c->taken * width;
    uint64_t there = 0;
    sg_status st = team->receive(team->self, from, &there, sizeof there);
    if (st == SG_OK && there) st = team->receive(team->self, from, to, n * width * sizeof *to);
    if (c->spool && there && c->st == SG_OK) c->st = sg_spool_add(c->spool, to, n);
    c->taken += n;
    return st;
}

/* What member h holds of the rows [first, last) goes to u. */
static sg_status hand_over(copying *c, size_t u, size_t h, size_t first, size_t last)
{
    const sg_aligned *a = c->a;
    size_t rank = a->of.team->rank, end = last < a->held[h + 1] ? last : a->held[h + 1];
    sg_status st = SG_OK;
    if (first < a->held[h]) first = a->held[h];
    if (rank != u && rank != h) return SG_OK;
    for (size_t n; st == SG_OK && first < end; first += n) {
        n = end - first < c->most ? end - first : c->most;
        st = rank == u ? take_some(c, h, n) : send_some(c, u, first, n);
    }
    return st;
}

/* Every member goes through all hand-overs in the same order, so that nobody waits in a circle. */
static sg_status hand_all(copying *c)
{
    sg_aligned *a = c->a;
    size_t first, last;
    sg_status st = SG_OK;
    for (size_t u = 0; st == SG_OK && u < a->ranks; u++) {
        lacking(a, u, &first, &last);
        for (size_t h = u + 1; st == SG_OK && h < a->ranks && a->held[h] < last; h++)
            st = hand_over(c, u, h, first, last);
    }
    return st == SG_OK ? c->st : st;
}

static sg_status exchange(sg_aligned *a)
{
    copying c = {.a = a};
    sg_status st = sg_team_agree(a->of.team, make_room(&c));
    if (st == SG_OK) st = hand_all(&c);
    if (st == SG_OK && c.spool) {
        st = sg_spool_finish(c.spool, a->of.names, &a->file);
        c.spool = NULL;
    }
    sg_spool_free(c.spool);
    free(c.some);
    return sg_team_agree(a->of.team, st);
}

sg_status sg_aligned_new(const sg_source *of, size_t block, sg_aligned **out)
{
    sg_aligned *a = sg_alloc(1, sizeof *a);
    if (a) *a = (sg_aligned){.of = *of, .block = block, .ranks = of->team ? of->team->ranks : 1};
    if (a) a->held = sg_alloc(a->ranks + 1, sizeof *a->held);
    if (a) a->bound = sg_alloc(a->ranks + 1, sizeof *a->bound);
    sg_status st =
        a && a->held && a->bound ? sg_source_bounds(of, a->held) : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t i = 0; st == SG_OK && i <= a->ranks; i++) a->bound[i] = round_up(a, a->held[i]);
    if (st == SG_OK && of->team) st = exchange(a);
    if (st == SG_OK) *out = a;
    else sg_aligned_free(a);
    return st;
}

const size_t *sg_aligned_bounds(const sg_aligned *a) { return a->bound; }

/* --- as a source --- */

static sg_status read_copies(const sg_aligned *a, size_t first, size_t n, double *out)
{
    if (a->file) {
        sg_source s = sg_npy_source(a->file);
        return s.read(s.self, first, n, out);
    }
    memcpy(out, a->copies + first * a->of.columns, n * a->of.columns * sizeof *out);
    return SG_OK;
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_aligned *a = self;
    size_t rank = a->of.team->rank, end = a->held[rank + 1], own = first < end ? end - first : 0;
    if (own > n) own = n;
    if (first < a->bound[rank] || first + n > a->bound[rank + 1])
        return sg_fail(SG_EINVAL, "row %zu is not with this process", first);
    sg_status st = own ? a->of.read(a->of.self, first, own, out) : SG_OK;
    if (st != SG_OK || n == own) return st;
    return read_copies(a, first + own - end, n - own, out + own * a->of.columns);
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
    s.look = NULL;
    s.gather = NULL;
    s.level = s.level ? level : NULL;
    s.first = a->bound[s.team->rank];
    s.here = a->bound[s.team->rank + 1] - s.first;
    return s;
}
