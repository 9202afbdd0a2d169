/* row_transfer.c: sends and receives ranges of rows between two ranks, chunk by chunk. */
#include "data/distributed/row_transfer.h"

#include "base/memory.h"
#include "data/source/source_util.h"

#include <stdlib.h>

sg_status sg_row_transfer_init(sg_row_transfer *t, const sg_comm *comm, size_t columns)
{
    *t = (sg_row_transfer){.comm = comm, .columns = columns, .chunk_rows = sg_rows_per_block(columns, 1 << 16)};
    t->chunk = sg_calloc(t->chunk_rows, columns * sizeof *t->chunk);
    return t->status = t->chunk ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while reading rows");
}

sg_status sg_row_transfer_reserve(sg_row_transfer *t, const char *name, const char *const *names, size_t rows,
                                  size_t memory)
{
    size_t bytes;
    if (!sg_checked_mul(rows, t->columns * sizeof *t->values, &bytes) || bytes > memory)
        return sg_spill_file_new(name, names, t->columns, &t->spill);
    t->values = sg_calloc(bytes, 1);
    return t->values ? SG_OK : sg_fail(SG_ENOMEM, "out of memory while receiving %zu rows", rows);
}

void sg_row_transfer_release(sg_row_transfer *t)
{
    sg_spill_file_free(t->spill);
    free(t->values);
    free(t->chunk);
    *t = (sg_row_transfer){0};
}

sg_status sg_row_transfer_send(sg_row_transfer *t, size_t to, const sg_source *source, size_t first, size_t last)
{
    const sg_comm *comm = t->comm;
    sg_status st = SG_OK;
    for (size_t n; st == SG_OK && first < last; first += n) {
        n = last - first < t->chunk_rows ? last - first : t->chunk_rows;
        if (t->status == SG_OK) t->status = source->read(source->self, first, n, t->chunk);
        uint64_t has_rows = t->status == SG_OK;
        st = comm->send(comm->self, to, &has_rows, sizeof has_rows);
        if (st == SG_OK && has_rows) st = comm->send(comm->self, to, t->chunk, n * t->columns * sizeof *t->chunk);
    }
    return st;
}

sg_status sg_row_transfer_receive(sg_row_transfer *t, size_t from, size_t rows)
{
    const sg_comm *comm = t->comm;
    sg_status st = SG_OK;
    for (size_t n; st == SG_OK && rows; rows -= n, t->received += n) {
        double *to = t->spill ? t->chunk : t->values + t->received * t->columns;
        uint64_t has_rows = 0;
        n = rows < t->chunk_rows ? rows : t->chunk_rows;
        st = comm->recv(comm->self, from, &has_rows, sizeof has_rows);
        if (st == SG_OK && has_rows) st = comm->recv(comm->self, from, to, n * t->columns * sizeof *to);
        if (st == SG_OK && t->spill && has_rows && t->status == SG_OK)
            t->status = sg_spill_file_append(t->spill, to, n);
    }
    return st;
}
