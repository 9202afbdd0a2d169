/* fast_kernel.h: the functions of a fast kernel. Included once per instruction set and precision, after the vector
 * header; the including file then defines its kernel with FAST_KERNEL. */
#ifndef SG_KERNEL_FAST_FAST_KERNEL_H
#define SG_KERNEL_FAST_FAST_KERNEL_H

#include "base/memory.h"
#include "kernel/fast/fast_cluster_firing.h"
#include "kernel/fast/fast_cluster_grad.h"
#include "kernel/fast/fast_grid_predict.h"
#include "kernel/fast/fast_parameters.h"
#include "kernel/fast/fast_tree_leaves.h"

#include <stdlib.h>

static bool is_gauss(const sg_block *b) { return b->kind == &sg_mf_gauss || b->kind == &sg_mf_gauss_a; }

/* Rules with gauss2 MFs, mostly tree leaves, are not trained here. */
static bool fast_supports_block(const sg_block *b, bool training, sg_drop_target dropped)
{
    bool boxes = b->kind == &sg_mf_gauss2 && !training;
    return dropped <= SG_DROP_RULES && (is_gauss(b) || (b->rank == 0 && (boxes || sg_block_is_grid(b))));
}

/* --- Workspace --- */

static void fast_close(void *self)
{
    workspace *r = self;
    if (!r) return;
    sg_grid_release(&r->grid);
    free(r->memory);
    free(r);
}

/* Returns whether the rules own their MFs in order, as the structure "cluster" creates them. */
static bool owns_conditions(const sg_block *b)
{
    size_t count = b->rules * b->inputs, i = 0;
    while (i < count && b->mf_of[i] >= 0 && (size_t)b->mf_of[i] == i) i++;
    return i == count && b->mfs == count;
}

static void *fast_open(const sg_block *b, size_t rows, bool training, sg_drop_target dropped)
{
    workspace *r = sg_calloc(1, sizeof *r);
    if (!r) return NULL;
    *r = (workspace){.b = b, .rows = rows, .training = training, .gauss = is_gauss(b)};
    r->pitch = rows > 16 ? rows + 8 : round_up_lanes(rows);   /* a few rows fill whole cache lines without padding */
    r->is_grid = b->rank == 0 && sg_grid_detect(&r->grid, b); /* rules with low-rank terms are not products of MFs */
    r->is_leaves = !r->is_grid && !training && b->kind == &sg_mf_gauss2;
    r->bounds = r->is_leaves ? count_bounds(b) : 0;
    r->is_grid2 = training && sg_grid_is_binary(&r->grid);
    r->rule_stride = r->is_grid2 ? LANES : r->pitch;
    r->lane_stride = r->is_grid2 ? (b->rules + 1) * LANES : LANES;
    r->owns_mfs = !r->is_grid && owns_conditions(b);
    r->padded_inputs = round_up_lanes(b->inputs);
    r->needs_keep = dropped == SG_DROP_RULES || !r->is_grid;
    size_t bytes = layout_workspace(r, NULL);
    if (r->is_grid || r->gauss || r->is_leaves)
        r->memory = aligned_alloc(64, bytes); /* otherwise memory for the grid is exhausted */
    if (!r->memory) {
        fast_close(r);
        return NULL;
    }
    layout_workspace(r, r->memory);
    memset(r->memory, 0, r->zeroed_bytes);
    return r;
}

/* --- Chunks --- */

static void compute_firing(const workspace *r, size_t n, bool drops)
{
    if (r->is_grid2) grid2_forward(r, n, drops);
    else if (r->is_grid) grid_firing(r, n, drops);
    else cluster_firing(r, n, drops);
}

/* Computes the firing levels of the kept rules and their sums. */
static void compute_kept_firing(workspace *r, const sg_chunk *c, sg_drop_mask keep, size_t n)
{
    if (r->is_grid) memberships(r, c, n);
    if (keep.bits) load_keep_bits(r, c, keep, n);
    else if (r->training && !r->is_grid) keep_all(r, n);
    compute_firing(r, n, keep.bits);
    if (keep.bits && undrop_empty_rows(r, n)) compute_firing(r, n, true);
}

static void fast_forward(void *self, const sg_chunk *c, sg_drop_mask keep, double *y)
{
    workspace *r = self;
    const sg_block *b = r->b;
    size_t n = round_up_lanes(c->n);
    bool contracts = r->is_grid && !r->training;
    r->a = as_real(c->a, b->inputs, n, r->a_buf);
    r->z = c->a == c->z ? r->a : as_real(c->z, b->terms, n, r->z_buf);
    r->missing = c->missing ? as_real(c->missing, b->inputs, n, r->missing_buf) : NULL;
    if (contracts) prepare_grid(r, c, n);
    else compute_kept_firing(r, c, keep, n);
    for (size_t o = 0; o < b->outputs; o++) {
        if (contracts) grid_outputs(r, o, n);
        else if (!r->is_grid2 && (o > 0 || !fuses_outputs(r))) weighted_outputs(r, o, n);
        const real *from = r->y + o * SG_PITCH;
        for (size_t i = 0; i < n; i += LANES) v_to_double(y + o * SG_PITCH + i, v_load(from + i));
    }
}

static void fast_backward(void *self, const sg_chunk *c, const double *out_grad)
{
    workspace *r = self;
    size_t n = round_up_lanes(c->n);
    bool fused = fuses_outputs(r);
    scale_out_grad(r, out_grad, n);
    for (size_t o = fused; o < r->b->outputs; o++) add_coef_grads(r, o, n);
    if (r->is_grid2) grid2_backward(r, c, n);
    else if (r->is_grid) grid_backward(r, c, n);
    else cluster_backward(r, n, fused);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): names of objects */
#define FAST_KERNEL(name, tools, runs)                                                                                 \
    {                                                                                                                  \
        name, PRECISION, LANES, &tools, runs, fast_supports_block, fast_open, fast_close, fast_load_theta,             \
            fast_forward, fast_backward, fast_add_gradient                                                             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */

#endif
