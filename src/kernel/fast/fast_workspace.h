/* fast_workspace.h: a block as the fast kernels hold it. Rows stand side by side in the lanes everywhere. */
#ifndef SG_KERNEL_FAST_FAST_WORKSPACE_H
#define SG_KERNEL_FAST_FAST_WORKSPACE_H

#include "kernel/fast/fast_real.h"
#include "kernel/grid_detect.h"

/* Terms of a tile of sums, see fast_outputs.h: with two rules, twelve sums in 16 registers. */
enum { TILE_TERMS = 6 };
_Static_assert(16 * LANES <= SG_CHUNK, "engine.c takes up to 16 vectors of rows");

/* See fast_tree_leaves.h: a condition, a term of a consequent, and the ends of a rule's. Inputs and terms times
 * SG_PITCH. */
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

/* P is SG_PITCH; `pitch` is the distance between two rules' numbers for a chunk. */
typedef struct workspace {
    const sg_block *b;
    sg_grid grid; /* without conditions: rules with conditions of their own                   */
    bool is_grid, training;
    bool is_grid2;    /* a grid that is trained by fast_grid2_train.h                                    */
    bool has_ratios;  /* see fast_grid_predict.h                                                      */
    bool bcast_valid; /* `spread` holds these parameters                                          */
    bool gauss;       /* else the kind's own functions are asked, row by row                      */
    bool is_leaves;   /* no grid, and computed by fast_tree_leaves.h                                    */
    bool owns_mfs;    /* no grid, and the MF of rule r's input m is r * inputs + m                */
    size_t bounds;    /* conditions of boxes */
    size_t rows, pitch;
    size_t rule_stride, lane_stride; /* from a firing level to the next rule's, to the next LANES rows'    */
    bool needs_keep;                 /* `keep` is needed                                                         */
    size_t padded_inputs;            /* inputs in whole vectors                                                  */
    /* Parameters. Of a Gaussian ((x - c) * k)^2 is its log to base 2, negated. */
    real *c, *k;           /* grid: (mfs); else (rules, wide), spread out where MFs are shared         */
    double *steep;         /* (mfs), of Gaussians: 1 / sigma or a                                      */
    real *low_rank;        /* (rules, rank, inputs), 0 where a rule does not ask: see fast_low_rank.h     */
    real low_rank_scale;   /* (tilt . (x - c) * tilt_scale)^2 is the same for a combination of inputs  */
    real *coef;            /* (outputs, rules, terms + 1); of pairs less the rules' mean               */
    leaf_bound *bound;     /* (conditions), of boxes                                                   */
    leaf_coef *leaf_coefs; /* (rules * terms), of boxes: those that are not 0                          */
    leaf_end *leaf;        /* (rules), of boxes                                                        */
    /* The chunk at hand. */
    const real *a, *z;
    const real *missing; /* (inputs, P), or NULL: see sg_chunk                                    */
    real *a_buf, *z_buf, *missing_buf;
    real *u;             /* (mfs, P), of a grid: memberships relative to the input's largest; on the
                            way back what pulls at the MFs                                           */
    real *axis_sum;      /* (conditions, 3, LANES): sums on the way, see fast_grid_predict.h             */
    size_t *digit;       /* (conditions)                                                             */
    uint32_t *keep;      /* (words, P): bits of the rules that are kept                              */
    real *firing;        /* (rules, pitch), of pairs (rows / LANES, rules + 1, LANES): relative to the
                            row's largest over all rules                                             */
    real *proj;          /* (rules, rank, pitch): tilt . (x - c); on the way back times what pulls   */
    real *sum;           /* (P): of the kept rules' firing levels                                    */
    real *rule_y;        /* (outputs, rules, pitch); on the way back what pulls at the rules         */
    real *coef_bcast;    /* coef for whole vectors, of predictions where is_fixed: see fast_outputs.h */
    real *mean_coef;     /* (outputs, terms + 1), of pairs: the rules' mean coefficients ...         */
    double *mean_coef64; /* ... and as (terms + 1, outputs)                                          */
    real *outer, *total; /* (rules / 4, 2, LANES), of pairs                                       */
    real *mf_sums;       /* (2, mfs, 2, LANES), of pairs: sums of firing and of outputs over an MF's  */
    real *log_grad;      /* (outputs, mfs, P), of pairs: what pulls at an MF, without its factor     */
    real *y;             /* (outputs, P)                                                             */
    real *factor;        /* (outputs, P): slope / sum                                                */
    real *dz;            /* (terms + 1, P): factor * z                                               */
    /* On the way back through rules with conditions of their own, see fast_cluster_grad.h. */
    real *rowmajor;         /* (rows, across_pitch): inputs side by side, 0 beyond the last             */
    real *rowmajor_missing; /* the same of `missing`                                                */
    size_t rowmajor_pitch;
    uint8_t *kept_row;   /* (rules, pitch): the rows that a rule was kept for ...                    */
    uint32_t *kept_rows; /* (rules): ... and how many                                                */
    /* The gradient: sums over rows of pull * (x - c) and pull * (x - c)^2, and of firing * dz. */
    real *moment1, *moment2;    /* grid: (mfs); else (rules, inputs)                                    */
    real *low_rank_grad;        /* (rules, rank, inputs): of pull * along * (x - c) ...                      */
    real *low_rank_center_grad; /* ... and of pull * along, of the rows that have the input                */
    double *partial;            /* (arity, mfs), of MFs that are not Gaussian                               */
    real *coef_grad;            /* like coef                                                                */
    void *memory;
    size_t zeroed_bytes; /* bytes of it, from the start, that begin as 0                             */
} workspace;

