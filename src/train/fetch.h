/* fetch.h: the rows of the next batches, asked for while one is worked on.
 *
 * Batches are a function of seed and iteration, so the rows that will be needed are known. Where a source says that
 * it is slow, a thread draws and fetches the batches of the next iterations; for others nothing happens. Results do
 * not depend on it. */
#ifndef SG_TRAIN_FETCH_H
#define SG_TRAIN_FETCH_H

#include "data/ahead.h"
#include "train/batch.h"

typedef struct sg_fetch {
    sg_source source;         /* to be gathered from: the original, or the rows that were fetched */
    sg_ahead *ahead;          /* NULL: nothing is asked for */
    sg_batch *batch, *coming; /* the current one, and the thread's */
    uint64_t seed;
    size_t iterations;
    bool idle;
} sg_fetch;

/* At most `memory` bytes are used; nothing is asked for where that is too little. source, batch and f itself must
 * stay where they are. */
sg_status sg_fetch_init(sg_fetch *f, const sg_source *source, sg_batch *batch, uint64_t seed, size_t iterations,
                        size_t memory);
void sg_fetch_release(sg_fetch *f);
/* Nobody gathers from its source: nothing more is asked for. */
void sg_fetch_idle(sg_fetch *f);
/* Draws the batch of iteration k, from 1 on, and asks for those after it. */
void sg_fetch_draw(sg_fetch *f, size_t k);

#endif
