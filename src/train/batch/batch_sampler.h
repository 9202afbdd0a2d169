/* batch_sampler.h: draws the rows of each iteration and cuts them into slices.
 *
 * A batch is drawn without replacement and cut into S slices, where S is a power of two that depends only on the batch
 * size. A slice contains the rows of the batch in one of S equal ranges of row numbers, so a rank that holds a range of
 * rows can compute whole slices. Batches with several slices are sorted by row number; a single slice keeps the order
 * of drawing. A rank that needs only some slices draws only their rows, which saves most of the work. */
#pragma once

#include "data/source/prefetch_source.h"
#include "train/batch/block_shuffle.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sg_batch {
    size_t total; /* rows in the source */
    size_t n;     /* rows in the batch */
    size_t slices;
    size_t first, last;              /* only rows [first, last) of the source are needed */
    size_t count;                    /* rows in `row`: n, or fewer if rows outside [first, last) were left out */
    size_t *row;                     /* (count), ascending if there are several slices; NULL if the batch is all rows */
    unsigned char *drawn;            /* (total): flags of drawn rows, cleared after each draw; NULL: slots are used */
    unsigned shift;                  /* the slot of a row is row >> shift */
    size_t *slot_row;                /* (slots): the row in a used slot */
    unsigned char *slot_used;        /* (slots): flags, cleared after each draw */
    sg_block_shuffle *block_shuffle; /* NULL: uniform sampling from all rows */
} sg_batch;

/* Prepares batches of n rows; if n is 0 or more than total, a batch consists of all rows. */
sg_status sg_batch_init(sg_batch *b, size_t total, size_t n);
/* Makes all later draws use shuffled blocks (block_shuffle.h). */
sg_status sg_batch_use_block_shuffle(sg_batch *b);
/* Restricts later draws to the rows in [first, last); the batch may still contain some others. */
void sg_batch_restrict(sg_batch *b, size_t first, size_t last);
void sg_batch_release(sg_batch *b);
/* Draws the batch of an iteration, which is a pure function of seed and iteration. */
void sg_batch_draw(sg_batch *b, uint64_t seed, uint32_t iteration);

/* Returns the number of slices of a batch of n rows: 1 below 512 rows, then about n / 64, but at most 1,024. */
size_t sg_batch_slices(size_t n);
/* Returns the first row in the range of slice s, or the number of rows if s is the number of slices. */
size_t sg_batch_boundary(const sg_batch *b, size_t s);
/* Finds the positions [*first, *last) of slice s in the batch. The rows of the slice must be among those needed. */
void sg_batch_slice(const sg_batch *b, size_t s, size_t *first, size_t *last);

/* Prefetches the rows of the next batches from slow sources.
 *
 * Batches are a function of seed and iteration, so the rows of later iterations are known. If slow_gather is set in the
 * source, a thread draws these batches and fetches their rows. The results do not depend on prefetching. */
typedef struct sg_batch_prefetch {
    sg_source source;       /* the source to gather from: the original, or prefetched rows */
    sg_prefetch *prefetch;  /* NULL: no prefetching */
    sg_batch *batch, *next; /* the current batch, and the batch of the thread */
    uint64_t seed;
    size_t iterations;
    bool disabled;
} sg_batch_prefetch;

/* Uses at most `memory` bytes; does not prefetch if that is too little. source, batch and f must not move. */
sg_status sg_batch_prefetch_init(sg_batch_prefetch *f, const sg_source *source, sg_batch *batch, uint64_t seed,
                                 size_t iterations, size_t memory);
void sg_batch_prefetch_release(sg_batch_prefetch *f);
/* Turns prefetching off, because cached rows do not need it. */
void sg_batch_prefetch_disable(sg_batch_prefetch *f);
/* Draws the batch of iteration k, counted from 1, and prefetches the batches after it. */
void sg_batch_prefetch_draw(sg_batch_prefetch *f, size_t k);
