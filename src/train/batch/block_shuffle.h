/* block_shuffle.h: batches for disks with slow random access (--sampling blocks).
 *
 * Each epoch puts the blocks of 1,024 rows in random order. A window consists of at least 64 of them (more if a batch
 * needs them, fewer in a small source); the rows of a window are shuffled, and batches are consecutive pieces of the
 * window. The remainder of a window, which is smaller than a batch plus a block, is not used in this epoch. Everything
 * is a function of (seed, iteration), the number of rows and the batch size. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* A window. Slot s is row block[s / 1024] * 1024 + s % 1024. */
typedef struct sg_shuffle_window {
    size_t number; /* number of the window, counted over all epochs; SIZE_MAX: none */
    size_t rows;
    size_t *block;  /* (blocks), ascending */
    uint32_t *slot; /* (rows), shuffled */
} sg_shuffle_window;

typedef struct sg_block_shuffle {
    size_t total, n;
    size_t full_blocks;       /* blocks of 1,024 rows; all other rows belong to the last window */
    size_t windows;           /* windows per epoch */
    size_t batches;           /* batches per window */
    size_t max_rows;          /* maximum number of rows in a window */
    sg_shuffle_window window; /* the current window */
    uint64_t *bits;           /* (max_rows): a bitset of the rows of a batch, for sorting */
} sg_block_shuffle;

/* n: the batch size, 0 < n < total. */
sg_status sg_block_shuffle_init(sg_block_shuffle *w, size_t total, size_t n);
void sg_block_shuffle_release(sg_block_shuffle *w);
/* Stores the n rows of iteration k, counted from 1: in ascending order if `sorted` is set, otherwise shuffled. */
void sg_block_shuffle_draw(sg_block_shuffle *w, uint64_t seed, size_t k, bool sorted, size_t *row);
