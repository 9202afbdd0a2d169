/* batch_prefetch.h: the rows of the next batches, asked for while one is worked on.
 *
 * Batches are a function of seed and iteration, so the rows that will be needed are known. Where a source says that
 * it is slow, a thread draws and fetches the batches of the next iterations; for others nothing happens. Results do
 * not depend on it. */
#ifndef SG_TRAIN_BATCH_BATCH_PREFETCH_H
#define SG_TRAIN_BATCH_BATCH_PREFETCH_H

#include "data/source/prefetch_source.h"
#include "train/batch/batch.h"

typedef struct sg_batch_prefetch {
    sg_source source;       /* to be gathered from: the original, or the rows that were fetched */
    sg_prefetch *prefetch;  /* NULL: nothing is asked for */
    sg_batch *batch, *next; /* the current one, and the thread's */
    uint64_t seed;
    size_t iterations;
    bool disabled;
} sg_batch_prefetch;

/* At most `memory` bytes are used; nothing is asked for where that is too little. source, batch and f itself must
 * stay where they are. */
sg_status sg_batch_prefetch_init(sg_batch_prefetch *f, const sg_source *source, sg_batch *batch, uint64_t seed,
                                 size_t iterations, size_t memory);
void sg_batch_prefetch_release(sg_batch_prefetch *f);
/* Nobody gathers from its source: nothing more is asked for. */
void sg_batch_prefetch_disable(sg_batch_prefetch *f);
/* Draws the batch of iteration k, from 1 on, and asks for those after it. */
void sg_batch_prefetch_draw(sg_batch_prefetch *f, size_t k);

#endif
