/* fast_dropout_mask.h: the DropRule masks of a chunk of rows. */
#pragma once

#include "kernel/fast/fast_workspace.h"

#include <string.h>

/* If DropRule leaves less than this of a row's firing, all rules are used. */
static const real min_kept_firing = (real)1e-30;

/* Stores the bits of all rows word by word; padding rows repeat the last row. */
static void load_keep_bits(workspace *ws, const sg_chunk *c, sg_dropout_bits keep, size_t n)
{
    for (size_t w = 0; w < keep_mask_words(ws); w++) {
        uint32_t *to = ws->keep + w * SG_PITCH;
        if (keep.words == 1) memcpy(to, keep.bits, c->n * sizeof *to);
        else
            for (size_t i = 0; i < c->n; i++) to[i] = keep.bits[i * keep.words + w];
        for (size_t i = c->n; i < n; i++) to[i] = to[c->n - 1];
    }
}

static void set_keep_mask_all(workspace *ws, size_t n)
{
    for (size_t w = 0; w < keep_mask_words(ws); w++) memset(ws->keep + w * SG_PITCH, 0xFF, n * sizeof *ws->keep);
}

/* Returns the words that contain the bits of rule p, starting at `row`. */
static inline const uint32_t *keep_mask_at(const workspace *ws, size_t p, size_t row)
{
    return ws->keep + p / 32 * SG_PITCH + row;
}

/* Returns whether any row has almost no firing left. */
static bool any_empty_row(const workspace *ws, size_t n)
{
    vec empty = v_set1(0);
    for (size_t i = 0; i < n; i += LANES)
        empty = v_select_gt(v_set1(min_kept_firing), v_load(ws->sum + i), v_set1(1), empty);
    return v_reduce_add(empty) > 0;
}

/* Keeps all rules for the rows with almost no firing left. Returns whether there are such rows. */
static bool undrop_empty_rows(workspace *ws, size_t n)
{
    if (!any_empty_row(ws, n)) return false;
    for (size_t i = 0; i < n; i++)
        for (size_t w = 0; ws->sum[i] < min_kept_firing && w < keep_mask_words(ws); w++)
            ws->keep[w * SG_PITCH + i] = UINT32_MAX;
    return true;
}
