/* fast_workspace.h: parameters and intermediate results of a block in the fast kernels. The lanes of a vector are rows,
 * except in fast_cluster_grad.h.
 *
 * A "log gradient" is the derivative of the loss with respect to a log firing level or log membership. */
#pragma once

#include "kernel/fast/fast_precision.h"
#include "kernel/grid_detect.h"

/* Terms per tile of fast_consequents.h: 6 terms of 2 rules are 12 accumulators, which fit into 16 vector registers. */
enum { TILE_TERMS = 6 };
_Static_assert(16 * LANES <= SG_CHUNK, "model_engine.c takes up to 16 vectors of rows");

/* For fast_sparse_rules.h: a condition, a consequent coefficient, and the end of a rule's conditions and coefficients.
 * `input` and `term` are indices multiplied by SG_PITCH. */
typedef struct leaf_bound {
    size_t input;
    real c1, k1, c2, k2;
} leaf_bound;
typedef struct leaf_coef {
    size_t term;
    real b;
} leaf_coef;
typedef struct leaf_end {
    size_t bounds, coefs;
    real constant;
} leaf_end;

/* In the shapes below, P is SG_PITCH, and `pitch` is the stride between rules. "Binary grid" and "leaves" mark arrays
 * that are used only if is_binary_grid or is_leaves is set. */
typedef struct workspace {
    const sg_block *b;
    sg_grid grid; /* empty unless the rules are a full grid */
    bool is_grid, training;
    bool is_binary_grid; /* a grid with two MFs per input, trained by fast_binary_grid_train.h */
    bool has_ratios;     /* see fast_grid_predict.h                                            */
    bool bcast_valid;    /* coef_bcast matches the current parameters                          */
    bool gauss;          /* MFs are Gaussian; otherwise their kind evaluates them row by row   */
    bool is_leaves;      /* not a grid; predicted by fast_sparse_rules.h                       */
    bool owns_mfs;       /* not a grid; the MF of input m in rule r is r * inputs + m          */
    size_t bounds;       /* number of conditions of leaves                                     */
    size_t rows, pitch;
    size_t rule_stride, lane_stride; /* distance to the firing level of the next rule, and of the next LANES rows */
    bool needs_keep;                 /* `keep` is allocated */
    size_t padded_inputs;            /* inputs rounded up to whole vectors */
    /* Parameters. For a Gaussian, ((x - c) * k)^2 is minus the base-2 log of the membership. */
    real *c, *k;           /* grid: (mfs); otherwise (rules, padded_inputs), expanded if MFs are shared */
    double *steep;         /* (mfs), for Gaussians: 1 / sigma or a */
    real *low_rank;        /* (rules, rank, inputs), 0 for inputs without a condition; see fast_low_rank_firing.h */
    real low_rank_scale;   /* (u_k . (x - c) * low_rank_scale)^2 is minus the base-2 log of low-rank term k */
    real *coef;            /* (outputs, rules, terms + 1); binary grid: differences from the mean over rules */
    leaf_bound *bound;     /* (conditions), leaves */
    leaf_coef *leaf_coefs; /* (rules * terms), leaves: non-zero coefficients */
    leaf_end *leaf;        /* (rules), leaves */
    /* The current chunk. */
    const real *a, *z;
    const real *missing; /* (inputs, P), or NULL; see sg_chunk */
    real *a_buf, *z_buf, *missing_buf;
    real *u; /* (mfs, P), grid: memberships relative to the largest of the same input; in backward, the log gradients of
                the MFs */
    real *axis_sum; /* (axes, 3, LANES): partial sums; see fast_grid_predict.h */
    size_t *digit;  /* (axes) */
    uint32_t *keep; /* (words, P): bits of the kept rules */
    real
        *firing; /* (rules, pitch); binary grid: (rows / LANES, rules + 1, LANES): relative to the largest of the row */
    real *proj;  /* (rules, rank, pitch): u_k . (x - c); in backward, times the log gradient */
    real *sum;   /* (P): sum of the firing levels of kept rules */
    real *rule_y;        /* (outputs, rules, pitch); in backward, the log gradients of the rules           */
    real *coef_bcast;    /* coef broadcast to vectors, for predictions if is_fixed; see fast_consequents.h */
    real *mean_coef;     /* (outputs, terms + 1), binary grid: mean coefficients of the rules              */
    double *mean_coef64; /* mean_coef in double, as (terms + 1, outputs)                                   */
    real *outer, *total; /* (rules / 4, 2, LANES), binary grid                                             */
    real *mf_sums;       /* (2, mfs, 2, LANES), binary grid: sums of firing and of outputs per MF          */
    real *log_grad;      /* (outputs, mfs, P), binary grid: log gradients of the MFs, without `factor`     */
    real *y;             /* (outputs, P)                                                                   */
    real *factor;        /* (outputs, P): out_grad / sum                                                   */
    real *dz;            /* (terms + 1, P): factor * z                                                     */
    /* For the backward pass of clustered rules; see fast_cluster_grad.h. */
    real *rowmajor;         /* (rows, rowmajor_pitch): transposed inputs, padded with zeros */
    real *rowmajor_missing; /* `missing`, transposed */
    size_t rowmajor_pitch;
    uint8_t *kept_row;   /* (rules, pitch): the rows for which a rule is kept */
    uint32_t *kept_rows; /* (rules): the number of rows in kept_row */
    /* The gradient: sums over rows of log_grad * (x - c), log_grad * (x - c)^2 and firing * dz. */
    real *moment1, *moment2;    /* grid: (mfs); otherwise (rules, inputs) */
    real *low_rank_grad;        /* (rules, rank, inputs): sums of log_grad * proj * (x - c) */
    real *low_rank_center_grad; /* sums of log_grad * proj over the rows that have the input */
    double *partial;            /* (arity, mfs), for MFs that are not Gaussian */
    real *coef_grad;            /* like coef                                                                */
    void *memory;
    size_t zeroed_bytes; /* number of bytes at the start of memory that are zeroed */
} workspace;

