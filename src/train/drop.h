/* drop.h: what is left out at random for one row during training. A technique is one row of a table. */
#ifndef SG_TRAIN_DROP_H
#define SG_TRAIN_DROP_H

#include "model/mask.h"

#include <stdint.h>

typedef struct sg_drop_kind {
    const char *name;
    sg_things things; /* that it decides about */
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

enum { SG_DROP_ROWS = 128 }; /* at most at once, as in a chunk */

/* 32-bit words for one row of the model's largest block; those that a smaller one lacks are 0. */
size_t sg_drop_words(const sg_drop *d, const sg_model *m);
/* What is kept of n <= SG_DROP_ROWS rows in a block of the model: thing i of a row if bit i % 32 of
 * its word i / 32 is set. bits is (n, sg_drop_words). False, and nothing written, where the block
 * drops nothing. A pure function of (seed, iteration, row, block): rows may be asked for in any
 * company. */
bool sg_drop_bits(const sg_drop *d, const sg_model *m, size_t block, uint32_t iteration, const size_t *rows, size_t n,
                  uint32_t *bits);

#endif
