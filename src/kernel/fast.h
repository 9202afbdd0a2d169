/* fast.h: a fast kernel, put together. Included once by a file for each instruction set and precision,
 * after its vector header; that file then fills a row of the table with FAST_KERNEL. */
#ifndef SG_KERNEL_FAST_H
#define SG_KERNEL_FAST_H

#include "base/memory.h"
#include "kernel/fast_boxes.h"
#include "kernel/fast_contract.h"
#include "kernel/fast_moments.h"
#include "kernel/fast_parameters.h"
#include "kernel/fast_rules.h"

#include <stdlib.h>

static bool is_gauss(const sg_block *b) { return b->kind == &sg_mf_gauss || b->kind == &sg_mf_gauss_a; }

/* Rules with two shoulders an input, leaves of trees mostly, are not trained here. */
static bool fast_covers(const sg_block *b, bool training, sg_things dropped)
{
    bool boxes = b->kind == &sg_mf_gauss2 && !training;
    return dropped <= SG_RULES && (is_gauss(b) || (b->rank == 0 && (boxes || sg_grid_is(b))));
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

/* Rules with MFs of their own, in their order: as the structure "cluster" makes them. */
static bool owns_conditions(const sg_block *b)
{
    size_t count = b->rules * b->inputs, i = 0;
    while (i < count && b->mf_of[i] >= 0 && (size_t)b->mf_of[i] == i) i++;
    return i == count && b->mfs == count;
}

static void *fast_open(const sg_block *b, size_t rows, bool training, sg_things dropped)
{
    room *r = sg_alloc(1, sizeof *r);
    if (!r) return NULL;
    *r = (room){.b = b, .rows = rows, .training = training, .gauss = is_gauss(b)};
    r->pitch = rows > 16 ? rows + 8 : whole(rows);          /* a few rows fill whole cache lines as they are */
    r->is_grid = b->rank == 0 && sg_grid_init(&r->grid, b); /* rules that lean are no product of MFs */
    r->is_boxes = !r->is_grid && !training && b->kind == &sg_mf_gauss2;
    r->sides = r->is_boxes ? count_sides(b) : 0;
    r->is_pairs = training && sg_grid_pairs(&r->grid);
    r->next_rule = r->is_pairs ? LANES : r->pitch;
    r->next_rows = r->is_pairs ? (b->rules + 1) * LANES : LANES;
    r->owns = !r->is_grid && owns_conditions(b);
    r->wide = whole(b->inputs);
    r->keeps = dropped == SG_RULES || !r->is_grid;
    size_t bytes = lay_out(r, NULL);
    if (r->is_grid || r->gauss || r->is_boxes)
        r->memory = aligned_alloc(64, bytes); /* else there was no memory for the grid */
    if (!r->memory) {
        fast_close(r);
        return NULL;
    }
    lay_out(r, r->memory);
    memset(r->memory, 0, r->zeroed);
    return r;
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
    else if (r->training && !r->is_grid) keep_all(r, n);
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
    r->missing = c->missing ? as_real(c->missing, b->inputs, n, r->missing_room) : NULL;
    if (contracts) prepare_grid(r, c, n);
    else fire_kept(r, c, keep, n);
    for (size_t o = 0; o < b->outputs; o++) {
        if (contracts) outputs_of_grid(r, o, n);
        else if (!r->is_pairs && (o > 0 || !rules_speak(r))) outputs_of_firing(r, o, n);
        const real *from = r->y + o * SG_PITCH;
        for (size_t i = 0; i < n; i += LANES) v_to_double(y + o * SG_PITCH + i, v_load(from + i));
    }
}

static void fast_backward(void *self, const sg_chunk *c, const double *slope)
{
    room *r = self;
    size_t n = whole(c->n);
    bool speaks = rules_speak(r);
    take_slopes(r, slope, n);
    for (size_t o = speaks; o < r->b->outputs; o++) add_slopes(r, o, n);
    if (r->is_pairs) pairs_backward(r, c, n);
    else if (r->is_grid) grid_backward(r, c, n);
    else rules_backward(r, n, speaks);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): names of objects */
#define FAST_KERNEL(name, tools, runs)                                                                                 \
    {                                                                                                                  \
        name, PRECISION, LANES, &tools, runs, fast_covers, fast_open, fast_close, fast_load, fast_forward,             \
            fast_backward, fast_unload                                                                                 \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
