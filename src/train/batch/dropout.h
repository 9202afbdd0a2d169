/* dropout.h: what is left out at random for one row during training. A technique is one row of a table. */
#ifndef SG_TRAIN_BATCH_DROPOUT_H
#define SG_TRAIN_BATCH_DROPOUT_H

#include "model/drop_mask.h"

#include <stdint.h>

typedef struct sg_dropout_kind {
    const char *name;
    sg_drop_target target; /* that it decides about */
} sg_dropout_kind;

const sg_dropout_kind *sg_dropout_find(const char *name);
/* The i-th technique's name, NULL after the last. */
const char *sg_dropout_name(size_t i);

/* What decides about a row's bits. */
typedef struct sg_dropout {
    const sg_dropout_kind *kind;
    double keep_prob;
    uint64_t seed;
} sg_dropout;

enum { SG_DROPOUT_ROWS = 128 }; /* at most at once, as in a chunk */

/* 32-bit words for one row of the model's largest block; those that a smaller one lacks are 0. */
size_t sg_dropout_words(const sg_dropout *d, const sg_model *m);
/* What is kept of n <= SG_DROPOUT_ROWS rows in a block of the model: thing i of a row if bit i % 32 of
 * its word i / 32 is set. bits is (n, sg_dropout_words). False, and nothing written, where the block
 * drops nothing. A pure function of (seed, iteration, row, block): rows may be asked for in any
 * company. */
bool sg_dropout_draw(const sg_dropout *d, const sg_model *m, size_t block, uint32_t iteration, const size_t *rows,
                     size_t n, uint32_t *bits);

#endif
