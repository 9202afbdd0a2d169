/* row_groups.c: a hash table of groups of rows, and their balanced assignment to folds. */
#include "train/eval/row_groups.h"

#include "base/memory.h"
#include "base/random/random.h"
#include "base/splitmix64.h"
#include "comm/collectives.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

static sg_status no_group_memory(void) { return sg_fail(SG_ENOMEM, "out of memory while grouping rows"); }

uint64_t sg_group_key(const double *row, const size_t *columns, size_t count)
{
    uint64_t key = 0, bits;
    for (size_t i = 0; i < count; i++) {
        double cell = row[columns[i]];
        cell = isnan(cell) ? (double)NAN : cell + 0.0;
        memcpy(&bits, &cell, sizeof bits);
        key = sg_splitmix64_mix((key ^ bits) + SG_GOLDEN_RATIO_64);
    }
    return key;
}

/* Returns the slot of the key, or the free slot where it belongs. */
static sg_group *find_slot(const sg_group_table *g, uint64_t key)
{
    size_t i = key & (g->slots - 1);
    while (g->slot[i].rows && g->slot[i].key != key) i = (i + 1) & (g->slots - 1);
    return &g->slot[i];
}

static bool grow_table(sg_group_table *g)
{
    sg_group_table grown = {.count = g->count, .slots = g->slots ? 2 * g->slots : 64};
    if (!(grown.slot = sg_calloc(grown.slots, sizeof *grown.slot))) return false;
    for (size_t i = 0; i < g->slots; i++)
        if (g->slot[i].rows) *find_slot(&grown, g->slot[i].key) = g->slot[i];
    free(g->slot);
    *g = grown;
    return true;
}

bool sg_group_table_add(sg_group_table *g, uint64_t key, size_t rows)
{
    if (2 * g->count >= g->slots && !grow_table(g)) return false;
    sg_group *p = find_slot(g, key);
    g->count += p->rows == 0;
    p->key = key;
    p->rows += rows;
    return true;
}

const sg_group *sg_group_table_find(const sg_group_table *g, uint64_t key)
{
    const sg_group *p = g->slots ? find_slot(g, key) : NULL;
    return p && p->rows ? p : NULL;
}

void sg_group_table_release(sg_group_table *g)
{
    free(g->slot);
    *g = (sg_group_table){0};
}

/* Adds the groups of rank `from` to the tables of all ranks. */
static sg_status bcast_groups(const sg_comm *comm, size_t from, const sg_group_table *mine, sg_group_table *all)
{
    size_t n = mine->count;
    sg_status st = sg_comm_bcast(comm, from, &n, sizeof n);
    sg_group *list = st == SG_OK ? sg_calloc(n, sizeof *list) : NULL;
    if (!list) return st == SG_OK ? no_group_memory() : st;
    for (size_t i = 0, k = 0; sg_comm_rank(comm) == from && i < mine->slots; i++)
        if (mine->slot[i].rows) list[k++] = mine->slot[i];
    st = sg_comm_bcast(comm, from, list, n * sizeof *list);
    for (size_t i = 0; st == SG_OK && i < n; i++)
        if (!sg_group_table_add(all, list[i].key, list[i].rows)) st = no_group_memory();
    free(list);
    return st;
}

sg_status sg_group_table_allgather(sg_group_table *g, const sg_comm *comm)
{
    sg_group_table all = {0};
    sg_status st = SG_OK;
    if (!comm) return SG_OK;
    for (size_t i = 0; st == SG_OK && i < comm->ranks; i++) st = bcast_groups(comm, i, g, &all);
    sg_group_table_release(g);
    *g = all;
    return st;
}

/* --- balanced assignment of groups to folds --- */

typedef struct group_order {
    sg_group *group;
    uint64_t order; /* a random number that breaks ties */
} group_order;

static int compare(uint64_t a, uint64_t b) { return (a > b) - (a < b); }

static int by_size(const void *a, const void *b)
{
    const group_order *p = a, *q = b;
    if (p->group->rows != q->group->rows) return compare(q->group->rows, p->group->rows);
    if (p->order != q->order) return compare(p->order, q->order);
    return compare(p->group->key, q->group->key);
}

static void sort_groups(const sg_group_table *g, uint64_t seed, group_order *sorted)
{
    size_t n = 0;
    for (size_t i = 0; i < g->slots; i++) {
        if (!g->slot[i].rows) continue;
        sg_random_block w = sg_random(seed, SG_RANDOM_GROUP_FOLDS, 0, g->slot[i].key, 0);
        sorted[n++] = (group_order){&g->slot[i], (uint64_t)w.word[0] << 32 | w.word[1]};
    }
    qsort(sorted, n, sizeof *sorted, by_size);
}

typedef struct fold_size {
    size_t rows, fold;
} fold_size;

static bool is_smaller(const fold_size *a, const fold_size *b)
{
    return a->rows != b->rows ? a->rows < b->rows : a->fold < b->fold;
}

/* Restores the min-heap after its top has grown. */
static void sift_down(fold_size *heap, size_t k)
{
    for (size_t i = 0, least;; i = least) {
        least = i;
        for (size_t child = 2 * i + 1; child <= 2 * i + 2 && child < k; child++)
            if (is_smaller(&heap[child], &heap[least])) least = child;
        if (least == i) return;
        fold_size grown = heap[i];
        heap[i] = heap[least];
        heap[least] = grown;
    }
}

sg_status sg_group_table_assign_folds(sg_group_table *g, size_t k, uint64_t seed)
{
    group_order *sorted = sg_calloc(g->count, sizeof *sorted);
    fold_size *heap = sg_calloc(k, sizeof *heap);
    bool ok = sorted && heap;
    if (ok) sort_groups(g, seed, sorted);
    for (size_t i = 0; ok && i < k; i++) heap[i].fold = i;
    for (size_t i = 0; ok && i < g->count; i++) {
        sorted[i].group->fold = heap[0].fold;
        heap[0].rows += sorted[i].group->rows;
        sift_down(heap, k);
    }
    free(sorted);
    free(heap);
    return ok ? SG_OK : no_group_memory();
}
