/* batch_sampler.h: draws the rows of each iteration and cuts them into slices.
 *
 * A batch is drawn without replacement and cut into S slices; S is a power of two that depends only on the batch size.
 * A slice contains the rows of the batch in one of S equal ranges of row numbers, so a rank that holds a range of rows
 * computes whole slices. Batches with several slices are sorted by row number; a single slice keeps the order of
 * drawing. A rank that needs only some slices draws only their rows, which saves most of the work. */
#pragma once

#include "data/source/prefetch_source.h"
#include "train/batch/block_shuffle.h"

#include <stdbool.h>
#include <stdint.h>

typedef struct sg_batch {
    size_t total; /* rows of the source */
    size_t n;     /* rows of the batch  */
    size_t slices;
    size_t first, last;              /* only rows [first, last) of the source are needed */
    size_t count;                    /* rows in `row`: n, or fewer if rows outside [first, last) were left out */
    size_t *row;                     /* (count), ascending if there are several slices; NULL if the batch is all rows */
    unsigned char *drawn;            /* (total): rows drawn so far, cleared after each draw; or NULL, and then: */
    unsigned shift;                  /* the hash slot of a row is row >> shift */
    size_t *slot_row;                /* (slots): the row in a used slot */
    unsigned char *slot_used;        /* (slots): flags, cleared after each draw */
    sg_block_shuffle *block_shuffle; /* NULL: uniform sampling from all rows */
} sg_batch;

/* n: rows of a batch; 0 or more than total: all rows. */
sg_status sg_batch_init(sg_batch *b, size_t total, size_t n);
/* Draws from shuffled blocks (block_shuffle.h) from now on. */
sg_status sg_batch_use_block_shuffle(sg_batch *b);
/* Draws only rows in [first, last) from now on; the batch may contain others. */
void sg_batch_restrict(sg_batch *b, size_t first, size_t last);
void sg_batch_release(sg_batch *b);
/* Draws the batch of an iteration: a pure function of seed and iteration. */
void sg_batch_draw(sg_batch *b, uint64_t seed, uint32_t iteration);

/* The number of slices of a batch of n rows: 1 below 512 rows, then about n / 64, at most 1,024. */
size_t sg_batch_slices(size_t n);
/* The first row of the range of slice s; s may be the number of slices. */
size_t sg_batch_boundary(const sg_batch *b, size_t s);
/* Slice s, which must be needed, consists of positions [*first, *last) of the batch. */
void sg_batch_slice(const sg_batch *b, size_t s, size_t *first, size_t *last);

/* Prefetches the rows of the next batches from slow sources.
 *
 * Batches are a function of seed and iteration, so the rows of later iterations are known. If the source has
 * slow_gather set, a thread draws these batches and fetches their rows. Results do not depend on it. */
typedef struct sg_batch_prefetch {
    sg_source source;       /* to gather from: the original, or prefetched rows */
    sg_prefetch *prefetch;  /* NULL: no prefetching */
    sg_batch *batch, *next; /* the current batch, and that of the thread */
    uint64_t seed;
    size_t iterations;
    bool disabled;
} sg_batch_prefetch;

/* Uses at most `memory` bytes; does not prefetch if that is too little. source, batch and f must not move. */
sg_status sg_batch_prefetch_init(sg_batch_prefetch *f, const sg_source *source, sg_batch *batch, uint64_t seed,
                                 size_t iterations, size_t memory);
void sg_batch_prefetch_release(sg_batch_prefetch *f);
/* Stops prefetching, since rows are cached. */
void sg_batch_prefetch_disable(sg_batch_prefetch *f);
/* Draws the batch of iteration k, counted from 1, and prefetches those after it. */
void sg_batch_prefetch_draw(sg_batch_prefetch *f, size_t k);
