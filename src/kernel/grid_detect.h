/* grid_detect.h: detects whether the rules of a block are a full grid: the Cartesian product of the inputs' MFs. */
#pragma once

#include "model/model.h"

/* An input of the grid with the MFs [first, first + count). */
typedef struct sg_grid_axis {
    size_t input, first, count;
} sg_grid_axis;

typedef struct sg_grid {
    sg_grid_axis *axis; /* (axes); the MFs of the first change most slowly over the rules */
    size_t axes;
} sg_grid;

/* Finds the grid. Returns false and an empty grid if the rules are not a full grid or memory is exhausted. */
bool sg_grid_detect(sg_grid *g, const sg_block *b);
void sg_grid_release(sg_grid *g);
/* Returns whether the grid has at least two inputs, each with two MFs. */
bool sg_grid_is_binary(const sg_grid *g);
/* Like sg_grid_detect, but does not return the grid. */
bool sg_block_is_grid(const sg_block *b);
