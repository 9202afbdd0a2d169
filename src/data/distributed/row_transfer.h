/* row_transfer.h: sends and receives ranges of rows between two ranks, chunk by chunk.
 *
 * Each chunk is preceded by a flag that says whether the sender could read it. A rank that fails to read or to store
 * rows therefore still takes part in all messages, and its peer does not wait forever. */
#pragma once

#include "data/ingest/spill_file.h"

typedef struct sg_row_transfer {
    const sg_comm *comm;
    size_t columns, chunk_rows;
    double *chunk;        /* (chunk_rows, columns)                                               */
    double *values;       /* received rows; NULL if they are in the file                         */
    sg_spill_file *spill; /* received rows; NULL if they are in memory                           */
    size_t received;      /* number of received rows                                             */
    sg_status status;     /* an error if this rank failed to read rows or to store received rows */
} sg_row_transfer;

/* Allocates a chunk. Release t even on failure. */
sg_status sg_row_transfer_init(sg_row_transfer *t, const sg_comm *comm, size_t columns);
/* Allocates space for `rows` rows to receive, or opens a temporary file if they exceed `memory` bytes. `name` is the
 * name of the source, and `names` are those of its columns. */
sg_status sg_row_transfer_reserve(sg_row_transfer *t, const char *name, const char *const *names, size_t rows,
                                  size_t memory);
void sg_row_transfer_release(sg_row_transfer *t);

/* Send the rows [first, last) of a source to a rank, and receive `rows` rows from one. They fail only if the
 * communication fails; t->status records other errors. */
sg_status sg_row_transfer_send(sg_row_transfer *t, size_t to, const sg_source *source, size_t first, size_t last);
sg_status sg_row_transfer_receive(sg_row_transfer *t, size_t from, size_t rows);
