/* grid_detect.h: whether a block's rules are a full grid, the outer product of its inputs' MFs. */
#ifndef SG_KERNEL_GRID_DETECT_H
#define SG_KERNEL_GRID_DETECT_H

#include "model/model.h"

/* An input of the grid: MFs [first, first + count). */
typedef struct sg_grid_axis {
    size_t input, first, count;
} sg_grid_axis;

typedef struct sg_grid {
    sg_grid_axis *axis; /* (conditions), the first is the rules' slowest index */
    size_t axes;
} sg_grid;

/* False, and an empty grid, where the rules are no full grid (or there is no memory). */
bool sg_grid_detect(sg_grid *g, const sg_block *b);
void sg_grid_release(sg_grid *g);
/* Whether all its inputs, two or more, have two MFs. */
bool sg_grid_is_binary(const sg_grid *g);
/* The first question alone. */
bool sg_block_is_grid(const sg_block *b);

#endif
