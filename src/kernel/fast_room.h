/* fast_room.h: a block as the fast kernels hold it. Rows stand side by side in the lanes everywhere. */
#ifndef SG_KERNEL_FAST_ROOM_H
#define SG_KERNEL_FAST_ROOM_H

#include "kernel/fast_real.h"
#include "kernel/grid.h"

/* Terms of a tile of sums, see fast_outputs.h: with two rules, twelve sums in 16 registers. */
enum { TERMS_AT_ONCE = 6 };
_Static_assert(16 * LANES <= SG_CHUNK, "engine.c takes up to 16 vectors of rows");

/* See fast_boxes.h: a condition, a term of a consequent, and the ends of a rule's. Inputs and terms times SG_PITCH. */
typedef struct box_side {
    size_t input;
    real c1, k1, c2, k2;
} box_side;
typedef struct box_slope {
    size_t term;
    real b;
} box_slope;
typedef struct box_end {
    size_t sides, slopes;
    real constant;
} box_end;

/* P is SG_PITCH; `pitch` is the distance between two rules' numbers for a chunk. */
typedef struct room {
    const sg_block *b;
    sg_grid grid; /* without conditions: rules with conditions of their own                   */
    bool is_grid, training;
    bool is_pairs;   /* a grid that is trained by fast_pairs.h                                    */
    bool has_ratios; /* see fast_contract.h                                                      */
    bool is_spread;  /* `spread` holds these parameters                                          */
    bool gauss;      /* else the kind's own functions are asked, row by row                      */
    bool is_boxes;   /* no grid, and computed by fast_boxes.h                                    */
    bool owns;       /* no grid, and the MF of rule r's input m is r * inputs + m                */
    size_t sides;    /* conditions of boxes */
    size_t rows, pitch;
    size_t next_rule, next_rows; /* from a firing level to the next rule's, to the next LANES rows'    */
    bool keeps;                  /* `keep` is needed                                                         */
    size_t wide;                 /* inputs in whole vectors                                                  */
    /* Parameters. Of a Gaussian ((x - c) * k)^2 is its log to base 2, negated. */
    real *c, *k;     /* grid: (mfs); else (rules, wide), spread out where MFs are shared         */
    double *steep;   /* (mfs), of Gaussians: 1 / sigma or a                                      */
    real *tilt;      /* (rules, rank, inputs), 0 where a rule does not ask: see fast_tilts.h     */
    real tilt_scale; /* (tilt . (x - c) * tilt_scale)^2 is the same for a combination of inputs  */
    real *coef;      /* (outputs, rules, terms + 1); of pairs less the rules' mean               */
    box_side *side;  /* (conditions), of boxes                                                   */
    box_slope *line; /* (rules * terms), of boxes: those that are not 0                          */
    box_end *box;    /* (rules), of boxes                                                        */
    /* The chunk at hand. */
    const real *a, *z;
    const real *missing; /* (inputs, P), or NULL: see sg_chunk                                    */
    real *a_room, *z_room, *missing_room;
    real *u;             /* (mfs, P), of a grid: memberships relative to the input's largest; on the
                            way back what pulls at the MFs                                           */
    real *level;         /* (conditions, 3, LANES): sums on the way, see fast_contract.h             */
    size_t *digit;       /* (conditions)                                                             */
    uint32_t *keep;      /* (words, P): bits of the rules that are kept                              */
    real *firing;        /* (rules, pitch), of pairs (rows / LANES, rules + 1, LANES): relative to the
                            row's largest over all rules                                             */
    real *along;         /* (rules, rank, pitch): tilt . (x - c); on the way back times what pulls   */
    real *sum;           /* (P): of the kept rules' firing levels                                    */
    real *rule_y;        /* (outputs, rules, pitch); on the way back what pulls at the rules         */
    real *spread;        /* coef for whole vectors, of predictions where is_fixed: see fast_outputs.h */
    real *base;          /* (outputs, terms + 1), of pairs: the rules' mean coefficients ...         */
    double *mean;        /* ... and as (terms + 1, outputs)                                          */
    real *outer, *total; /* (rules / 4, 2, LANES), of pairs                                       */
    real *shares;        /* (2, mfs, 2, LANES), of pairs: sums of firing and of outputs over an MF's  */
    real *pull;          /* (outputs, mfs, P), of pairs: what pulls at an MF, without its factor     */
    real *y;             /* (outputs, P)                                                             */
    real *factor;        /* (outputs, P): slope / sum                                                */
    real *dz;            /* (terms + 1, P): factor * z                                               */
    /* On the way back through rules with conditions of their own, see fast_moments.h. */
    real *across;         /* (rows, across_pitch): inputs side by side, 0 beyond the last             */
    real *across_missing; /* the same of `missing`                                                */
    size_t across_pitch;
    uint8_t *list;    /* (rules, pitch): the rows that a rule was kept for ...                    */
    uint32_t *listed; /* (rules): ... and how many                                                */
    /* The gradient: sums over rows of pull * (x - c) and pull * (x - c)^2, and of firing * dz. */
    real *first, *second; /* grid: (mfs); else (rules, inputs)                                    */
    real *tilt_slope;     /* (rules, rank, inputs): of pull * along * (x - c) ...                      */
    real *centre_pull;    /* ... and of pull * along, of the rows that have the input                */
    double *partial;      /* (arity, mfs), of MFs that are not Gaussian                               */
    real *slope;          /* like coef                                                                */
    void *memory;
    size_t zeroed; /* bytes of it, from the start, that begin as 0                             */
} room;

