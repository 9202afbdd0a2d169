/* shard_align.c: see shard_align.h. */
#include "data/shard/shard_align.h"

#include "base/memory.h"
#include "comm/comm.h"
#include "data/ingest/spill_file.h"

#include <stdlib.h>
#include <string.h>

struct sg_aligned_shard {
    sg_source source;
    size_t block, ranks;
    size_t *held_bounds,
        *aligned_bounds; /* (ranks + 1): first rows of members, as they hold them and as they are here */
    double *halo;        /* rows from the end of ours to the end of our last block ... */
    sg_npy *halo_file;   /* ... or, where these are many, the file that they are in    */
};

void sg_aligned_shard_free(sg_aligned_shard *a)
{
    if (!a) return;
    free(a->held_bounds);
    free(a->aligned_bounds);
    free(a->halo);
    sg_npy_free(a->halo_file);
    free(a);
}

static size_t round_up(const sg_aligned_shard *a, size_t row)
{
    size_t over = row % a->block;
    return over == 0 ? row : a->source.rows - row < a->block - over ? a->source.rows : row + (a->block - over);
}

/* The rows that member u needs and doesn't hold: [*first, *last). */
static void find_halo(const sg_aligned_shard *a, size_t u, size_t *first, size_t *last)
{
    bool any = a->aligned_bounds[u] < a->aligned_bounds[u + 1];
    *first = any ? a->held_bounds[u + 1] : 0;
    *last = any ? a->aligned_bounds[u + 1] : 0;
}

/* --- copies --- */

/* What is sent at a time; and copies that are more than this go to a file. */
enum { CHUNK_DOUBLES = 1 << 17, HALO_MEMORY_MAX = 16 << 20 };

typedef struct transfer {
    sg_aligned_shard *a;
    size_t chunk_rows;    /* rows that are sent at a time        */
    double *chunk;        /* (most, columns)                     */
    sg_spill_file *spool; /* NULL: all of ours stay in memory    */
    size_t taken;         /* of ours                             */
    sg_status st;         /* of what this member does by itself  */
} transfer;

static sg_status alloc_buffers(transfer *c)
{
    sg_aligned_shard *a = c->a;
    size_t first, last, bytes, width = a->source.columns;
    find_halo(a, a->source.comm->rank, &first, &last);
    c->chunk_rows = width < CHUNK_DOUBLES ? CHUNK_DOUBLES / width : 1;
    c->chunk = sg_calloc(c->chunk_rows, width * sizeof *c->chunk);
    if (!c->chunk) return sg_fail(SG_ENOMEM, "out of memory for rows");
    if (!sg_checked_mul(last - first, width * sizeof *a->halo, &bytes) || bytes > HALO_MEMORY_MAX)
        return sg_spill_file_new(sg_source_name(&a->source), a->source.names, width, &c->spool);
    a->halo = sg_calloc(bytes, 1);
    return a->halo ? SG_OK : sg_fail(SG_ENOMEM, "out of memory for rows");
}

/* A word goes ahead of the rows: whether they could be read. */
static sg_status send_chunk(transfer *c, size_t to, size_t first, size_t n)
{
    const sg_comm *comm = c->a->source.comm;
    if (c->st == SG_OK) c->st = c->a->source.read(c->a->source.self, first, n, c->chunk);
    uint64_t has_rows = c->st == SG_OK;
    sg_status st = comm->send(comm->self, to, &has_rows, sizeof has_rows);
    return st == SG_OK && has_rows ? comm->send(comm->self, to, c->chunk, n * c->a->source.columns * sizeof *c->chunk)
                                   : st;
}

/* What can't be kept is taken all the same: its sender waits. */
static sg_status receive_chunk(transfer *c, size_t from, size_t n)
{
    const sg_comm *comm = c->a->source.comm;
    size_t width = c->a->source.columns;
    double *to = c->spool ? c->chunk : c->a->halo + c->taken * width;
    uint64_t has_rows = 0;
    sg_status st = comm->recv(comm->self, from, &has_rows, sizeof has_rows);
    if (st == SG_OK && has_rows) st = comm->recv(comm->self, from, to, n * width * sizeof *to);
    if (c->spool && has_rows && c->st == SG_OK) c->st = sg_spill_file_append(c->spool, to, n);
    c->taken += n;
    return st;
}

