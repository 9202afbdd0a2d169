/* shard_exchange.h: the rows of a batch that a member of a team computes with: its own, and those that others hold.
 *
 * All members know the whole batch, and who computes what of it, so that rows are sent without being asked for.
 * Rows that a member borrows stand behind its own. */
#ifndef SG_DATA_SHARD_SHARD_EXCHANGE_H
#define SG_DATA_SHARD_SHARD_EXCHANGE_H

#include "data/source/source.h"

typedef struct sg_row_exchange {
    const sg_source *source;
    size_t *bounds;                   /* (ranks + 1): first rows of members                        */
    const size_t *rows;               /* of the batch; NULL: all rows                              */
    size_t remote_first, remote_last; /* positions of the batch that are borrowed                  */
    size_t capacity, send_capacity;
    double *received;    /* (last - from, columns)                                    */
    double *send_buffer; /* on their way to others                                    */
} sg_row_exchange;

/* Collective. The source must outlive it. */
sg_status sg_row_exchange_init(sg_row_exchange *b, const sg_source *of);
void sg_row_exchange_release(sg_row_exchange *b);
/* A batch of n rows, in any order, that every member computes: all of it counts as borrowed. Collective. */
sg_status sg_row_exchange_allgather(sg_row_exchange *b, const size_t *rows, size_t n);
/* An ascending batch, of which member i computes the positions [part[i], part[i + 1]), which begin with rows of its
 * own. Collective. */
sg_status sg_row_exchange_fetch_parts(sg_row_exchange *b, const size_t *rows, const size_t *part);
/* The positions [first, first + n) of the batch. Allocates nothing; any thread may call it. */
sg_status sg_row_exchange_read(const sg_row_exchange *b, size_t first, size_t n, double *out);

#endif
