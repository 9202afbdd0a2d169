/* realigned_shard.c: realigns distributed rows so that every block of rows is on one rank. */
#include "data/distributed/realigned_shard.h"

#include "base/memory.h"
#include "comm/collectives.h"
#include "data/distributed/row_transfer.h"

#include <stdlib.h>
#include <string.h>

struct sg_aligned_shard {
    sg_source source; /* must come first, for sg_source_wrapped_level */
    size_t block, ranks;
    size_t *held_bounds, *aligned_bounds; /* (ranks + 1) first rows of the ranks, before and after alignment */
    double *halo;                         /* the rows after those held, up to the end of the last block */
    sg_npy *halo_file;                    /* the file that holds these rows if there are many */
};

void sg_aligned_shard_free(sg_aligned_shard *a)
{
    if (!a) return;
    sg_free_all(a->held_bounds, a->aligned_bounds, a->halo);
    sg_npy_free(a->halo_file);
    free(a);
}

static size_t round_up(const sg_aligned_shard *a, size_t row)
{
    size_t over = row % a->block;
    return over == 0 ? row : a->source.rows - row < a->block - over ? a->source.rows : row + (a->block - over);
}

/* Gets the rows that a rank needs but does not hold: [*first, *last). */
static void find_halo(const sg_aligned_shard *a, size_t rank, size_t *first, size_t *last)
{
    bool any = a->aligned_bounds[rank] < a->aligned_bounds[rank + 1];
    *first = any ? a->held_bounds[rank + 1] : 0;
    *last = any ? a->aligned_bounds[rank + 1] : 0;
}

/* --- copies --- */

enum { HALO_MEMORY_MAX = 16 << 20 };

/* Sends to rank `to` the rows of [first, last) that rank `from` holds. */
static sg_status transfer_range(sg_row_transfer *t, const sg_aligned_shard *a, size_t to, size_t from, size_t first,
                                size_t last)
{
    size_t rank = a->source.comm->rank, end = last < a->held_bounds[from + 1] ? last : a->held_bounds[from + 1];
    if (first < a->held_bounds[from]) first = a->held_bounds[from];
    if (first >= end) return SG_OK;
    if (rank == to) return sg_row_transfer_receive(t, from, end - first);
    return rank == from ? sg_row_transfer_send(t, to, &a->source, first, end) : SG_OK;
}

/* All ranks go through the transfers in the same order, so there is no deadlock. */
static sg_status transfer_all(sg_row_transfer *t, const sg_aligned_shard *a)
{
    size_t first, last;
    sg_status st = SG_OK;
    for (size_t to = 0; st == SG_OK && to < a->ranks; to++) {
        find_halo(a, to, &first, &last);
        for (size_t from = to + 1; st == SG_OK && from < a->ranks && a->held_bounds[from] < last; from++)
            st = transfer_range(t, a, to, from, first, last);
    }
    return st == SG_OK ? t->status : st;
}

static sg_status exchange_halo(sg_aligned_shard *a)
{
    const sg_source *s = &a->source;
    size_t first, last;
    sg_row_transfer t;
    sg_status st = sg_row_transfer_init(&t, s->comm, s->columns);
    find_halo(a, s->comm->rank, &first, &last);
    if (st == SG_OK) st = sg_row_transfer_reserve(&t, sg_source_name(s), s->names, last - first, HALO_MEMORY_MAX);
    st = sg_comm_agree_status(s->comm, st);
    if (st == SG_OK) st = transfer_all(&t, a);
    if (st == SG_OK && t.spill) {
        st = sg_spill_file_finish(t.spill, s->names, &a->halo_file);
        t.spill = NULL;
    }
    a->halo = t.values;
    t.values = NULL;
    sg_row_transfer_release(&t);
    return sg_comm_agree_status(s->comm, st);
}

sg_status sg_aligned_shard_new(const sg_source *source, size_t block, sg_aligned_shard **out)
{
    sg_aligned_shard *a = sg_calloc(1, sizeof *a);
    if (a) *a = (sg_aligned_shard){.source = *source, .block = block, .ranks = sg_comm_ranks(source->comm)};
    if (a) a->held_bounds = sg_calloc(a->ranks + 1, sizeof *a->held_bounds);
    if (a) a->aligned_bounds = sg_calloc(a->ranks + 1, sizeof *a->aligned_bounds);
    sg_status st = a && a->held_bounds && a->aligned_bounds ? sg_source_shard_bounds(source, a->held_bounds)
                                                            : sg_fail(SG_ENOMEM, "out of memory while reading rows");
    for (size_t i = 0; st == SG_OK && i <= a->ranks; i++) a->aligned_bounds[i] = round_up(a, a->held_bounds[i]);
    if (st == SG_OK && source->comm) st = exchange_halo(a);
    if (st == SG_OK) *out = a;
    else sg_aligned_shard_free(a);
    return st;
}

const size_t *sg_aligned_shard_bounds(const sg_aligned_shard *a) { return a->aligned_bounds; }

/* --- source --- */

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
        return sg_fail(SG_EINVAL, "this rank does not hold row %zu", first);
    sg_status st = own ? a->source.read(a->source.self, first, own, out) : SG_OK;
    if (st != SG_OK || n == own) return st;
    return read_halo(a, first + own - end, n - own, out + own * a->source.columns);
}

sg_source sg_aligned_shard_source(const sg_aligned_shard *a)
{
    sg_source s = a->source;
    if (!s.comm) return s;
    s.self = (void *)a;
    s.read = read_rows;
    s.view = NULL;
    s.gather = NULL;
    s.level = s.level ? sg_source_wrapped_level : NULL;
    s.local_first = a->aligned_bounds[s.comm->rank];
    s.local_rows = a->aligned_bounds[s.comm->rank + 1] - s.local_first;
    return s;
}
