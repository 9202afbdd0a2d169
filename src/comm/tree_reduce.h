/* tree_reduce.h: sums over numbered leaves in a fixed binary tree, whoever makes which of them.
 *
 * A node of level l and number i is the sum of the leaves [i 2^l, (i + 1) 2^l): its left half plus its right
 * half. Whoever has a range of leaves holds the few largest nodes that it covers; nodes of neighbouring ranges
 * are put behind each other, and two halves become a whole as soon as both are there. So every addition is
 * the tree's, and only nodes travel from one member of a team to another. At the end of all leaves, whose
 * number need not be a power of two, what is left is added up from the right. */
#ifndef SG_COMM_TREE_REDUCE_H
#define SG_COMM_TREE_REDUCE_H

#include "base/status.h"

#include <stdbool.h>

/* sum becomes sum + more, where the leaves of more follow those of sum. NULL: both are doubles, each is added. */
typedef void sg_merge_fn(const void *what, void *sum, const void *more);

typedef struct sg_tree_reduce_node {
    unsigned level;
    size_t number;
} sg_tree_reduce_node;

typedef struct sg_tree_reduce {
    size_t size; /* bytes of a sum */
    sg_merge_fn *merge;
    const void *merge_arg; /* for merge */
    size_t next;           /* leaf      */
    size_t count, capacity;
    sg_tree_reduce_node *node; /* (room): those at hand, in order  */
    unsigned char *sum;        /* (room, size): their sums         */
} sg_tree_reduce;

/* How many nodes of so many leaves are at hand at once, at most. */
size_t sg_tree_reduce_max_nodes(const sg_comm *team, size_t leaves);

/* For `leaves` leaves in all, which a team shares, or which begin here where team is NULL; with `spare` free slots.
 * leaves 0: those are all, and sums are put there once, before any is added. */
sg_status sg_tree_reduce_init(sg_tree_reduce *f, const sg_comm *team, size_t leaves, size_t spare, size_t size,
                              sg_merge_fn *merge, const void *what);
void sg_tree_reduce_release(sg_tree_reduce *f);
/* Empty; its first leaf will be this one. */
void sg_tree_reduce_reset(sg_tree_reduce *f, size_t leaf);
/* Room for a sum: slots from f->count on are free, as many as `spare`. */
void *sg_tree_reduce_slot(const sg_tree_reduce *f, size_t slot);
/* The next leaves, 2^level of them, whose sum is in this slot, which is free then. */
void sg_tree_reduce_push(sg_tree_reduce *f, unsigned level, size_t slot);

/* The largest node that begins with leaf `first` and ends before `last`, of at most 2^most leaves: its level. */
unsigned sg_tree_reduce_level(size_t first, size_t last, unsigned most);

/* All that is at hand, from the right, becomes one sum, which is returned. */
void *sg_tree_reduce_finish(sg_tree_reduce *f);
/* The same over a team, whose member i has the leaves [bound[i], bound[i + 1]): all members get the sum. */
sg_status sg_tree_reduce_allreduce(sg_tree_reduce *f, const sg_comm *team, const size_t *bound);

#endif
