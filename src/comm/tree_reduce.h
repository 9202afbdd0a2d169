/* tree_reduce.h: sums over numbered leaves in a fixed binary tree, however leaves are distributed.
 *
 * Node i of level l is the sum of the leaves [i 2^l, (i + 1) 2^l): its left half plus its right half. The owner of a
 * range of leaves holds the few largest nodes that the range covers. Nodes of adjacent ranges are concatenated, and two
 * halves are merged as soon as both are present. So every addition is one of the tree, and only nodes are sent between
 * ranks. The number of leaves need not be a power of two: at the end, the remaining nodes are added from the right. */
#pragma once

#include "base/status.h"

#include <stdbool.h>

/* Adds other to sum; the leaves of other follow those of sum. NULL: both are arrays of doubles, added element by
 * element.
 */
typedef void sg_merge_fn(const void *arg, void *sum, const void *other);

typedef struct sg_tree_reduce_node {
    unsigned level;
    size_t number;
} sg_tree_reduce_node;

typedef struct sg_tree_reduce {
    size_t size; /* bytes per sum */
    sg_merge_fn *merge;
    const void *merge_arg; /* for merge */
    size_t next;           /* next leaf */
    size_t count, capacity;
    sg_tree_reduce_node *node; /* (capacity): current nodes, in order */
    unsigned char *sum;        /* (capacity, size): their sums */
} sg_tree_reduce;

/* Returns the maximal number of nodes held at once for this number of leaves. */
size_t sg_tree_reduce_max_nodes(const sg_comm *comm, size_t leaves);

/* Initialises a reduction of `leaves` leaves, which the ranks of comm share (NULL: one process), with `spare` free
 * slots. leaves == 0: all leaves are in the spare slots, filled once before the first push. */
sg_status sg_tree_reduce_init(sg_tree_reduce *f, const sg_comm *comm, size_t leaves, size_t spare, size_t size,
                              sg_merge_fn *merge, const void *arg);
void sg_tree_reduce_release(sg_tree_reduce *f);
/* Removes all nodes. The next leaf is `leaf`. */
void sg_tree_reduce_reset(sg_tree_reduce *f, size_t leaf);
/* Returns the memory for a sum. The `spare` slots from f->count on are free. */
void *sg_tree_reduce_slot(const sg_tree_reduce *f, size_t slot);
/* Appends the next 2^level leaves, whose sum is in this slot. The slot is free afterwards. */
void sg_tree_reduce_push(sg_tree_reduce *f, unsigned level, size_t slot);

/* Returns the level of the largest node that starts at leaf `first`, ends at or before `last` and has at most 2^most
 * leaves. */
unsigned sg_tree_reduce_level(size_t first, size_t last, unsigned most);

/* Adds all nodes from the right. Returns the sum. */
void *sg_tree_reduce_finish(sg_tree_reduce *f);
/* The same over ranks; rank i holds the leaves [bound[i], bound[i + 1]). All ranks receive the sum. */
sg_status sg_tree_reduce_allreduce(sg_tree_reduce *f, const sg_comm *comm, const size_t *bound);
