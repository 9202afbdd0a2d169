/* row_transfer.h: sends and receives ranges of rows between two ranks, chunk by chunk.
 *
 * Each chunk is preceded by a flag that says whether the sender could read it. So a rank that fails to read or to store
 * rows still takes part in all messages, and its peer does not wait for ever. */
#pragma once

#include "data/ingest/spill_file.h"

typedef struct sg_row_transfer {
    const sg_comm *comm;
    size_t columns, chunk_rows;
    double *chunk;        /* (chunk_rows, columns)                                       */
    double *values;       /* received rows; NULL: they are in the file                   */
    sg_spill_file *spill; /* received rows; NULL: they are in memory                     */
    size_t received;      /* number of received rows                                     */
    sg_status status;     /* whether this rank could read all rows to send and store all received ones */
} sg_row_transfer;

/* Release t even on failure. */
sg_status sg_row_transfer_init(sg_row_transfer *t, const sg_comm *comm, size_t columns);
/* Allocates space for the `rows` rows to be received, in a temporary file if they exceed `memory` bytes. name: of the
 * source; names: of its columns. */
sg_status sg_row_transfer_reserve(sg_row_transfer *t, const char *name, const char *const *names, size_t rows,
                                  size_t memory);
void sg_row_transfer_release(sg_row_transfer *t);

/* Sends the rows [first, last) of a source to a rank, or receives as many rows. Return whether the communication
 * worked. */
sg_status sg_row_transfer_send(sg_row_transfer *t, size_t to, const sg_source *source, size_t first, size_t last);
sg_status sg_row_transfer_receive(sg_row_transfer *t, size_t from, size_t rows);
