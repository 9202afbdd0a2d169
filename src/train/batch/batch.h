/* batch.h: the rows of one iteration, and the slices they are cut into.
 *
 * A batch is drawn without replacement and cut into S slices, S a power of two that depends on the batch
 * size alone. A slice is what falls into one of S equal ranges of row numbers, so that whoever holds a
 * range of rows computes whole slices; the batch is sorted by row number then. With one slice it need not
 * be: then rows may stand in the order in which they were drawn. Who needs the rows of some slices only leaves out
 * the others, which saves most of the work. */
#ifndef SG_TRAIN_BATCH_BATCH_H
#define SG_TRAIN_BATCH_BATCH_H

#include "train/batch/block_shuffle.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sg_batch {
    size_t total; /* rows of the source                            */
    size_t n;     /* rows of the batch                             */
    size_t slices;
    size_t first, last;              /* these rows of the source are wanted          */
    size_t count;                    /* rows of the batch that are here: all n, or those that are wanted */
    size_t *row;                     /* (count), ascending where there are slices; NULL where the batch is all rows */
    unsigned char *drawn;            /* (total): whether a row was drawn, 0 between draws; or NULL, and then: */
    unsigned shift;                  /* a row's place is row >> shift                 */
    size_t *slot_row;                /* (places): the row at a place that is taken    */
    unsigned char *slot_used;        /* (places): a flag, none set between draws   */
    sg_block_shuffle *block_shuffle; /* or rows are drawn from these               */
} sg_batch;

/* n 0, or more than total: all rows. */
sg_status sg_batch_init(sg_batch *b, size_t total, size_t n);
/* From now on by blocks and windows (block_shuffle.h), not from all rows at once. */
sg_status sg_batch_use_block_shuffle(sg_batch *b);
/* From now on only rows in [first, last) are wanted; others may be there or not. */
void sg_batch_restrict(sg_batch *b, size_t first, size_t last);
void sg_batch_release(sg_batch *b);
void sg_batch_draw(sg_batch *b, uint64_t seed, uint32_t iteration);

/* 1 below 512 rows, then about n / 64, at most 1024. */
size_t sg_batch_slices(size_t n);
/* The first row of the range that slice s, or the end of all rows, is about. */
size_t sg_batch_boundary(const sg_batch *b, size_t s);
/* Slice s, if its rows are wanted, is positions [*first, *last) of the batch. */
void sg_batch_slice(const sg_batch *b, size_t s, size_t *first, size_t *last);

#endif