/* n rounded up to whole vectors of rows. */
static inline size_t whole(size_t n) { return (n + LANES - 1) / LANES * LANES; }

/* Rule 0's of the rows from `row` on. */
static inline real *firing_at(const room *r, size_t row) { return r->firing + row / LANES * r->next_rows; }

/* By LANES numbers of r->missing. */
static inline vec where_missing(const real *missing, vec yes, vec no)
{
    return v_where_above(v_load(missing), v_all(0), yes, no);
}

static size_t keep_words(const room *r) { return (r->b->rules + 31) / 32; }

/* Takes count things of a size from *next, which moves on in steps of 64 bytes; only counts where base
 * is NULL. */
static void *carve(char *base, size_t *next, size_t count, size_t size)
{
    void *at = base ? base + *next : NULL;
    *next += (count * size + 63) / 64 * 64;
    return at;
}

static real *carve_reals(char *base, size_t *next, size_t count) { return carve(base, next, count, sizeof(real)); }

static void lay_out_training(room *r, char *base, size_t *at, size_t conditions, size_t coefs)
{
    const sg_block *b = r->b;
    r->first = carve_reals(base, at, conditions);
    r->second = carve_reals(base, at, conditions);
    r->slope = carve_reals(base, at, coefs);
    r->tilt_slope = carve_reals(base, at, b->rules * b->rank * b->inputs);
    r->centre_pull = carve_reals(base, at, b->rules * b->rank * b->inputs);
    r->partial = carve(base, at, r->gauss ? 0 : SG_MF_PARAMETERS * b->mfs, sizeof *r->partial);
    r->zeroed = *at;
    r->keep = carve(base, at, r->keeps ? keep_words(r) * SG_PITCH : 0, sizeof *r->keep);
    r->factor = carve_reals(base, at, b->outputs * SG_PITCH);
    r->dz = carve_reals(base, at, (b->terms + 1) * SG_PITCH);
    if (r->is_grid) return;
    r->across_pitch = (r->wide / LANES | 1) * LANES; /* odd: rows fall into different cache sets */
    r->across = carve_reals(base, at, r->pitch * r->across_pitch);
    r->across_missing = carve_reals(base, at, r->pitch * r->across_pitch);
    r->list = carve(base, at, b->rules * r->pitch, sizeof *r->list);
    r->listed = carve(base, at, b->rules, sizeof *r->listed);
}

