/* tree_reduce.c: sums over leaves in a fixed binary tree, within a process and across ranks. */
#include "comm/tree_reduce.h"

#include "base/memory.h"

#include <stdlib.h>
#include <string.h>

static unsigned ceil_log2(size_t n)
{
    unsigned k = 0;
    while (k < 63 && (size_t)1 << k < n) k++;
    return k;
}

/* A range of leaves that starts at leaf 0 holds at most one node per level, and any other range holds at most two.
 * Another rank may send as many again. */
size_t sg_tree_reduce_max_nodes(const sg_comm *comm, size_t leaves)
{
    size_t levels = leaves ? ceil_log2(leaves) + 1 : 0;
    return comm ? 4 * levels : levels;
}

sg_status sg_tree_reduce_init(sg_tree_reduce *f, const sg_comm *comm, size_t leaves, size_t spare, size_t size,
                              sg_merge_fn *merge, const void *arg)
{
    *f = (sg_tree_reduce){
        .size = size, .merge = merge, .merge_arg = arg, .capacity = sg_tree_reduce_max_nodes(comm, leaves) + spare};
    f->node = sg_calloc(f->capacity, sizeof *f->node);
    f->sum = sg_calloc(f->capacity, size);
    if (f->node && f->sum) return SG_OK;
    sg_tree_reduce_release(f);
    return sg_fail_out_of_memory("a sum over rows");
}

void sg_tree_reduce_release(sg_tree_reduce *f)
{
    free(f->node);
    free(f->sum);
    *f = (sg_tree_reduce){0};
}

void sg_tree_reduce_reset(sg_tree_reduce *f, size_t leaf)
{
    f->next = leaf;
    f->count = 0;
}

static unsigned char *sum_at(const sg_tree_reduce *f, size_t slot) { return f->sum + slot * f->size; }

void *sg_tree_reduce_slot(const sg_tree_reduce *f, size_t slot) { return sum_at(f, slot); }

unsigned sg_tree_reduce_level(size_t first, size_t last, unsigned most)
{
    unsigned level = 0;
    while (level < most && first % ((size_t)2 << level) == 0 && (size_t)2 << level <= last - first) level++;
    return level;
}

/* Adds the sum in slot i + 1 to the sum in slot i. */
static void merge_adjacent_sums(const sg_tree_reduce *f, size_t i)
{
    if (f->merge) {
        f->merge(f->merge_arg, sum_at(f, i), sum_at(f, i + 1));
        return;
    }
    double *to = sg_tree_reduce_slot(f, i);
    const double *from = sg_tree_reduce_slot(f, i + 1);
    for (size_t k = 0; k < f->size / sizeof *to; k++) to[k] += from[k];
}

static bool are_siblings(const sg_tree_reduce_node *a, const sg_tree_reduce_node *b)
{
    return a->level == b->level && a->number % 2 == 0;
}

/* Merges the last two nodes as long as they are the halves of one node. */
static void merge_halves(sg_tree_reduce *f)
{
    while (f->count > 1 && are_siblings(&f->node[f->count - 2], &f->node[f->count - 1])) {
        merge_adjacent_sums(f, f->count - 2);
        f->count--;
        sg_tree_reduce_node *whole = &f->node[f->count - 1];
        whole->level++;
        whole->number /= 2;
    }
}

static void push_node(sg_tree_reduce *f, unsigned level, const unsigned char *sum)
{
    if (sum != sum_at(f, f->count)) memmove(sum_at(f, f->count), sum, f->size);
    f->node[f->count++] = (sg_tree_reduce_node){level, f->next >> level};
    f->next += (size_t)1 << level;
    merge_halves(f);
}

void sg_tree_reduce_push(sg_tree_reduce *f, unsigned level, size_t slot) { push_node(f, level, sum_at(f, slot)); }

void *sg_tree_reduce_finish(sg_tree_reduce *f)
{
    while (f->count > 1) {
        merge_adjacent_sums(f, f->count - 2);
        f->count--;
    }
    return f->sum;
}

/* --- Across ranks --- */

/* Returns the number of nodes that cover the leaves [first, last). */
static size_t node_count(size_t first, size_t last)
{
    size_t n = 0;
    for (; first < last; n++) first += (size_t)1 << sg_tree_reduce_level(first, last, 63);
    return n;
}

/* Receives the nodes of the leaves [f->next, last) from another rank and pushes them. */
static sg_status receive_sums(sg_tree_reduce *f, const sg_comm *comm, size_t from, size_t last)
{
    const size_t base = f->count, n = node_count(f->next, last);
    sg_status st = n ? comm->recv(comm->self, from, sum_at(f, base), n * f->size) : SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++)
        push_node(f, sg_tree_reduce_level(f->next, last, 63), sum_at(f, base + i));
    return st;
}

/* The ranks form a binary tree: each receives the nodes of the next rank, then of the next two, four and so on. */
sg_status sg_tree_reduce_allreduce(sg_tree_reduce *f, const sg_comm *comm, const size_t *bound)
{
    sg_status st = SG_OK;
    for (size_t step = 1; st == SG_OK && step < comm->ranks; step *= 2) {
        size_t end = comm->rank + 2 * step < comm->ranks ? comm->rank + 2 * step : comm->ranks;
        if (comm->rank % (2 * step) != 0) {
            if (f->count) st = comm->send(comm->self, comm->rank - step, f->sum, f->count * f->size);
            break;
        }
        if (comm->rank + step < comm->ranks) st = receive_sums(f, comm, comm->rank + step, bound[end]);
    }
    if (st != SG_OK) return st;
    if (comm->rank == 0) sg_tree_reduce_finish(f);
    f->count = 1;
    return comm->bcast(comm->self, 0, f->sum, f->size);
}
