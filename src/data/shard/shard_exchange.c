/* shard_exchange.c: see shard_exchange.h. Every member goes through all that is sent in the same order, so that nobody
 * waits in a circle. */
#include "data/shard/shard_exchange.h"

#include "base/memory.h"
#include "comm/comm.h"

#include <stdlib.h>
#include <string.h>

sg_status sg_row_exchange_init(sg_row_exchange *b, const sg_source *of)
{
    *b = (sg_row_exchange){.source = of, .bounds = sg_calloc(sg_comm_ranks(of->comm) + 1, sizeof *b->bounds)};
    sg_status st = b->bounds ? sg_source_shard_bounds(of, b->bounds) : sg_fail(SG_ENOMEM, "out of memory for a batch");
    if (st != SG_OK) sg_row_exchange_release(b);
    return st;
}

void sg_row_exchange_release(sg_row_exchange *b)
{
    free(b->bounds);
    free(b->received);
    free(b->send_buffer);
    *b = (sg_row_exchange){0};
}

static sg_status reserve_rows(const sg_row_exchange *b, double **rows, size_t *room, size_t n)
{
    if (n <= *room && *rows) return SG_OK;
    size_t bytes;
    bool fits = sg_checked_mul(b->source->columns, sizeof **rows, &bytes);
    return fits && sg_array_reserve(rows, room, n ? n : 1, bytes) ? SG_OK
                                                                  : sg_fail(SG_ENOMEM, "out of memory for a batch");
}

static size_t row_at(const sg_row_exchange *b, size_t position) { return b->rows ? b->rows[position] : position; }

static bool rank_holds(const sg_row_exchange *b, size_t rank, size_t row)
{
    return row >= b->bounds[rank] && row < b->bounds[rank + 1];
}

static size_t row_bytes(const sg_row_exchange *b, size_t rows) { return rows * b->source->columns * sizeof(double); }

static sg_status read_row(const sg_row_exchange *b, size_t row, double *out)
{
    return sg_source_gather(b->source, &row, 1, out);
}

/* --- a batch that everyone computes: to member 0, and from there to all --- */

/* The rows of the batch that this member holds, in the batch's order. */
static sg_status collect_local_rows(sg_row_exchange *b, size_t n, size_t *count)
{
    size_t rank = b->source->comm->rank;
    sg_status st = reserve_rows(b, &b->send_buffer, &b->send_capacity, n);
    *count = 0;
    for (size_t i = 0; st == SG_OK && i < n; i++)
        if (rank_holds(b, rank, row_at(b, i)))
            st = read_row(b, row_at(b, i), b->send_buffer + b->source->columns * (*count)++);
    return st;
}

/* Rows that a member sent go to their places. */
static void place_received_rows(sg_row_exchange *b, size_t rank, size_t n)
{
    const double *next = b->send_buffer;
    for (size_t i = 0; i < n; i++) {
        if (!rank_holds(b, rank, row_at(b, i))) continue;
        memcpy(b->received + i * b->source->columns, next, row_bytes(b, 1));
        next += b->source->columns;
    }
}

static size_t count_rank_rows(const sg_row_exchange *b, size_t rank, size_t n)
{
    size_t count = 0;
    for (size_t i = 0; i < n; i++) count += rank_holds(b, rank, row_at(b, i));
    return count;
}

sg_status sg_row_exchange_allgather(sg_row_exchange *b, const size_t *rows, size_t n)
{
    const sg_comm *comm = b->source->comm;
    size_t own;
    b->rows = rows;
    b->remote_first = 0;
    b->remote_last = n;
    sg_status st = reserve_rows(b, &b->received, &b->capacity, n);
    if (st == SG_OK) st = collect_local_rows(b, n, &own);
    if (st == SG_OK && comm->rank && own) st = comm->send(comm->self, 0, b->send_buffer, row_bytes(b, own));
    if (st == SG_OK && comm->rank == 0) place_received_rows(b, 0, n);
    for (size_t h = 1; st == SG_OK && comm->rank == 0 && h < comm->ranks; h++) {
        size_t theirs = count_rank_rows(b, h, n);
        if (theirs) st = comm->recv(comm->self, h, b->send_buffer, row_bytes(b, theirs));
        if (st == SG_OK) place_received_rows(b, h, n);
    }
    return st == SG_OK ? sg_comm_bcast(comm, 0, b->received, row_bytes(b, n)) : st;
}

/* --- an ascending batch --- */

/* The first position in [first, last) whose row is not below `row`. */
static size_t lower_bound(const sg_row_exchange *b, size_t first, size_t last, size_t row)
{
    while (first < last) {
        size_t middle = first + (last - first) / 2;
        if (row_at(b, middle) < row) first = middle + 1;
        else last = middle;
    }
    return first;
}

static sg_status send_rows(sg_row_exchange *b, size_t to, size_t first, size_t last)
{
    const sg_comm *comm = b->source->comm;
    sg_status st = reserve_rows(b, &b->send_buffer, &b->send_capacity, last - first);
    for (size_t i = first; st == SG_OK && i < last; i++)
        st = read_row(b, row_at(b, i), b->send_buffer + (i - first) * b->source->columns);
    return st == SG_OK ? comm->send(comm->self, to, b->send_buffer, row_bytes(b, last - first)) : st;
}

/* What member u lacks, the positions [first, last), from those who hold it. */
static sg_status transfer_range(sg_row_exchange *b, size_t u, size_t first, size_t last)
{
    const sg_comm *comm = b->source->comm;
    sg_status st = SG_OK;
    if (comm->rank == u) st = reserve_rows(b, &b->received, &b->capacity, last - first);
    for (size_t h = u + 1, begin = first, end; st == SG_OK && begin < last; h++, begin = end) {
        end = lower_bound(b, begin, last, b->bounds[h + 1]);
        if (begin == end) continue;
        if (comm->rank == h) st = send_rows(b, u, begin, end);
        if (comm->rank == u)
            st = comm->recv(comm->self, h, b->received + (begin - first) * b->source->columns,
                            row_bytes(b, end - begin));
    }
    return st;
}

sg_status sg_row_exchange_fetch_parts(sg_row_exchange *b, const size_t *rows, const size_t *part)
{
    const sg_comm *comm = b->source->comm;
    sg_status st = SG_OK;
    b->rows = rows;
    for (size_t u = 0; st == SG_OK && u < comm->ranks; u++) {
        size_t from = lower_bound(b, part[u], part[u + 1], b->bounds[u + 1]);
        if (u == comm->rank) {
            b->remote_first = from;
            b->remote_last = part[u + 1];
        }
        if (from < part[u + 1]) st = transfer_range(b, u, from, part[u + 1]);
    }
    return st;
}

sg_status sg_row_exchange_read(const sg_row_exchange *b, size_t first, size_t n, double *out)
{
    const sg_source *s = b->source;
    size_t own = first < b->remote_first ? b->remote_first - first : 0;
    if (own > n) own = n;
    sg_status st = SG_OK;
    if (own) st = b->rows ? sg_source_gather(s, b->rows + first, own, out) : s->read(s->self, first, own, out);
    if (st == SG_OK && n > own)
        memcpy(out + own * s->columns, b->received + (first + own - b->remote_first) * s->columns,
               row_bytes(b, n - own));
    return st;
}
