/* batch_row_exchange.h: gives each rank the rows of a batch that it processes: its own rows, and rows that other ranks
 * hold.
 *
 * All ranks know the whole batch and which rank processes which part of it, so rows are sent without requests. The rows
 * from other ranks follow the rank's own. */
#pragma once

#include "data/source/source_util.h"

typedef struct sg_row_exchange {
    const sg_source *source;
    size_t *bounds;                   /* (ranks + 1) the first row of each rank, and the total */
    const size_t *rows;               /* row numbers of the batch; NULL for all rows           */
    size_t remote_first, remote_last; /* positions in the batch that were received             */
    size_t capacity, send_capacity;
    double *received;    /* (remote_last - remote_first, columns) */
    double *send_buffer; /* rows to send, and on rank 0 also rows to place in a batch */
} sg_row_exchange;

/* Collective. The source must outlive b. */
sg_status sg_row_exchange_init(sg_row_exchange *b, const sg_source *source);
void sg_row_exchange_release(sg_row_exchange *b);
/* Gives every rank all n rows of a batch, whose row numbers may be in any order. Even a rank's own rows are stored in
 * `received`. Collective. */
sg_status sg_row_exchange_allgather(sg_row_exchange *b, const size_t *rows, size_t n);
/* Gives rank i the rows at positions [part[i], part[i + 1]) of a batch that is sorted by row number. None of these
 * rows may precede the rows that rank i holds. Collective. */
sg_status sg_row_exchange_fetch_parts(sg_row_exchange *b, const size_t *rows, const size_t *part);
/* Reads the rows at positions [first, first + n) of the batch. Allocates nothing and is thread-safe. */
sg_status sg_row_exchange_read(const sg_row_exchange *b, size_t first, size_t n, double *out);
