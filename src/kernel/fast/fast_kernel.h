/* fast_kernel.h: the functions of a fast kernel. This file is included once per instruction set and precision, after
 * the vector header; the including file then defines its kernel with FAST_KERNEL. */
#pragma once

#include "base/memory.h"
#include "kernel/fast/fast_cluster_firing.h"
#include "kernel/fast/fast_cluster_grad.h"
#include "kernel/fast/fast_grid_predict.h"
#include "kernel/fast/fast_parameters.h"
#include "kernel/fast/fast_sparse_rules.h"

#include <stdlib.h>

static bool is_gauss(const sg_block *b) { return b->kind == &sg_mf_gauss || b->kind == &sg_mf_gauss_a; }

/* Outside grids, rules with gauss2 MFs (mostly tree leaves) are supported for prediction only. */
static bool fast_supports_block(const sg_block *b, bool training, sg_drop_target dropped)
{
    bool is_leaves = b->kind == &sg_mf_gauss2 && !training;
    return dropped <= SG_DROP_RULES && (is_gauss(b) || (b->rank == 0 && (is_leaves || sg_block_is_grid(b))));
}

/* --- Workspace --- */

static void fast_close(void *self)
{
    workspace *ws = self;
    if (!ws) return;
    sg_grid_release(&ws->grid);
    free(ws->memory);
    free(ws);
}

/* Returns whether every rule owns its MFs, in the order in which the structure "cluster" creates them. */
static bool owns_conditions(const sg_block *b)
{
    size_t count = b->rules * b->inputs, i = 0;
    while (i < count && b->mf_of[i] >= 0 && (size_t)b->mf_of[i] == i) i++;
    return i == count && b->mfs == count;
}

static void *fast_open(const sg_block *b, size_t rows, bool training, sg_drop_target dropped)
{
    workspace *ws = sg_calloc(1, sizeof *ws);
    if (!ws) return NULL;
    *ws = (workspace){.b = b, .rows = rows, .training = training, .gauss = is_gauss(b)};
    ws->pitch = rows > 16 ? rows + 8 : round_up_lanes(rows);    /* a few rows fill whole cache lines without padding */
    ws->is_grid = b->rank == 0 && sg_grid_detect(&ws->grid, b); /* rules with low-rank terms are not products of MFs */
    ws->is_leaves = !ws->is_grid && !training && b->kind == &sg_mf_gauss2;
    ws->bounds = ws->is_leaves ? count_bounds(b) : 0;
    ws->is_binary_grid = training && sg_grid_is_binary(&ws->grid);
    ws->rule_stride = ws->is_binary_grid ? LANES : ws->pitch;
    ws->lane_stride = ws->is_binary_grid ? (b->rules + 1) * LANES : LANES;
    ws->owns_mfs = !ws->is_grid && owns_conditions(b);
    ws->padded_inputs = round_up_lanes(b->inputs);
    ws->needs_keep = dropped == SG_DROP_RULES || !ws->is_grid;
    size_t bytes = layout_workspace(ws, NULL);
    if (ws->is_grid || ws->gauss || ws->is_leaves)
        ws->memory = aligned_alloc(64, bytes); /* otherwise, sg_grid_detect ran out of memory */
    if (!ws->memory) {
        fast_close(ws);
        return NULL;
    }
    layout_workspace(ws, ws->memory);
    memset(ws->memory, 0, ws->zeroed_bytes);
    return ws;
}

/* --- Chunks --- */

static void compute_firing(const workspace *ws, size_t n, bool drops)
{
    if (ws->is_binary_grid) binary_grid_forward(ws, n, drops);
    else if (ws->is_grid) grid_firing(ws, n, drops);
    else cluster_firing(ws, n, drops);
}

/* Computes the firing levels of the kept rules and their sums. */
static void compute_kept_firing(workspace *ws, const sg_chunk *c, sg_dropout_bits keep, size_t n)
{
    if (ws->is_grid) compute_grid_memberships(ws, c, n);
    if (keep.bits) load_keep_bits(ws, c, keep, n);
    else if (ws->training && !ws->is_grid) set_keep_mask_all(ws, n);
    compute_firing(ws, n, keep.bits);
    if (keep.bits && undrop_empty_rows(ws, n)) compute_firing(ws, n, true);
}

static void fast_forward(void *self, const sg_chunk *c, sg_dropout_bits keep, double *y)
{
    workspace *ws = self;
    const sg_block *b = ws->b;
    size_t n = round_up_lanes(c->n);
    bool contracts = ws->is_grid && !ws->training;
    ws->a = as_real(c->a, b->inputs, n, ws->a_buf);
    ws->z = c->a == c->z ? ws->a : as_real(c->z, b->terms, n, ws->z_buf);
    ws->missing = c->missing ? as_real(c->missing, b->inputs, n, ws->missing_buf) : NULL;
    if (contracts) prepare_grid(ws, c, n);
    else compute_kept_firing(ws, c, keep, n);
    for (size_t o = 0; o < b->outputs; o++) {
        if (contracts) grid_outputs(ws, o, n);
        else if (!ws->is_binary_grid && (o > 0 || !fuses_outputs(ws))) weighted_outputs(ws, o, n);
        const real *from = ws->y + o * SG_PITCH;
        for (size_t i = 0; i < n; i += LANES) v_to_double(y + o * SG_PITCH + i, v_load(from + i));
    }
}

static void fast_backward(void *self, const sg_chunk *c, const double *out_grad)
{
    workspace *ws = self;
    size_t n = round_up_lanes(c->n);
    bool fused = fuses_outputs(ws);
    scale_out_grad(ws, out_grad, n);
    for (size_t o = fused; o < ws->b->outputs; o++) add_coef_grads(ws, o, n);
    if (ws->is_binary_grid) binary_grid_backward(ws, c, n);
    else if (ws->is_grid) grid_backward(ws, c, n);
    else cluster_backward(ws, n, fused);
}

/* NOLINTBEGIN(bugprone-macro-parentheses): names of objects */
#define FAST_KERNEL(name, ops, is_supported)                                                                           \
    {                                                                                                                  \
        name, PRECISION, LANES, &ops, is_supported, fast_supports_block, fast_open, fast_close, fast_load_theta,       \
            fast_forward, fast_backward, fast_add_gradient                                                             \
    }
/* NOLINTEND(bugprone-macro-parentheses) */