/* Rounds up to a multiple of the vector length. */
static inline size_t round_up_lanes(size_t n) { return (n + LANES - 1) / LANES * LANES; }

/* Returns the firing levels of rule 0, starting at `row`. */
static inline real *firing_at(const workspace *ws, size_t row) { return ws->firing + row / LANES * ws->lane_stride; }

/* Returns `yes` in the lanes where `missing` is positive, and `no` in the others. */
static inline vec where_missing(const real *missing, vec yes, vec no)
{
    return v_select_gt(v_load(missing), v_set1(0), yes, no);
}

static size_t keep_mask_words(const workspace *ws) { return (ws->b->rules + 31) / 32; }

/* Reserves `count` items at *next, rounded up to 64 bytes. If base is NULL, only counts the bytes. */
static void *arena_alloc(char *base, size_t *next, size_t count, size_t size)
{
    void *at = base ? base + *next : NULL;
    *next += (count * size + 63) / 64 * 64;
    return at;
}

static real *arena_alloc_reals(char *base, size_t *next, size_t count)
{
    return arena_alloc(base, next, count, sizeof(real));
}

static void layout_training(workspace *ws, char *base, size_t *at, size_t conditions, size_t coefs)
{
    const sg_block *b = ws->b;
    ws->moment1 = arena_alloc_reals(base, at, conditions);
    ws->moment2 = arena_alloc_reals(base, at, conditions);
    ws->coef_grad = arena_alloc_reals(base, at, coefs);
    ws->low_rank_grad = arena_alloc_reals(base, at, b->rules * b->rank * b->inputs);
    ws->low_rank_center_grad = arena_alloc_reals(base, at, b->rules * b->rank * b->inputs);
    ws->partial = arena_alloc(base, at, ws->gauss ? 0 : SG_MF_MAX_PARAMETERS * b->mfs, sizeof *ws->partial);
    ws->zeroed_bytes = *at;
    ws->keep = arena_alloc(base, at, ws->needs_keep ? keep_mask_words(ws) * SG_PITCH : 0, sizeof *ws->keep);
    ws->factor = arena_alloc_reals(base, at, b->outputs * SG_PITCH);
    ws->dz = arena_alloc_reals(base, at, (b->terms + 1) * SG_PITCH);
    if (ws->is_grid) return;
    ws->rowmajor_pitch = (ws->padded_inputs / LANES | 1) * LANES; /* odd, so that rows map to different cache sets */
    ws->rowmajor = arena_alloc_reals(base, at, ws->pitch * ws->rowmajor_pitch);
    ws->rowmajor_missing = arena_alloc_reals(base, at, ws->pitch * ws->rowmajor_pitch);
    ws->kept_row = arena_alloc(base, at, b->rules * ws->pitch, sizeof *ws->kept_row);
    ws->kept_rows = arena_alloc(base, at, b->rules, sizeof *ws->kept_rows);
}

