/* fast_masks.h: the sum of the firing levels, of all rules or of those that are kept. */
#ifndef SG_KERNEL_FAST_MASKS_H
#define SG_KERNEL_FAST_MASKS_H

#include "kernel/fast_room.h"

/* Below this, what DropRule left of a row's firing says nothing: all rules are used. */
static const real least_kept = (real)1e-30;

TILE void sum_at(const room *r, size_t row, const int vecs)
{
    const real *f = r->firing + row;
    vec sum[4];
    for (int v = 0; v < vecs; v++) sum[v] = v_load(f + v * LANES);
    for (size_t p = 1; p < r->b->rules; p++) {
        f += r->pitch;
        for (int v = 0; v < vecs; v++) sum[v] = v_add(sum[v], v_load(f + v * LANES));
    }
    for (int v = 0; v < vecs; v++) v_store(r->sum + row + (size_t)v * LANES, sum[v]);
}

static void sum_all(const room *r, size_t n)
{
    size_t row = 0;
    for (; row + 4 * LANES <= n; row += 4 * LANES) sum_at(r, row, 4);
    for (; row < n; row += LANES) sum_at(r, row, 1);
}

/* Rows' bits word by word; beyond the last row those of the last. */
static void take_bits(room *r, const sg_chunk *c, sg_keep keep, size_t n)
{
    for (size_t w = 0; w < keep_words(r); w++) {
        uint32_t *to = r->keep + w * SG_PITCH;
        for (size_t i = 0; i < c->n; i++) to[i] = keep.bits[i * keep.words + w];
        for (size_t i = c->n; i < n; i++) to[i] = to[c->n - 1];
    }
}

/* Of the rules [first, first + count), whose bits are word number first / 32: levels of dropped ones
 * become 0, the others are added to sum. */
TILE void drop_word(const room *r, size_t first, size_t count, size_t row, const int vecs, vec sum[4])
{
    real *f = r->firing + (first + count) * r->pitch + row;
    vbits bits[4];
    for (int v = 0; v < vecs; v++)
        bits[v] = v_bits(r->keep + first / 32 * SG_PITCH + row + (size_t)v * LANES, (unsigned)(count - 1));
    for (size_t p = count; p-- > 0;) {
        f -= r->pitch;
        for (int v = 0; v < vecs; v++) {
            vec kept = v_keep(v_load(f + v * LANES), bits[v]);
            v_store(f + v * LANES, kept);
            sum[v] = v_add(sum[v], kept);
            bits[v] = v_bits_next(bits[v]);
        }
    }
}

TILE void drop_at(const room *r, size_t row, const int vecs)
{
    size_t rules = r->b->rules;
    vec sum[4];
    for (int v = 0; v < vecs; v++) sum[v] = v_all(0);
    for (size_t p = 0; p < rules; p += 32) drop_word(r, p, rules - p < 32 ? rules - p : 32, row, vecs, sum);
    for (int v = 0; v < vecs; v++) v_store(r->sum + row + (size_t)v * LANES, sum[v]);
}

/* The levels of dropped rules become 0. */
static void drop_rules(const room *r, size_t n)
{
    size_t row = 0;
    for (; row + 4 * LANES <= n; row += 4 * LANES) drop_at(r, row, 4);
    for (; row < n; row += LANES) drop_at(r, row, 1);
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
