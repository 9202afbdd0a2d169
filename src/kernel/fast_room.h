/* fast_room.h: a block as the fast kernels hold it. */
#ifndef SG_KERNEL_FAST_ROOM_H
#define SG_KERNEL_FAST_ROOM_H

#include "kernel/fast_real.h"
#include "kernel/shape.h"

/* P is SG_PITCH, `padded` the rules with padding, `pitch` the distance between two rows of them. */
typedef struct room {
    const sg_block *b;
    sg_shape s;
    size_t rows;      /* of a chunk, at most                                                    */
    bool training;
    bool gauss;       /* else the kind's own functions are asked, row by row                    */
    /* Parameters. Of a Gaussian the squared distance ((x - c) * k)^2 is its log to base 2, negated. */
    real *c, *k;      /* grid: (mfs); else (inputs, padded)                                     */
    real *start;      /* (padded), not of a grid: FAR_OFF for padding                           */
    real *coef;       /* (outputs, terms + 1, padded)                                           */
    /* The chunk at hand. */
    const real *a, *z;
    real *a_room, *z_room;
    real *u;          /* (mfs, P): memberships relative to the input's largest                  */
    real *head, *tail; /* (heads, P), (P, vecs * LANES): their products                         */
    real *work;       /* (larger of heads and tail, P)                                          */
    real *firing;     /* (rows, pitch): relative to the row's largest over all rules           */
    real *sum;        /* (P): of the kept rules' firing levels                                  */
    real *rule_y;     /* (outputs, rows, pitch)                                                */
    real *y;          /* (outputs, P)                                                           */
    real *factor;     /* (outputs, P): slope / sum                                              */
    real *offset;     /* (P): -sum over outputs of factor * y                                   */
    real *dz;         /* (terms + 1, P): factor * z                                             */
    /* The gradient: sums over rows of pull, pull * (x - c), pull * (x - c)^2 and of firing * dz. */
    real *first, *second; /* grid: (mfs, LANES); else (inputs, padded)                          */
    double *partial;  /* (arity, mfs): of a grid whose MFs are not Gaussian                     */
    real *slope;      /* like coef                                                              */
    void *memory;
} room;

/* n rounded up to whole vectors of rows. */
static inline size_t whole(size_t n) { return (n + LANES - 1) / LANES * LANES; }

/* Takes count numbers from *next, which moves on in steps of 64 bytes; counts where base is NULL. */
static real *carve(char *base, size_t *next, size_t count)
{
    real *at = base ? (real *)(base + *next) : NULL;
    *next += (count * sizeof(real) + 63) / 64 * 64;
    return at;
}

/* Lays out all arrays from base on and returns the bytes they need. */
static size_t lay_out(room *r, char *base)
{
    const sg_block *b = r->b;
    const sg_shape *s = &r->s;
    size_t at = 0, conditions = s->grid ? b->mfs : b->inputs * s->padded;
    size_t longest = s->heads > s->tail ? s->heads : s->tail;
    size_t coefs = b->outputs * (b->terms + 1) * s->padded;
    r->c = carve(base, &at, conditions);
    r->k = carve(base, &at, conditions);
    r->start = carve(base, &at, s->grid ? 0 : s->padded);
    r->coef = carve(base, &at, coefs);
    r->a_room = carve(base, &at, sizeof(real) < sizeof(double) ? b->inputs * SG_PITCH : 0);
    r->z_room = carve(base, &at, sizeof(real) < sizeof(double) ? b->terms * SG_PITCH : 0);
    r->u = carve(base, &at, s->grid ? b->mfs * SG_PITCH : 0);
    r->head = carve(base, &at, s->grid ? s->heads * SG_PITCH : 0);
    r->tail = carve(base, &at, s->grid ? SG_PITCH * s->vecs * LANES : 0);
    r->work = carve(base, &at, s->grid ? longest * SG_PITCH : 0);
    r->sum = carve(base, &at, SG_PITCH);
    r->y = carve(base, &at, b->outputs * SG_PITCH);
    bool stored = r->training || !s->grid;
    r->firing = carve(base, &at, stored ? r->rows * s->pitch : 0);
    r->rule_y = carve(base, &at, r->training ? b->outputs * r->rows * s->pitch : 0);
    if (!r->training) return at;
    r->factor = carve(base, &at, b->outputs * SG_PITCH);
    r->offset = carve(base, &at, SG_PITCH);
    r->dz = carve(base, &at, (b->terms + 1) * SG_PITCH);
    r->first = carve(base, &at, s->grid ? b->mfs * LANES : conditions);
    r->second = carve(base, &at, s->grid ? b->mfs * LANES : conditions);
    r->slope = carve(base, &at, coefs);
    r->partial = (double *)(void *)carve(base, &at, r->gauss ? 0 : 2 * SG_MF_PARAMETERS * b->mfs);
    return at;
}

#endif
