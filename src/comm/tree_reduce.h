/* tree_reduce.h: sums over numbered leaves in a fixed binary tree, however the leaves are distributed.
 *
 * Node i of level l is the sum of the leaves [i 2^l, (i + 1) 2^l): its left half plus its right half. The owner of a
 * range of leaves holds the few largest nodes that the range covers. Nodes of adjacent ranges are concatenated, and two
 * halves are merged as soon as both are present. Thus every addition belongs to the tree, and ranks exchange only
 * nodes. The number of leaves need not be a power of two: at the end, the remaining nodes are added from the right. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Adds `other`, whose leaves follow those of `sum`, to `sum`. If the function is NULL, arrays of doubles are added. */
typedef void sg_merge_fn(const void *arg, void *sum, const void *other);

typedef struct sg_tree_reduce_node {
    unsigned level;
    size_t number;
} sg_tree_reduce_node;

typedef struct sg_tree_reduce {
    size_t size; /* bytes per sum */
    sg_merge_fn *merge;
    const void *merge_arg; /* first argument of merge */
    size_t next;           /* number of the next leaf */
    size_t count, capacity;
    sg_tree_reduce_node *node; /* (capacity): current nodes, in order */
    unsigned char *sum;        /* (capacity, size): their sums */
} sg_tree_reduce;

/* Returns the maximum number of nodes that a sum over this many leaves holds at once. */
size_t sg_tree_reduce_max_nodes(const sg_comm *comm, size_t leaves);

/* Initialises a sum over `leaves` leaves, all of them in this process if comm is NULL, with `spare` free slots. If
 * `leaves` is 0, the spare slots hold all leaves, and must be filled before the first push. */
sg_status sg_tree_reduce_init(sg_tree_reduce *f, const sg_comm *comm, size_t leaves, size_t spare, size_t size,
                              sg_merge_fn *merge, const void *arg);
void sg_tree_reduce_release(sg_tree_reduce *f);
/* Removes all nodes, and makes `leaf` the next leaf. */
void sg_tree_reduce_reset(sg_tree_reduce *f, size_t leaf);
/* Returns the sum in a slot. The `spare` slots that start at f->count are free. */
void *sg_tree_reduce_slot(const sg_tree_reduce *f, size_t slot);
/* Appends the next 2^level leaves, whose sum is in this slot. The slot is free afterwards. */
void sg_tree_reduce_push(sg_tree_reduce *f, unsigned level, size_t slot);

/* Returns the level of the largest node that starts at leaf `first`, ends at or before `last` and has at most 2^most
 * leaves. */
unsigned sg_tree_reduce_level(size_t first, size_t last, unsigned most);

/* Adds up the remaining nodes, from the right. Returns the sum. */
void *sg_tree_reduce_finish(sg_tree_reduce *f);
/* Adds up the nodes of all ranks. Rank i holds the leaves [bound[i], bound[i + 1]). f->sum becomes the sum on all
 * ranks. */
sg_status sg_tree_reduce_allreduce(sg_tree_reduce *f, const sg_comm *comm, const size_t *bound);