/* n rounded up to whole vectors of rows. */
static inline size_t round_up_lanes(size_t n) { return (n + LANES - 1) / LANES * LANES; }

/* Rule 0's of the rows from `row` on. */
static inline real *firing_at(const workspace *r, size_t row) { return r->firing + row / LANES * r->lane_stride; }

/* By LANES numbers of r->missing. */
static inline vec where_missing(const real *missing, vec yes, vec no)
{
    return v_select_gt(v_load(missing), v_set1(0), yes, no);
}

static size_t keep_words(const workspace *r) { return (r->b->rules + 31) / 32; }

/* Takes count things of a size from *next, which moves on in steps of 64 bytes; only counts where base
 * is NULL. */
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

static void layout_training(workspace *r, char *base, size_t *at, size_t conditions, size_t coefs)
{
    const sg_block *b = r->b;
    r->moment1 = arena_alloc_reals(base, at, conditions);
    r->moment2 = arena_alloc_reals(base, at, conditions);
    r->coef_grad = arena_alloc_reals(base, at, coefs);
    r->low_rank_grad = arena_alloc_reals(base, at, b->rules * b->rank * b->inputs);
    r->low_rank_center_grad = arena_alloc_reals(base, at, b->rules * b->rank * b->inputs);
    r->partial = arena_alloc(base, at, r->gauss ? 0 : SG_MF_MAX_PARAMETERS * b->mfs, sizeof *r->partial);
    r->zeroed_bytes = *at;
    r->keep = arena_alloc(base, at, r->needs_keep ? keep_words(r) * SG_PITCH : 0, sizeof *r->keep);
    r->factor = arena_alloc_reals(base, at, b->outputs * SG_PITCH);
    r->dz = arena_alloc_reals(base, at, (b->terms + 1) * SG_PITCH);
    if (r->is_grid) return;
    r->rowmajor_pitch = (r->padded_inputs / LANES | 1) * LANES; /* odd: rows fall into different cache sets */
    r->rowmajor = arena_alloc_reals(base, at, r->pitch * r->rowmajor_pitch);
    r->rowmajor_missing = arena_alloc_reals(base, at, r->pitch * r->rowmajor_pitch);
    r->kept_row = arena_alloc(base, at, b->rules * r->pitch, sizeof *r->kept_row);
    r->kept_rows = arena_alloc(base, at, b->rules, sizeof *r->kept_rows);
}

