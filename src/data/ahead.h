/* ahead.h: rows that will be asked for, fetched by a thread while others are worked on.
 *
 * Lists of rows have numbers, in the order in which they will be needed (iterations, for instance). A few of them
 * are asked for ahead; the source hands out the rows of the one that is current, and goes to the original for any
 * other. The same rows come either way. */
#ifndef SG_DATA_AHEAD_H
#define SG_DATA_AHEAD_H

#include "data/source.h"

typedef struct sg_ahead sg_ahead;

/* Lists of at most n rows of `of`, which must outlive it; `depth` of them besides the current one. */
sg_status sg_ahead_new(const sg_source *of, size_t n, size_t depth, sg_ahead **out);
/* Ends the thread: waits for the list at hand. */
void sg_ahead_free(sg_ahead *a);

/* Rows of list `number`, n of them in any order, none twice. Forgets the list depth + 1 before it. */
void sg_ahead_ask(sg_ahead *a, size_t number, const size_t *rows, size_t n);
/* From now on rows come from list `number`. Neither may be called while rows are gathered. */
void sg_ahead_turn(sg_ahead *a, size_t number);

sg_source sg_ahead_source(const sg_ahead *a);

#endif
