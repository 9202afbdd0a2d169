/* dealt.c: see dealt.h. First what the rows are, then the rows in blocks, each with a word before it that says
 * whether there is one: so member 0 can fail to read in the middle, and nobody waits. */
#include "data/dealt.h"

#include "base/memory.h"
#include "base/team.h"
#include "base/text.h"
#include "data/heading.h"
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

static sg_status take_all(const sg_team *t, size_t rows, size_t columns, double *to)
{
    size_t most = rows_of_block(columns);
    sg_status st = SG_OK;
    for (size_t n; st == SG_OK && rows; rows -= n, to += n * columns) {
        uint64_t there = 0;
        n = rows < most ? rows : most;
        st = t->receive(t->self, 0, &there, sizeof there);
        if (st == SG_OK && !there) return SG_OK; /* member 0 says why */
        if (st == SG_OK) st = t->receive(t->self, 0, to, n * columns * sizeof *to);
    }
    return st;
}

/* --- all of it --- */

static sg_status adopt(const head *h, const char *text, double *values, size_t rows, sg_table **out)
{
    sg_heading heading;
    sg_status st = sg_heading_read(text + strlen(text) + 1, (size_t)h->columns, &heading); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK) {
        st = sg_table_adopt(text, heading.names, heading.columns, 0, values, heading.levels, rows, out);
        heading.levels = NULL; /* the table's */
    } else free(values);
    sg_heading_release(&heading);
    return st;
}

static sg_status take_table(const sg_team *t, const head *h, const char *names, size_t here, sg_table **out)
{
    size_t count;
    double *values = sg_mul(here, (size_t)h->columns, &count) ? sg_alloc(count, sizeof *values) : NULL;
    sg_status st = sg_team_agree(t, values ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu rows", here));
    if (st == SG_OK) st = take_all(t, here, (size_t)h->columns, values);
    if (st == SG_OK) return adopt(h, names, values, here, out);
    free(values);
    return st;
}

static sg_status give_table(const sg_team *t, const sg_source *all)
{
    sg_status st = sg_team_agree(t, SG_OK); /* all have room */
    return st == SG_OK ? give_all(t, all) : st;
}

sg_status sg_dealt(const sg_team *t, const sg_source *all, sg_share *share, sg_table **out)
{
    head h = {0};
    sg_text names = {0};
    sg_table *mine = NULL;
    sg_status st = sg_team_agree(t, all ? list_names(all, &names) : SG_OK);
    if (all) h = (head){all->rows, all->columns, names.length};
    if (st == SG_OK) st = share_head(t, &h, &names);
    if (st == SG_OK) {
        *share = sg_share_out(t, (size_t)h.rows);
        st = all ? give_table(t, all) : take_table(t, &h, names.bytes, share->here, &mine);
        st = sg_team_agree_said(t, st); /* what member 0 can't read is nobody else's */
    }
    sg_text_release(&names);
    if (st == SG_OK && mine) *out = mine;
    else sg_table_free(mine);
    return st;
}
