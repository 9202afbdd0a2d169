/* shape.h: how the rules of a block lie in vectors.
 *
 * A full grid is an outer product: rule = head * tail + place in the tail, where the tail is the
 * last few inputs' combinations, padded to whole vectors. Any other rule base, and clustered rules
 * first of all, is one tail with a condition of its own for each rule and input. */
#ifndef SG_KERNEL_SHAPE_H
#define SG_KERNEL_SHAPE_H

#include "model/model.h"

/* An input of a grid: MFs [first, first + count). */
typedef struct sg_condition {
    size_t input, first, count;
} sg_condition;

typedef struct sg_shape {
    bool grid;
    sg_condition *condition; /* (conditions), of a grid; the tail's are the last ones */
    size_t conditions, split; /* split: how many belong to the head */
    size_t rules;
    size_t heads, tail; /* heads * tail == rules                                       */
    size_t vecs;        /* vectors of a tail                                           */
    size_t padded;      /* heads * vecs * lanes                                        */
    size_t pitch;       /* distance between two rows of `padded` numbers               */
} sg_shape;

/* False without memory. */
bool sg_shape_init(sg_shape *s, const sg_block *b, size_t lanes);
void sg_shape_release(sg_shape *s);

/* Whether the block is a full grid, first input slowest. */
bool sg_shape_is_grid(const sg_block *b);

#endif
