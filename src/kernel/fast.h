/* fast.h: a fast kernel, put together. Included once by a file for each instruction set and precision,
 * after its vector header; that file then fills a row of the table with FAST_KERNEL. */
#ifndef SG_KERNEL_FAST_H
#define SG_KERNEL_FAST_H

#include "base/memory.h"
#include "kernel/fast_contract.h"
#include "kernel/fast_pairs.h"
#include "kernel/fast_rules.h"

#include <math.h>
#include <stdlib.h>

static bool is_gauss(const sg_block *b)
{
    return b->kind == &sg_mf_gauss || b->kind == &sg_mf_gauss_a;
}

static bool fast_covers(const sg_block *b, sg_things dropped)
{
    return b->rank == 0 && dropped <= SG_RULES && (is_gauss(b) || sg_grid_is(b));
}

/* --- room --- */

static void fast_close(void *self)
{
    room *r = self;
    if (!r) return;
    sg_grid_release(&r->grid);
    free(r->memory);
    free(r);
}

static void *fast_open(const sg_block *b, size_t rows, bool training, sg_things dropped)
{
    room *r = sg_alloc(1, sizeof *r);
    (void)dropped;
    if (!r) return NULL;
    *r = (room){.b = b, .rows = rows, .training = training, .gauss = is_gauss(b)};
    r->pitch = rows > 16 ? rows + 8 : whole(rows); /* a few rows fill whole cache lines as they are */
    r->is_grid = sg_grid_init(&r->grid, b);
    r->is_pairs = training && sg_grid_pairs(&r->grid);
    r->across = r->is_pairs ? LANES : r->pitch;
    r->along = r->is_pairs ? (b->rules + 1) * LANES : LANES;
    size_t bytes = lay_out(r, NULL);
    r->memory = aligned_alloc(64, bytes);
    if (!r->memory) {
        fast_close(r);
        return NULL;
    }
    lay_out(r, r->memory);
    memset(r->memory, 0, r->zeroed);
    return r;
}

/* --- parameters in, gradients out --- */

/* 1 / sigma of each MF, or a itself. */
static void take_widths(room *r)
{
    const sg_block *b = r->b;
    const double *width = b->mf + b->mfs;
    bool inverse = b->kind == &sg_mf_gauss;
    for (size_t i = 0; i < b->mfs; i++) r->steep[i] = inverse ? 1 / width[i] : width[i];
}

/* ((x - c) k)^2 = -h log2 of the membership. */
static void load_conditions(room *r)
{
    const sg_block *b = r->b;
    const double scale = sqrt(0.5 * log2_of_e * b->h);
    take_widths(r);
    for (size_t i = 0; r->is_grid && i < b->mfs; i++) {
        r->c[i] = to_real(b->mf[i]);
        r->k[i] = to_real(scale * r->steep[i]);
    }
    for (size_t i = 0; !r->is_grid && i < b->rules * b->inputs; i++) {
        int32_t mf = b->mf_of[i];
        r->c[i] = mf < 0 ? 0 : to_real(b->mf[mf]);
        r->k[i] = mf < 0 ? 0 : to_real(scale * r->steep[mf]);
    }
}

static void fast_load(void *self)
{
    room *r = self;
    size_t outputs = r->b->outputs, all = r->b->rules * (r->b->terms + 1) * outputs;
    real *to = r->coef;
    if (r->gauss) load_conditions(r);
    if (r->is_pairs) {
        load_pairs(r);
        return;
    }
    r->is_spread = false;
    r->has_ratios = r->is_grid && !r->training && has_ratios(r);
    const real scale = r->has_ratios ? RATIO_SCALE : 1;
    for (size_t o = 0; o < outputs; o++)
        for (size_t i = o; i < all; i += outputs) *to++ = scale * to_real(r->b->conseq[i]);
}

/* The sums of pull * (x - c) and pull * (x - c)^2 become derivatives by c and the width: with s = 1 /
 * sigma or a, s^2 first and s^3 second, or -s second. */
static void unload_moments(const room *r, size_t i, double first, double second, double *grad)
{
    const sg_block *b = r->b;
    double s = r->steep[i], hs = b->h * s;
    grad[i] += hs * s * first;
    grad[b->mfs + i] += b->kind == &sg_mf_gauss ? hs * s * s * second : -hs * second;
}

static void unload_conditions(room *r, double *grad)
{
    const sg_block *b = r->b;
    size_t count = r->is_grid ? b->mfs : b->rules * b->inputs;
    for (size_t i = 0; r->gauss && i < count; i++) {
        int32_t mf = r->is_grid ? (int32_t)i : b->mf_of[i];
        if (mf >= 0) unload_moments(r, (size_t)mf, (double)r->first[i], (double)r->second[i], grad);
    }
    for (size_t i = 0; !r->gauss && i < b->kind->arity * b->mfs; i++) {
        grad[i] += r->partial[i];
        r->partial[i] = 0;
    }
    memset(r->first, 0, count * sizeof *r->first);
    memset(r->second, 0, count * sizeof *r->second);
}

static void fast_unload(void *self, double *grad)
{
    room *r = self;
    size_t outputs = r->b->outputs, all = r->b->rules * (r->b->terms + 1) * outputs;
    unload_conditions(r, grad);
    for (size_t o = 0; o < outputs; o++) unload_slopes(r, o, grad + (r->b->conseq - r->b->mf));
    memset(r->slope, 0, all * sizeof *r->slope);
}

/* --- a chunk --- */

static void fire(const room *r, size_t n, bool drops)
{
    if (r->is_pairs) pairs_forward(r, n, drops);
    else if (r->is_grid) grid_firing(r, n, drops);
    else rules_firing(r, n, drops);
}

/* Firing levels of the kept rules, and their sums. */
static void fire_kept(room *r, const sg_chunk *c, sg_keep keep, size_t n)
{
    if (r->is_grid) memberships(r, c, n);
    if (keep.bits) take_bits(r, c, keep, n);
    fire(r, n, keep.bits);
    if (keep.bits && spare_empty_rows(r, n)) fire(r, n, true);
}

static void fast_forward(void *self, const sg_chunk *c, sg_keep keep, double *y)
{
    room *r = self;
    const sg_block *b = r->b;
    size_t n = whole(c->n);
    bool contracts = r->is_grid && !r->training;
    r->a = as_real(c->a, b->inputs, n, r->a_room);
    r->z = c->a == c->z ? r->a : as_real(c->z, b->terms, n, r->z_room);
    if (contracts) prepare_grid(r, c, n);
    else fire_kept(r, c, keep, n);
    for (size_t o = 0; o < b->outputs; o++) {
        if (contracts) outputs_of_grid(r, o, n);
        else if (!r->is_pairs) outputs_of_firing(r, o, n);
        const real *from = r->y + o * SG_PITCH;
        for (size_t i = 0; i < n; i += LANES) v_to_double(y + o * SG_PITCH + i, v_load(from + i));
    }
}

static void fast_backward(void *self, const sg_chunk *c, const double *slope)
{
    room *r = self;
    size_t n = whole(c->n);
    take_slopes(r, slope, n);
    for (size_t o = 0; o < r->b->outputs; o++) add_slopes(r, o, n);
    if (r->is_pairs) pairs_backward(r, c, n);
    else if (r->is_grid) grid_backward(r, c, n);
    else rules_backward(r, n);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): names of objects */
#define FAST_KERNEL(name, tools, runs)                                                             \
    {name,      PRECISION, LANES,     &tools,       runs,          fast_covers,                    \
     fast_open, fast_close, fast_load, fast_forward, fast_backward, fast_unload}
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
