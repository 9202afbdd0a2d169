/* fast_masks.h: which rules are kept for which rows. */
#ifndef SG_KERNEL_FAST_MASKS_H
#define SG_KERNEL_FAST_MASKS_H

#include "kernel/fast_room.h"

#include <string.h>

/* Below this, what DropRule left of a row's firing says nothing: all rules are used. */
static const real least_kept = (real)1e-30;

/* Rows' bits word by word; beyond the last row those of the last. */
static void take_bits(room *r, const sg_chunk *c, sg_keep keep, size_t n)
{
    for (size_t w = 0; w < keep_words(r); w++) {
        uint32_t *to = r->keep + w * SG_PITCH;
        for (size_t i = 0; i < c->n; i++) to[i] = keep.bits[i * keep.words + w];
        for (size_t i = c->n; i < n; i++) to[i] = to[c->n - 1];
    }
}

static void keep_all(room *r, size_t n)
{
    for (size_t w = 0; w < keep_words(r); w++) memset(r->keep + w * SG_PITCH, 0xFF, n * sizeof *r->keep);
}

/* The words about rule p, of the rows from `row` on. */
static inline const uint32_t *keep_at(const room *r, size_t p, size_t row)
{
    return r->keep + p / 32 * SG_PITCH + row;
}

/* Rows of which too little is kept keep all. True where there are any. */
static bool spare_empty_rows(room *r, size_t n)
{
    bool any = false;
    for (size_t i = 0; i < n; i++) {
        if (r->sum[i] >= least_kept) continue;
        any = true;
        for (size_t w = 0; w < keep_words(r); w++) r->keep[w * SG_PITCH + i] = UINT32_MAX;
    }
    return any;
}

#endif
