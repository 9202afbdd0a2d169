/* drop.h: what is left out at random for one row during training. A technique is one row of a table. */
#ifndef SG_TRAIN_DROP_H
#define SG_TRAIN_DROP_H

#include "model/inference.h"

#include <stdint.h>

typedef struct sg_drop_kind {
    const char *name;
    size_t (*bits)(const sg_block *b);                 /* random bits for one row of a block */
    void (*attach)(sg_mask *mask, const unsigned char *keep);
} sg_drop_kind;

const sg_drop_kind *sg_drop_find(const char *name);
/* The i-th technique's name, NULL after the last. */
const char *sg_drop_name(size_t i);

/* What decides about a row's bits. */
typedef struct sg_drop {
    const sg_drop_kind *kind;
    double keep;
    uint64_t seed;
} sg_drop;

/* Bits of the model's largest block. */
size_t sg_drop_room(const sg_drop *d, const sg_model *m);
/* The mask of block number b of the model for a row in an iteration; bits has sg_drop_room
 * bytes. A pure function of (seed, iteration, row, block). */
sg_mask sg_drop_draw(const sg_drop *d, const sg_model *m, size_t b, uint32_t iteration,
                     uint64_t row, unsigned char *bits);

#endif