/* The number of inputs and terms of the paper's systems. Grids of this size with two MFs per input have their own code,
 * without loops over inputs. It performs the same operations in the same order as the general code. */
enum { FIXED = 5 };

static bool is_fixed(const workspace *ws)
{
    return SPECIALIZED && ws->b->terms == FIXED && ws->grid.axes == FIXED && ws->b->rules == 1 << FIXED &&
           ws->b->outputs == 1;
}

static void layout_binary_grid(workspace *ws, char *base, size_t *at)
{
    const sg_block *b = ws->b;
    ws->mean_coef = arena_alloc_reals(base, at, b->outputs * (b->terms + 1));
    ws->mean_coef64 = arena_alloc(base, at, b->outputs * (b->terms + 1), sizeof *ws->mean_coef64);
    ws->outer = arena_alloc_reals(base, at, b->rules / 2 * LANES);
    ws->total = arena_alloc_reals(base, at, b->rules / 2 * LANES);
    ws->mf_sums = arena_alloc_reals(base, at, 4 * b->mfs * LANES);
    ws->log_grad = arena_alloc_reals(base, at, b->outputs * b->mfs * SG_PITCH);
}

/* Assigns consecutive memory, starting at base, to all arrays. Returns the number of bytes; base may be NULL. */
static size_t layout_workspace(workspace *ws, char *base)
{
    const sg_block *b = ws->b;
    size_t at = 0, conditions = ws->is_leaves ? 0 : ws->is_grid ? b->mfs : b->rules * ws->padded_inputs;
    size_t coefs = b->outputs * b->rules * (b->terms + 1), levels = ws->grid.axes;
    bool converts = sizeof(real) < sizeof(double), contracts = ws->is_grid && !ws->training;
    ws->digit = arena_alloc(base, &at, levels, sizeof *ws->digit);
    ws->c = arena_alloc_reals(base, &at, conditions);
    ws->zeroed_bytes = at;
    if (ws->training) layout_training(ws, base, &at, conditions, coefs);
    ws->k = arena_alloc_reals(base, &at, conditions);
    ws->steep = arena_alloc(base, &at, ws->gauss ? b->mfs : 0, sizeof *ws->steep);
    ws->low_rank = arena_alloc_reals(base, &at, b->rules * b->rank * b->inputs);
    ws->coef = arena_alloc_reals(base, &at, coefs);
    ws->bound = arena_alloc(base, &at, ws->is_leaves ? ws->bounds : 0, sizeof *ws->bound);
    ws->leaf_coefs = arena_alloc(base, &at, ws->is_leaves ? b->rules * b->terms : 0, sizeof *ws->leaf_coefs);
    ws->leaf = arena_alloc(base, &at, ws->is_leaves ? b->rules : 0, sizeof *ws->leaf);
    ws->a_buf = arena_alloc_reals(base, &at, converts ? b->inputs * SG_PITCH : 0);
    ws->z_buf = arena_alloc_reals(base, &at, converts ? b->terms * SG_PITCH : 0);
    ws->missing_buf = arena_alloc_reals(base, &at, converts ? b->inputs * SG_PITCH : 0);
    ws->u = arena_alloc_reals(base, &at, ws->is_grid ? b->mfs * SG_PITCH : 0);
    ws->axis_sum = arena_alloc_reals(base, &at, levels * 3 * LANES);
    ws->sum = arena_alloc_reals(base, &at, SG_PITCH);
    ws->y = arena_alloc_reals(base, &at, b->outputs * SG_PITCH);
    ws->firing = arena_alloc_reals(base, &at, contracts ? 0 : b->rules * ws->pitch + ws->rows);
    ws->rule_y = arena_alloc_reals(
        base, &at, contracts || ws->is_binary_grid ? 0 : (ws->training ? b->outputs : 1) * b->rules * ws->pitch);
    ws->proj = arena_alloc_reals(base, &at, b->rules * b->rank * ws->pitch);
    ws->coef_bcast = arena_alloc_reals(base, &at, contracts && is_fixed(ws) ? coefs * LANES : 0);
    if (ws->is_binary_grid) layout_binary_grid(ws, base, &at);
    return at;
}
