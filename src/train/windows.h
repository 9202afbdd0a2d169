/* windows.h: batches for disks where rows that lie anywhere are slow (--sampling blocks).
 *
 * In each epoch the blocks of 1,024 rows are put into a random order; 64 of them or a few more (as many as a batch
 * needs, where that is more) are a window; the window's rows are shuffled, and batches are consecutive pieces of
 * them. What is left over in a window, fewer rows than a batch and a block, is not used in this epoch. All of it is a
 * function of (seed, iteration) and of the numbers of rows, total and of a batch. */
#ifndef SG_TRAIN_WINDOWS_H
#define SG_TRAIN_WINDOWS_H

#include "base/status.h"

#include <stdbool.h>
#include <stdint.h>

/* One window, laid out: rows are block[s / 1024] * 1024 + s % 1024 for its slots s. */
typedef struct sg_window {
    size_t number; /* of all epochs; SIZE_MAX: none */
    size_t rows;
    size_t *block;  /* (blocks), ascending   */
    uint32_t *slot; /* (rows), shuffled      */
} sg_window;

typedef struct sg_windows {
    size_t total, n;
    size_t full;      /* blocks of 1,024 rows; what is left behind them joins the last window */
    size_t count;     /* windows of an epoch   */
    size_t batches;   /* of a window           */
    size_t most;      /* rows of a window      */
    sg_window window; /* the last that was needed */
    uint64_t *bits;   /* (most): rows of a batch, for sorting */
} sg_windows;

/* 0 < n < total. */
sg_status sg_windows_init(sg_windows *w, size_t total, size_t n);
void sg_windows_release(sg_windows *w);
/* The n rows of iteration k, from 1 on; in order, or in that in which they were drawn. */
void sg_windows_draw(sg_windows *w, uint64_t seed, size_t k, bool sorted, size_t *row);

#endif
