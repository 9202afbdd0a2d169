/* shard_scatter.c: see shard_scatter.h. First what the rows are, then the rows in blocks, each with a word before it
 * that says whether there is one: so member 0 can fail to read in the middle, and nobody waits. */
#include "data/shard/shard_scatter.h"

#include "base/memory.h"
#include "base/text.h"
#include "comm/comm.h"
#include "data/ingest/spill_file.h"
#include "data/shard/schema_wire.h"
#include "data/shard/shard_check.h"
#include "data/table.h"

#include <stdlib.h>
#include <string.h>

enum { BLOCK_DOUBLES = 1 << 16 }; /* in a block, unless one row has more */

typedef struct table_header {
    uint64_t rows, columns, bytes; /* of the file's name with its final zero, and of the columns' heading */
} table_header;

static size_t block_rows(size_t columns) { return columns < BLOCK_DOUBLES ? BLOCK_DOUBLES / columns : 1; }

/* --- what the rows are --- */

static sg_status encode_schema(const sg_source *s, sg_text *out)
{
    sg_text_append_bytes(out, sg_source_name(s), strlen(sg_source_name(s)) + 1);
    return sg_schema_encode(s, out);
}

/* Into names, which is member 0's list there and empty elsewhere. */
static sg_status broadcast_header(const sg_comm *t, table_header *h, sg_text *names)
{
    sg_status st = sg_comm_bcast(t, 0, h, sizeof *h);
    if (st != SG_OK) return st;
    if (t->rank) names->bytes = sg_calloc((size_t)h->bytes, 1);
    st = sg_comm_agree_status(t, names->bytes ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for the names of columns"));
    return st == SG_OK ? sg_comm_bcast(t, 0, names->bytes, (size_t)h->bytes) : st;
}

/* --- the rows --- */

static sg_status send_rows(const sg_comm *t, const sg_source *all, size_t to, double *block)
{
    size_t max_rows = block_rows(all->columns), end = sg_comm_shard_begin(all->rows, to + 1, t->ranks);
    sg_status st = SG_OK;
    for (size_t first = sg_comm_shard_begin(all->rows, to, t->ranks), n; st == SG_OK && first < end; first += n) {
        n = end - first < max_rows ? end - first : max_rows;
        sg_status got = all->read(all->self, first, n, block);
        uint64_t has_block = got == SG_OK;
        st = t->send(t->self, to, &has_block, sizeof has_block);
        if (st == SG_OK && has_block) st = t->send(t->self, to, block, n * all->columns * sizeof *block);
        if (got != SG_OK) return got;
    }
    return st;
}

static sg_status send_all_rows(const sg_comm *t, const sg_source *all)
{
    double *block = sg_calloc(all->columns, block_rows(all->columns) * sizeof *block);
    sg_status st = block ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t to = 1; to < t->ranks; to++) {
        const uint64_t none = 0;
        bool wants = sg_comm_shard_begin(all->rows, to, t->ranks) < sg_comm_shard_begin(all->rows, to + 1, t->ranks);
        if (st == SG_OK) st = send_rows(t, all, to, block);
        else if (wants) (void)t->send(t->self, to, &none, sizeof none);
    }
    free(block);
    return st;
}

/* Where rows that are dealt out go: into memory, or a block at a time into a file. */
typedef struct received_rows {
    double *values;       /* of all, or of a block */
    sg_spill_file *spool; /* NULL: they stay in memory */
} received_rows;

/* What can't be kept is taken all the same: member 0 waits for it. */
static sg_status receive_rows(const sg_comm *t, size_t rows, size_t columns, const received_rows *into)
{
    size_t max_rows = block_rows(columns);
    double *to = into->values;
    sg_status kept = SG_OK;
    for (size_t n; rows; rows -= n) {
        uint64_t has_block = 0;
        n = rows < max_rows ? rows : max_rows;
        sg_status st = t->recv(t->self, 0, &has_block, sizeof has_block);
        if (st == SG_OK && !has_block) return kept; /* member 0 says why */
        if (st == SG_OK) st = t->recv(t->self, 0, to, n * columns * sizeof *to);
        if (st != SG_OK) return st;
        if (!into->spool) to += n * columns;
        else if (kept == SG_OK) kept = sg_spill_file_append(into->spool, to, n);
    }
    return kept;
}

/* --- all of it --- */

static sg_status alloc_rows(const char *file, const sg_schema *h, size_t rows, size_t memory, received_rows *out)
{
    size_t bytes;
    if (!sg_checked_mul(rows, h->columns * sizeof *out->values, &bytes) || bytes > memory) {
        bytes = h->columns * block_rows(h->columns) * sizeof *out->values;
        sg_status st = sg_spill_file_new(file, h->names, h->columns, &out->spool);
        if (st != SG_OK) return st;
    }
    out->values = sg_calloc(bytes, 1);
    return out->values ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for %zu rows", rows);
}

/* The heading's levels become the table's. */
static sg_status make_table(const char *file, sg_schema *h, received_rows *from, size_t rows, sg_table **out)
{
    sg_npy *npy;
    sg_string_table *levels = h->levels;
    sg_status st = from->spool ? sg_spill_file_finish(from->spool, h->names, &npy) : SG_OK;
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
static sg_status receive_table(const sg_comm *t, const table_header *h, const char *text, size_t here, size_t memory,
                               sg_table **out)
{
    sg_schema heading;
    received_rows into = {0};
    sg_status st = sg_schema_decode(text + strlen(text) + 1, (size_t)h->columns,
                                    &heading); /* NOLINT(clang-analyzer-core.NonNullParamChecker) */
    if (st == SG_OK) st = alloc_rows(text, &heading, here, memory, &into);
    st = sg_comm_agree_status(t, st);
    if (st == SG_OK) st = receive_rows(t, here, heading.columns, &into);
    if (st == SG_OK) st = make_table(text, &heading, &into, here, out);
    sg_spill_file_free(into.spool);
    free(into.values);
    sg_schema_release(&heading);
    return st;
}

static sg_status send_table(const sg_comm *t, const sg_source *all)
{
    sg_status st = sg_comm_agree_status(t, SG_OK); /* all have room */
    return st == SG_OK ? send_all_rows(t, all) : st;
}

sg_status sg_shard_scatter(const sg_comm *t, const sg_source *all, size_t memory, sg_row_range *range, sg_table **out)
{
    table_header h = {0};
    sg_text names = {0};
    sg_table *mine = NULL;
    sg_status st = sg_comm_agree_status(t, all ? encode_schema(all, &names) : SG_OK);
    if (all) h = (table_header){all->rows, all->columns, names.length};
    if (st == SG_OK) st = broadcast_header(t, &h, &names);
    if (st == SG_OK) {
        *range = sg_row_range_split(t, (size_t)h.rows);
        st = all ? send_table(t, all) : receive_table(t, &h, names.bytes, range->count, memory, &mine);
        st = sg_comm_agree_status_verbatim(t, st); /* what member 0 can't read is nobody else's */
    }
    sg_text_release(&names);
    if (st == SG_OK && mine) *out = mine;
    else sg_table_free(mine);
    return st;
}
