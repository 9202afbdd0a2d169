/* folds.c: random, ordered and grouped folds of cross-validation; a hash table of groups and their balanced assignment.
 */
#include "train/eval/folds.h"

#include "base/hash64.h"
#include "base/memory.h"
#include "base/part_range.h"
#include "base/random/random.h"
#include "comm/comm.h"

#include <math.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>

typedef enum fold_kind { RANDOM, ORDERED, GROUPED } fold_kind;

struct sg_folds {
    fold_kind kind;
    sg_source rows;
    size_t k;
    uint64_t seed;
    uint16_t *fold; /* grouped: (local rows) */
    size_t first;   /* the first local row   */
    size_t rows_without_group;
};

void sg_folds_free(sg_folds *f)
{
    if (!f) return;
    free(f->fold);
    free(f);
}

static sg_status fail_out_of_memory(const sg_source *rows)
{
    return sg_fail(SG_ENOMEM, "out of memory for the folds of %zu rows", rows->rows);
}

static sg_status new_folds(sg_folds with, sg_folds **out)
{
    sg_folds *f = sg_calloc(1, sizeof *f);
    if (!f) return fail_out_of_memory(&with.rows);
    *f = with;
    *out = f;
    return SG_OK;
}

sg_status sg_folds_random(const sg_source *rows, size_t k, uint64_t seed, sg_folds **out)
{
    return new_folds((sg_folds){.kind = RANDOM, .rows = *rows, .k = k, .seed = seed}, out);
}

sg_status sg_folds_ordered(const sg_source *rows, size_t k, sg_folds **out)
{
    return new_folds((sg_folds){.kind = ORDERED, .rows = *rows, .k = k}, out);
}

/* --- the table of groups --- */

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

/* The slot of the key, or the free slot for it. */
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

/* Adds the groups of rank `from` on all ranks. */
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
    uint64_t order; /* random, for ties */
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

/* --- groups --- */

typedef struct group_scan {
    const size_t *columns;
    size_t count, width;
    sg_group_table groups;
    uint16_t *fold; /* of the next row */
} group_scan;

static sg_status count_rows(void *arg, const double *row, size_t n)
{
    group_scan *w = arg;
    for (size_t i = 0; i < n; i++, row += w->width)
        if (!sg_group_table_add(&w->groups, sg_group_key(row, w->columns, w->count), 1)) return no_group_memory();
    return SG_OK;
}

/* Sources other than files do not report changes of their data. */
static sg_status assign_rows(void *arg, const double *row, size_t n)
{
    group_scan *w = arg;
    for (size_t i = 0; i < n; i++, row += w->width) {
        const sg_group *g = sg_group_table_find(&w->groups, sg_group_key(row, w->columns, w->count));
        if (!g) return sg_fail(SG_EDATA, "the rows changed while they were read");
        *w->fold++ = (uint16_t)g->fold;
    }
    return SG_OK;
}

static sg_status fail_too_few_groups(const sg_source *rows, const size_t *columns, size_t count, size_t k, size_t found)
{
    char where[96], shown[64];
    const char *name = rows->names[columns[0]];
    if (count == 1)
        snprintf(where, sizeof where, "column \"%s\"", sg_quote_excerpt(name, strlen(name), shown, sizeof shown));
    else snprintf(where, sizeof where, "%zu columns", count);
    return sg_fail(SG_EDATA, "%s: %zu folds need at least %zu groups with distinct values in %s, found %zu",
                   sg_source_name(rows), k, k, where, found);
}

/* Counts the rows with missing values in all group columns. */
static sg_status count_rows_without_group(sg_folds *f, const group_scan *w)
{
    double *blank = sg_calloc(w->width, sizeof *blank);
    if (!blank) return fail_out_of_memory(&f->rows);
    for (size_t i = 0; i < w->width; i++) blank[i] = NAN;
    const sg_group *g = sg_group_table_find(&w->groups, sg_group_key(blank, w->columns, w->count));
    f->rows_without_group = g ? g->rows : 0;
    free(blank);
    return SG_OK;
}

static sg_status assign_groups(sg_folds *f, group_scan *w)
{
    const sg_source *s = &f->rows;
    sg_status st = sg_comm_agree_status(s->comm, sg_source_for_each_block(s, count_rows, w));
    if (st == SG_OK) st = sg_group_table_allgather(&w->groups, s->comm);
    if (st == SG_OK && w->groups.count < f->k) st = fail_too_few_groups(s, w->columns, w->count, f->k, w->groups.count);
    if (st == SG_OK) st = sg_group_table_assign_folds(&w->groups, f->k, f->seed);
    if (st == SG_OK) st = count_rows_without_group(f, w);
    return st == SG_OK ? sg_comm_agree_status(s->comm, sg_source_for_each_block(s, assign_rows, w)) : st;
}

sg_status sg_folds_grouped(const sg_source *rows, const size_t *columns, size_t count, size_t k, uint64_t seed,
                           sg_folds **out)
{
    sg_folds f = {.kind = GROUPED, .rows = *rows, .k = k, .seed = seed};
    size_t end;
    if (k < 1 || k > UINT16_MAX) return sg_fail(SG_EINVAL, "%zu folds; expected 1 to %d", k, UINT16_MAX);
    sg_source_local_range(rows, &f.first, &end);
    f.fold = sg_calloc(end - f.first, sizeof *f.fold);
    group_scan w = {.columns = columns, .count = count, .width = rows->columns, .fold = f.fold};
    sg_status st = sg_comm_agree_status(rows->comm, f.fold ? SG_OK : fail_out_of_memory(rows));
    if (st == SG_OK) st = assign_groups(&f, &w);
    sg_group_table_release(&w.groups);
    if (st == SG_OK) st = new_folds(f, out);
    if (st != SG_OK) free(f.fold);
    return st;
}

/* --- rows of a fold --- */

size_t sg_folds_find(const sg_folds *f, size_t row)
{
    size_t rows = f->rows.rows;
    switch (f->kind) {
    case RANDOM:
        return sg_part_of(rows, f->k, sg_random_permute(f->seed, SG_RANDOM_SPLIT, rows, row));
    case ORDERED:
        return sg_part_of(rows, f->k + 1, row) - 1; /* SG_NO_FOLD is -1 */
    default:
        return f->fold[row - f->first];
    }
}

size_t sg_folds_rows_without_group(const sg_folds *f) { return f->rows_without_group; }

static bool is_trained_on(const sg_folds *f, size_t fold, size_t i)
{
    return f->kind == ORDERED ? fold == SG_NO_FOLD || fold < i : fold != i;
}

sg_status sg_folds_rows(const sg_folds *f, size_t i, bool held_out, sg_subset **out)
{
    sg_select_bitset marks;
    size_t begin, end;
    sg_source_local_range(&f->rows, &begin, &end);
    if (!sg_select_bitset_init(&marks, end - begin)) return fail_out_of_memory(&f->rows);
    for (size_t row = begin; row < end; row++) {
        size_t fold = sg_folds_find(f, row);
        if (held_out ? fold == i : is_trained_on(f, fold, i)) sg_select_bitset_set(&marks, row - begin);
    }
    return sg_subset_from_bitset(&f->rows, &marks, out);
}
