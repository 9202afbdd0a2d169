/* batch_row_exchange.c: exchanges the rows of a batch among ranks. All ranks go through the transfers in the same
 * order, so there is no deadlock. */
#include "data/distributed/batch_row_exchange.h"

#include "base/memory.h"
#include "comm/collectives.h"

#include <string.h>

sg_status sg_row_exchange_init(sg_row_exchange *b, const sg_source *source)
{
    *b = (sg_row_exchange){.source = source, .bounds = sg_calloc(sg_comm_ranks(source->comm) + 1, sizeof *b->bounds)};
    sg_status st = b->bounds ? sg_source_shard_bounds(source, b->bounds) : sg_fail_out_of_memory("a batch");
    if (st != SG_OK) sg_row_exchange_release(b);
    return st;
}

void sg_row_exchange_release(sg_row_exchange *b)
{
    sg_free_all(b->bounds, b->received, b->send_buffer);
    *b = (sg_row_exchange){0};
}

static sg_status reserve_rows(const sg_row_exchange *b, double **rows, size_t *room, size_t n)
{
    if (n <= *room && *rows) return SG_OK;
    size_t bytes;
    bool fits = sg_checked_mul(b->source->columns, sizeof **rows, &bytes);
    return fits && sg_array_reserve(rows, room, n ? n : 1, bytes) ? SG_OK : sg_fail_out_of_memory("a batch");
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

/* --- a batch that every rank needs in full: rows go to rank 0, which broadcasts them --- */

/* Reads the rows of the batch that this rank holds into the send buffer, in batch order. */
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

/* Copies the rows of a rank from the send buffer to their positions in the batch. */
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
    for (size_t from = 1; st == SG_OK && comm->rank == 0 && from < comm->ranks; from++) {
        size_t count = count_rank_rows(b, from, n);
        if (count) st = comm->recv(comm->self, from, b->send_buffer, row_bytes(b, count));
        if (st == SG_OK) place_received_rows(b, from, n);
    }
    return st == SG_OK ? sg_comm_bcast(comm, 0, b->received, row_bytes(b, n)) : st;
}

/* --- an ascending batch --- */

/* Returns the first position in [first, last) whose row is at least `row`, or last if there is none. */
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

/* Sends the rows at positions [first, last) to rank `to`, from the ranks that hold them. */
static sg_status transfer_range(sg_row_exchange *b, size_t to, size_t first, size_t last)
{
    const sg_comm *comm = b->source->comm;
    sg_status st = SG_OK;
    if (comm->rank == to) st = reserve_rows(b, &b->received, &b->capacity, last - first);
    for (size_t from = to + 1, begin = first, end; st == SG_OK && begin < last; from++, begin = end) {
        end = lower_bound(b, begin, last, b->bounds[from + 1]);
        if (begin == end) continue;
        if (comm->rank == from) st = send_rows(b, to, begin, end);
        if (comm->rank == to)
            st = comm->recv(comm->self, from, b->received + (begin - first) * b->source->columns,
                            row_bytes(b, end - begin));
    }
    return st;
}

sg_status sg_row_exchange_fetch_parts(sg_row_exchange *b, const size_t *rows, const size_t *part)
{
    const sg_comm *comm = b->source->comm;
    sg_status st = SG_OK;
    b->rows = rows;
    for (size_t rank = 0; st == SG_OK && rank < comm->ranks; rank++) {
        size_t remote = lower_bound(b, part[rank], part[rank + 1], b->bounds[rank + 1]);
        if (rank == comm->rank) {
            b->remote_first = remote;
            b->remote_last = part[rank + 1];
        }
        if (remote < part[rank + 1]) st = transfer_range(b, rank, remote, part[rank + 1]);
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
