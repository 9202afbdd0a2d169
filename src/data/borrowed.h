/* borrowed.h: the rows of a batch that a member of a team computes with: its own, and those that others hold.
 *
 * All members know the whole batch, and who computes what of it, so that rows are sent without being asked for.
 * Rows that a member borrows stand behind its own. */
#ifndef SG_DATA_BORROWED_H
#define SG_DATA_BORROWED_H

#include "data/source.h"

typedef struct sg_borrowed {
    const sg_source *of;
    size_t *bound;      /* (ranks + 1): first rows of members                        */
    const size_t *rows; /* of the batch; NULL: all rows                              */
    size_t from, last;  /* positions of the batch that are borrowed                  */
    size_t room, sending;
    double *values; /* (last - from, columns)                                    */
    double *sent;   /* on their way to others                                    */
} sg_borrowed;

/* Collective. The source must outlive it. */
sg_status sg_borrowed_init(sg_borrowed *b, const sg_source *of);
void sg_borrowed_release(sg_borrowed *b);
/* A batch of n rows, in any order, that every member computes: all of it counts as borrowed. Collective. */
sg_status sg_borrowed_all(sg_borrowed *b, const size_t *rows, size_t n);
/* An ascending batch, of which member i computes the positions [part[i], part[i + 1]), which begin with rows of its
 * own. Collective. */
sg_status sg_borrowed_parts(sg_borrowed *b, const size_t *rows, const size_t *part);
/* The positions [first, first + n) of the batch. Allocates nothing; any thread may call it. */
sg_status sg_borrowed_take(const sg_borrowed *b, size_t first, size_t n, double *out);

#endif