/* What member h holds of the rows [first, last) goes to u. */
static sg_status transfer_range(transfer *c, size_t u, size_t h, size_t first, size_t last)
{
    const sg_aligned_shard *a = c->a;
    size_t rank = a->source.comm->rank, end = last < a->held_bounds[h + 1] ? last : a->held_bounds[h + 1];
    sg_status st = SG_OK;
    if (first < a->held_bounds[h]) first = a->held_bounds[h];
    if (rank != u && rank != h) return SG_OK;
    for (size_t n; st == SG_OK && first < end; first += n) {
        n = end - first < c->chunk_rows ? end - first : c->chunk_rows;
        st = rank == u ? receive_chunk(c, h, n) : send_chunk(c, u, first, n);
    }
    return st;
}

/* Every member goes through all hand-overs in the same order, so that nobody waits in a circle. */
static sg_status transfer_all(transfer *c)
{
    sg_aligned_shard *a = c->a;
    size_t first, last;
    sg_status st = SG_OK;
    for (size_t u = 0; st == SG_OK && u < a->ranks; u++) {
        find_halo(a, u, &first, &last);
        for (size_t h = u + 1; st == SG_OK && h < a->ranks && a->held_bounds[h] < last; h++)
            st = transfer_range(c, u, h, first, last);
    }
    return st == SG_OK ? c->st : st;
}

static sg_status exchange_halo(sg_aligned_shard *a)
{
    transfer c = {.a = a};
    sg_status st = sg_comm_agree_status(a->source.comm, alloc_buffers(&c));
    if (st == SG_OK) st = transfer_all(&c);
    if (st == SG_OK && c.spool) {
        st = sg_spill_file_finish(c.spool, a->source.names, &a->halo_file);
        c.spool = NULL;
    }
    sg_spill_file_free(c.spool);
    free(c.chunk);
    return sg_comm_agree_status(a->source.comm, st);
}

sg_status sg_aligned_shard_new(const sg_source *of, size_t block, sg_aligned_shard **out)
{
    sg_aligned_shard *a = sg_calloc(1, sizeof *a);
    if (a) *a = (sg_aligned_shard){.source = *of, .block = block, .ranks = of->comm ? of->comm->ranks : 1};
    if (a) a->held_bounds = sg_calloc(a->ranks + 1, sizeof *a->held_bounds);
    if (a) a->aligned_bounds = sg_calloc(a->ranks + 1, sizeof *a->aligned_bounds);
    sg_status st = a && a->held_bounds && a->aligned_bounds ? sg_source_shard_bounds(of, a->held_bounds)
                                                            : sg_fail(SG_ENOMEM, "out of memory for rows");
    for (size_t i = 0; st == SG_OK && i <= a->ranks; i++) a->aligned_bounds[i] = round_up(a, a->held_bounds[i]);
    if (st == SG_OK && of->comm) st = exchange_halo(a);
    if (st == SG_OK) *out = a;
    else sg_aligned_shard_free(a);
    return st;
}

const size_t *sg_aligned_shard_bounds(const sg_aligned_shard *a) { return a->aligned_bounds; }

/* --- as a source --- */

static sg_status read_halo(const sg_aligned_shard *a, size_t first, size_t n, double *out)
{
    if (a->halo_file) {
        sg_source s = sg_npy_source(a->halo_file);
        return s.read(s.self, first, n, out);
    }
    memcpy(out, a->halo + first * a->source.columns, n * a->source.columns * sizeof *out);
    return SG_OK;
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_aligned_shard *a = self;
    size_t rank = a->source.comm->rank, end = a->held_bounds[rank + 1], own = first < end ? end - first : 0;
    if (own > n) own = n;
    if (first < a->aligned_bounds[rank] || first + n > a->aligned_bounds[rank + 1])
        return sg_fail(SG_EINVAL, "row %zu is not with this process", first);
    sg_status st = own ? a->source.read(a->source.self, first, own, out) : SG_OK;
    if (st != SG_OK || n == own) return st;
    return read_halo(a, first + own - end, n - own, out + own * a->source.columns);
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_aligned_shard *a = self;
    return a->source.level(a->source.self, column, i);
}

sg_source sg_aligned_shard_source(const sg_aligned_shard *a)
{
    sg_source s = a->source;
    if (!s.comm) return s;
    s.self = (void *)a;
    s.read = read_rows;
    s.view = NULL;
    s.gather = NULL;
    s.level = s.level ? level : NULL;
    s.local_first = a->aligned_bounds[s.comm->rank];
    s.local_rows = a->aligned_bounds[s.comm->rank + 1] - s.local_first;
    return s;
}
