/* block_shuffle.h: batches for disks where rows that lie anywhere are slow (--sampling blocks).
 *
 * In each epoch the blocks of 1,024 rows are put into a random order; 64 of them or a few more (as many as a batch
 * needs, where that is more) are a window; the window's rows are shuffled, and batches are consecutive pieces of
 * them. What is left over in a window, fewer rows than a batch and a block, is not used in this epoch. All of it is a
 * function of (seed, iteration) and of the numbers of rows, total and of a batch. */
#ifndef SG_TRAIN_BATCH_BLOCK_SHUFFLE_H
#define SG_TRAIN_BATCH_BLOCK_SHUFFLE_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* One window, laid out: rows are block[s / 1024] * 1024 + s % 1024 for its slots s. */
typedef struct sg_shuffle_window {
    size_t number; /* of all epochs; SIZE_MAX: none */
    size_t rows;
    size_t *block;  /* (blocks), ascending   */
    uint32_t *slot; /* (rows), shuffled      */
} sg_shuffle_window;

typedef struct sg_block_shuffle {
    size_t total, n;
    size_t full_blocks;       /* blocks of 1,024 rows; what is left behind them joins the last window */
    size_t windows;           /* windows of an epoch   */
    size_t batches;           /* of a window           */
    size_t max_rows;          /* rows of a window      */
    sg_shuffle_window window; /* the last that was needed */
    uint64_t *bits;           /* (most): rows of a batch, for sorting */
} sg_block_shuffle;

/* 0 < n < total. */
sg_status sg_block_shuffle_init(sg_block_shuffle *w, size_t total, size_t n);
void sg_block_shuffle_release(sg_block_shuffle *w);
/* The n rows of iteration k, from 1 on; in order, or in that in which they were drawn. */
void sg_block_shuffle_draw(sg_block_shuffle *w, uint64_t seed, size_t k, bool sorted, size_t *row);

#endif