/* Number of inputs and terms of the paper's systems. Grids of this size with two MFs per input have code without loops
 * over inputs. It performs the same operations in the same order as the general code. */
enum { FIXED = 5 };

static bool is_fixed(const workspace *r)
{
    return SPECIALIZED && r->b->terms == FIXED && r->grid.axes == FIXED && r->b->rules == 1 << FIXED &&
           r->b->outputs == 1;
}

static void layout_grid2(workspace *r, char *base, size_t *at)
{
    const sg_block *b = r->b;
    r->mean_coef = arena_alloc_reals(base, at, b->outputs * (b->terms + 1));
    r->mean_coef64 = arena_alloc(base, at, b->outputs * (b->terms + 1), sizeof *r->mean_coef64);
    r->outer = arena_alloc_reals(base, at, b->rules / 2 * LANES);
    r->total = arena_alloc_reals(base, at, b->rules / 2 * LANES);
    r->mf_sums = arena_alloc_reals(base, at, 4 * b->mfs * LANES);
    r->log_grad = arena_alloc_reals(base, at, b->outputs * b->mfs * SG_PITCH);
}

/* Lays out all arrays from base on and returns the bytes they need. */
static size_t layout_workspace(workspace *r, char *base)
{
    const sg_block *b = r->b;
    size_t at = 0, conditions = r->is_leaves ? 0 : r->is_grid ? b->mfs : b->rules * r->padded_inputs;
    size_t coefs = b->outputs * b->rules * (b->terms + 1), levels = r->grid.axes;
    bool converts = sizeof(real) < sizeof(double), contracts = r->is_grid && !r->training;
    r->digit = arena_alloc(base, &at, levels, sizeof *r->digit);
    r->c = arena_alloc_reals(base, &at, conditions);
    r->zeroed_bytes = at;
    if (r->training) layout_training(r, base, &at, conditions, coefs);
    r->k = arena_alloc_reals(base, &at, conditions);
    r->steep = arena_alloc(base, &at, r->gauss ? b->mfs : 0, sizeof *r->steep);
    r->low_rank = arena_alloc_reals(base, &at, b->rules * b->rank * b->inputs);
    r->coef = arena_alloc_reals(base, &at, coefs);
    r->bound = arena_alloc(base, &at, r->is_leaves ? r->bounds : 0, sizeof *r->bound);
    r->leaf_coefs = arena_alloc(base, &at, r->is_leaves ? b->rules * b->terms : 0, sizeof *r->leaf_coefs);
    r->leaf = arena_alloc(base, &at, r->is_leaves ? b->rules : 0, sizeof *r->leaf);
    r->a_buf = arena_alloc_reals(base, &at, converts ? b->inputs * SG_PITCH : 0);
    r->z_buf = arena_alloc_reals(base, &at, converts ? b->terms * SG_PITCH : 0);
    r->missing_buf = arena_alloc_reals(base, &at, converts ? b->inputs * SG_PITCH : 0);
    r->u = arena_alloc_reals(base, &at, r->is_grid ? b->mfs * SG_PITCH : 0);
    r->axis_sum = arena_alloc_reals(base, &at, levels * 3 * LANES);
    r->sum = arena_alloc_reals(base, &at, SG_PITCH);
    r->y = arena_alloc_reals(base, &at, b->outputs * SG_PITCH);
    r->firing = arena_alloc_reals(base, &at, contracts ? 0 : b->rules * r->pitch + r->rows);
    r->rule_y = arena_alloc_reals(base, &at,
                                  contracts || r->is_grid2 ? 0 : (r->training ? b->outputs : 1) * b->rules * r->pitch);
    r->proj = arena_alloc_reals(base, &at, b->rules * b->rank * r->pitch);
    r->coef_bcast = arena_alloc_reals(base, &at, contracts && is_fixed(r) ? coefs * LANES : 0);
    if (r->is_grid2) layout_grid2(r, base, &at);
    return at;
}

#endif
