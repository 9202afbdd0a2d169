/* grid.h: whether a block's rules are a full grid, the outer product of its inputs' MFs. */
#ifndef SG_KERNEL_GRID_H
#define SG_KERNEL_GRID_H

#include "model/model.h"

/* An input of the grid: MFs [first, first + count). */
typedef struct sg_condition {
    size_t input, first, count;
} sg_condition;

typedef struct sg_grid {
    sg_condition *condition; /* (conditions), the first is the rules' slowest index */
    size_t conditions;
} sg_grid;

/* False, and an empty grid, where the rules are no full grid (or there is no memory). */
bool sg_grid_init(sg_grid *g, const sg_block *b);
void sg_grid_release(sg_grid *g);
/* Whether all its inputs, two or more, have two MFs. */
bool sg_grid_pairs(const sg_grid *g);
/* The first question alone. */
bool sg_grid_is(const sg_block *b);

#endif