/* Of how many inputs and terms grids of two MFs an input have code without loops over them: the
 * paper's systems'. */
enum { FIXED = 5 };

/* It does the same operations in the same order as the general code and is there for speed alone: plain C gains
 * nothing by it. */
#if defined(SG_KERNEL_VEC_PORTABLE_H) || SANITIZED
enum { HAS_FIXED = 0 };
#else
enum { HAS_FIXED = 1 };
#endif

static bool is_fixed(const room *r)
{
    return HAS_FIXED && r->b->terms == FIXED && r->grid.conditions == FIXED && r->b->rules == 1 << FIXED &&
           r->b->outputs == 1;
}

static void lay_out_pairs(room *r, char *base, size_t *at)
{
    const sg_block *b = r->b;
    r->base = carve_reals(base, at, b->outputs * (b->terms + 1));
    r->mean = carve(base, at, b->outputs * (b->terms + 1), sizeof *r->mean);
    r->outer = carve_reals(base, at, b->rules / 2 * LANES);
    r->total = carve_reals(base, at, b->rules / 2 * LANES);
    r->shares = carve_reals(base, at, 4 * b->mfs * LANES);
    r->pull = carve_reals(base, at, b->outputs * b->mfs * SG_PITCH);
}

/* Lays out all arrays from base on and returns the bytes they need. */
static size_t lay_out(room *r, char *base)
{
    const sg_block *b = r->b;
    size_t at = 0, conditions = r->is_boxes ? 0 : r->is_grid ? b->mfs : b->rules * r->wide;
    size_t coefs = b->outputs * b->rules * (b->terms + 1), levels = r->grid.conditions;
    bool converts = sizeof(real) < sizeof(double), contracts = r->is_grid && !r->training;
    r->digit = carve(base, &at, levels, sizeof *r->digit);
    r->c = carve_reals(base, &at, conditions);
    r->zeroed = at;
    if (r->training) lay_out_training(r, base, &at, conditions, coefs);
    r->k = carve_reals(base, &at, conditions);
    r->steep = carve(base, &at, r->gauss ? b->mfs : 0, sizeof *r->steep);
    r->tilt = carve_reals(base, &at, b->rules * b->rank * b->inputs);
    r->coef = carve_reals(base, &at, coefs);
    r->side = carve(base, &at, r->is_boxes ? r->sides : 0, sizeof *r->side);
    r->line = carve(base, &at, r->is_boxes ? b->rules * b->terms : 0, sizeof *r->line);
    r->box = carve(base, &at, r->is_boxes ? b->rules : 0, sizeof *r->box);
    r->a_room = carve_reals(base, &at, converts ? b->inputs * SG_PITCH : 0);
    r->z_room = carve_reals(base, &at, converts ? b->terms * SG_PITCH : 0);
    r->missing_room = carve_reals(base, &at, converts ? b->inputs * SG_PITCH : 0);
    r->u = carve_reals(base, &at, r->is_grid ? b->mfs * SG_PITCH : 0);
    r->level = carve_reals(base, &at, levels * 3 * LANES);
    r->sum = carve_reals(base, &at, SG_PITCH);
    r->y = carve_reals(base, &at, b->outputs * SG_PITCH);
    r->firing = carve_reals(base, &at, contracts ? 0 : b->rules * r->pitch + r->rows);
    r->rule_y =
        carve_reals(base, &at, contracts || r->is_pairs ? 0 : (r->training ? b->outputs : 1) * b->rules * r->pitch);
    r->along = carve_reals(base, &at, b->rules * b->rank * r->pitch);
    r->spread = carve_reals(base, &at, contracts && is_fixed(r) ? coefs * LANES : 0);
    if (r->is_pairs) lay_out_pairs(r, base, &at);
    return at;
}

#endif
