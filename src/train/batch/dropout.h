/* dropout.h: random masks of rules, MFs or memberships during training. Each kind is one row of a table. */
#pragma once

#include "model/dropout_mask.h"

#include <stdint.h>

typedef struct sg_dropout_kind {
    const char *name;
    sg_drop_target target; /* what is dropped */
} sg_dropout_kind;

const sg_dropout_kind *sg_dropout_find(const char *name);
/* Returns the name of kind i, or NULL after the last one. */
const char *sg_dropout_name(size_t i);

typedef struct sg_dropout {
    const sg_dropout_kind *kind;
    double keep_prob;
    uint64_t seed;
} sg_dropout;

enum { SG_DROPOUT_ROWS = 128 }; /* maximum number of rows per call */

/* Returns the number of 32-bit words in a row's mask for the largest block. In smaller blocks, the remaining words are
 * 0. */
size_t sg_dropout_words(const sg_dropout *d, const sg_model *m);
/* Draws the masks of n <= SG_DROPOUT_ROWS rows for one block: bits (n, sg_dropout_words). Item i of a row is kept if
 * bit i % 32 of word i / 32 is set. Returns false and writes nothing if the block drops nothing. The mask of a row is a
 * pure function of (seed, iteration, row, block). */
bool sg_dropout_draw(const sg_dropout *d, const sg_model *m, size_t block, uint32_t iteration, const size_t *rows,
                     size_t n, uint32_t *bits);
