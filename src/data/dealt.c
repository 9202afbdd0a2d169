/* dealt.c: see dealt.h. First what the rows are, then the rows in blocks, each with a word before it that says
 * whether there is one: so member 0 can fail to read in the middle, and nobody waits. */
#include "data/dealt.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/text.h"
#include "data/heading.h"
#include "data/spool.h"
#include "data/table.h"
#include "data/team_view.h"

#include <stdlib.h>
#include <string.h>

enum { NUMBERS = 1 << 16 }; /* in a block, unless one row has more */

typedef struct head {
    uint64_t rows, columns, bytes; /* of the file's name with its final zero, and of the columns' heading */
} head;

static size_t rows_of_block(size_t columns) { return columns < NUMBERS ? NUMBERS / columns : 1; }

/* --- what the rows are --- */

static sg_status list_names(const sg_source *s, sg_text *out)
{
    sg_text_bytes(out, sg_source_name(s), strlen(sg_source_name(s)) + 1);
    return sg_heading_write(s, out);
}

/* Into names, which is member 0's list there and empty elsewhere. */
static sg_status share_head(const sg_team *t, head *h, sg_text *names)
{
    sg_status st = sg_team_share(t, 0, h, sizeof *h);
    if (st != SG_OK) return st;
    if (t->rank) names->bytes = sg_alloc((size_t)h->bytes, 1);
    st = sg_team_agree(t, names->bytes ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for the names of columns"));
    return st == SG_OK ? sg_team_share(t, 0, names->bytes, (size_t)h->bytes) : st;
}

/* --- the rows --- */

static sg_status give(const sg_team *t, const sg_source *all, size_t to, double *block)
{
    size_t most = rows_of_block(all->columns), end = sg_team_boundary(all->rows, to + 1, t->ranks);
    sg_status st = SG_OK;
    for (size_t first = sg_team_boundary(all->rows, to, t->ranks), n; st == SG_OK && first < end; first += n) {
        n = end - first < most ? end - first : most;
        sg_status got = all->read(all->self, first, n, block);
        uint64_t there = got == SG_OK;
        st = t->send(t->self, to, &there, sizeof there);
        if (st == SG_OK && there) st = t->send(t->self, to, block, n * all->columns * sizeof *block);
        if (got != SG_OK) return got;
    }
    return st;
}

static sg_status give_all(const sg_team *t, const sg_source *all)
{
    double *block = sg_alloc(all->columns, rows_of_block(all->columns) * sizeof *block);
    sg_status st = block ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t to = 1; to < t->ranks; to++) {
        const uint64_t none = 0;
        bool wants = sg_team_boundary(all->rows, to, t->ranks) < sg_team_boundary(all->rows, to + 1, t->ranks);
        if (st == SG_OK) st = give(t, all, to, block);
        else if (wants) (void)t->send(t->self, to, &none, sizeof none);
    }
    free(block);
    return st;
}

/* Where rows that are dealt out go: into memory, or a block at a time into a file. */
typedef struct taken {
    double *values;  /* of all, or of a block */
    sg_spool *spool; /* NULL: they stay in memory */
} taken;

/* What can't be kept is taken all the same: member 0 waits for it. */
static sg_status take_all(const sg_team *t, size_t rows, size_t columns, const taken *into)
{
    size_t most = rows_of_block(columns);
    double *to = into->values;
    sg_status kept = SG_OK;
    for (size_t n; rows; rows -= n) {
        uint64_t there = 0;
        n = rows < most ? rows : most;
        sg_status st = t->receive(t->self, 0, &there, sizeof there);
        if (st == SG_OK && !there) return kept; /* member 0 says why */
        if (st == SG_OK) st = t->receive(t->self, 0, to, n * columns * sizeof *to);
        if (st != SG_OK) return st;
        if (!into->spool) to += n * columns;
        else if (kept == SG_OK) kept = sg_spool_add(into->spool, to, n);
    }
    return kept;
}

/* --- all of it --- */

static sg_status make_room(const char *file, const sg_heading *h, size_t rows, size_t memory, taken *out)
{
    size_t bytes;
    if (!sg_mul(rows, h->columns * sizeof *out->values, &bytes) || bytes > memory) {
        bytes = h->columns * rows_of_block(h->columns) * sizeof *out->values;
        sg_status st = sg_spool_new(file, NULL, h->names, h->columns, &out->spool);
        if (st != SG_OK) return st;
    }
    out->values = sg_alloc(bytes, 1);
    return out->values ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu rows", rows);
}

/* The heading's levels become the table's. */
static sg_status adopt(const char *file, sg_heading *h, taken *from, size_t rows, sg_table **out)
{
    sg_npy *npy;
    sg_levels *levels = h->levels;
    sg_status st = from->spool ? sg_spool_finish(from->spool, h->names, &npy) : SG_OK;
    bool spooled = from->spool;
    double *values = from->values;
    from->spool = NULL;
    if (st != SG_OK) return st;
    h->levels = NULL;
    if (spooled) return sg_table_adopt_file(file, h->names, h->columns, 0, npy, levels, out);
    from->values = NULL;
    return sg_table_adopt(file, h->names, h->columns, 0, values, levels, rows, out);
}

/* text: the file's name, and the heading. */
static sg_status take_table(const sg_team *t, const head *h, const char *text, size_t here, size_t memory,
                            sg_table **out)
{
    sg_heading heading;
    taken into = {0};
    sg_status st = sg_heading_read(text + strlen(text) + 1, (size_t)h->columns,
                                   &heading); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK) st = make_room(text, &heading, here, memory, &into);
    st = sg_team_agree(t, st);
    if (st == SG_OK) st = take_all(t, here, heading.columns, &into);
    if (st == SG_OK) st = adopt(text, &heading, &into, here, out);
    sg_spool_free(into.spool);
    free(into.values);
    sg_heading_release(&heading);
    return st;
}

static sg_status give_table(const sg_team *t, const sg_source *all)
{
    sg_status st = sg_team_agree(t, SG_OK); /* all have room */
    return st == SG_OK ? give_all(t, all) : st;
}

sg_status sg_dealt(const sg_team *t, const sg_source *all, size_t memory, sg_share *share, sg_table **out)
{
    head h = {0};
    sg_text names = {0};
    sg_table *mine = NULL;
    sg_status st = sg_team_agree(t, all ? list_names(all, &names) : SG_OK);
    if (all) h = (head){all->rows, all->columns, names.length};
    if (st == SG_OK) st = share_head(t, &h, &names);
    if (st == SG_OK) {
        *share = sg_share_out(t, (size_t)h.rows);
        st = all ? give_table(t, all) : take_table(t, &h, names.bytes, share->here, memory, &mine);
        st = sg_team_agree_said(t, st); /* what member 0 can't read is nobody else's */
    }
    sg_text_release(&names);
    if (st == SG_OK && mine) *out = mine;
    else sg_table_free(mine);
    return st;
}
