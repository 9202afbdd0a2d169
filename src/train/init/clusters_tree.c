/* clusters_tree.c: makes clusters of the leaves of a regression tree, which is grown best-first. */
#include "train/init/clusters.h"

#include "base/memory.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

enum { MIN_LEAF_ROWS = 5 }; /* minimum number of rows in a leaf */

/* A leaf of the tree, and its best split. */
typedef struct leaf {
    size_t first, last; /* range of tree.row */
    double gain;        /* decrease in the squared error due to the split; 0: no split */
    size_t input;       /* rows with x[input] <= at go left */
    double at;
} leaf;

typedef struct cell {
    double x;
    size_t row;
} cell;

typedef struct tree {
    const sg_clusters *c;
    size_t leaves;
    leaf *leaf;         /* (k) */
    double *low, *high; /* (k, inputs): boxes of the leaves; infinite if unbounded */
    size_t *row;        /* (rows), grouped by leaf */
    size_t *spare;      /* (rows) */
    cell *cell;         /* (rows) */
    double *left, *all; /* (targets): sums of targets in the left part, and in the leaf */
} tree;

static const double *targets_of(const tree *t, size_t row) { return sg_clusters_row(t->c, row) + t->c->width; }

/* --- splits --- */

static int by_value(const void *a, const void *b)
{
    const cell *x = a, *y = b;
    if (x->x != y->x) return x->x < y->x ? -1 : 1;
    return (x->row > y->row) - (x->row < y->row);
}

/* Returns the decrease of the squared error if the first `left` of n rows are split off. */
static double split_gain(const tree *t, size_t left, size_t n)
{
    double gain = 0;
    for (size_t k = 0; k < t->c->targets; k++) {
        double l = t->left[k], r = t->all[k] - l;
        gain += l * l / (double)left + r * r / (double)(n - left) - t->all[k] * t->all[k] / (double)n;
    }
    return gain;
}

static void scan_splits(const tree *t, leaf *l, size_t input)
{
    size_t n = l->last - l->first, targets = t->c->targets;
    for (size_t i = 0; i < n; i++) {
        size_t row = t->row[l->first + i];
        t->cell[i] = (cell){sg_clusters_row(t->c, row)[input], row};
    }
    qsort(t->cell, n, sizeof *t->cell, by_value);
    memset(t->left, 0, targets * sizeof *t->left);
    for (size_t i = 0; i + MIN_LEAF_ROWS < n; i++) {
        for (size_t k = 0; k < targets; k++) t->left[k] += targets_of(t, t->cell[i].row)[k];
        if (i + 1 < MIN_LEAF_ROWS || !(t->cell[i].x < t->cell[i + 1].x)) continue;
        double gain = split_gain(t, i + 1, n);
        if (!(gain > l->gain)) continue;
        l->gain = gain;
        l->input = input;
        l->at = t->cell[i].x + (t->cell[i + 1].x - t->cell[i].x) / 2;
        if (!(l->at < t->cell[i + 1].x)) l->at = t->cell[i].x;
    }
}

static void find_best_split(const tree *t, leaf *l)
{
    l->gain = 0;
    memset(t->all, 0, t->c->targets * sizeof *t->all);
    for (size_t i = l->first; i < l->last; i++)
        for (size_t k = 0; k < t->c->targets; k++) t->all[k] += targets_of(t, t->row[i])[k];
    for (size_t input = 0; input < t->c->inputs; input++) scan_splits(t, l, input);
}

/* --- growth --- */

/* Partitions the rows of a leaf by its split, in stable order. Returns the position where the right part begins. */
static size_t partition_rows(const tree *t, const leaf *l)
{
    size_t to = l->first, right = 0;
    for (size_t i = l->first; i < l->last; i++) {
        size_t row = t->row[i];
        if (sg_clusters_row(t->c, row)[l->input] <= l->at) t->row[to++] = row;
        else t->spare[right++] = row;
    }
    memcpy(t->row + to, t->spare, right * sizeof *t->row);
    return to;
}

static void split_leaf(tree *t, size_t i)
{
    size_t inputs = t->c->inputs, input = t->leaf[i].input, more = t->leaves++;
    double at = t->leaf[i].at;
    t->leaf[more] = t->leaf[i];
    memcpy(t->low + more * inputs, t->low + i * inputs, inputs * sizeof *t->low);
    memcpy(t->high + more * inputs, t->high + i * inputs, inputs * sizeof *t->high);
    t->leaf[i].last = t->leaf[more].first = partition_rows(t, &t->leaf[i]);
    t->high[i * inputs + input] = at;
    t->low[more * inputs + input] = at;
    find_best_split(t, &t->leaf[i]);
    find_best_split(t, &t->leaf[more]);
}

/* Returns the minimum gain of a split: smaller gains are negligible or due to rounding. */
static double min_gain(const sg_clusters *c)
{
    double least = 0;
    for (size_t k = 0; k < c->targets; k++) {
        double sum = 0, square = 0, around = 0;
        for (size_t i = 0; i < c->rows; i++) sum += sg_clusters_row(c, i)[c->width + k];
        for (size_t i = 0; i < c->rows; i++) {
            double y = sg_clusters_row(c, i)[c->width + k], off = y - sum / (double)c->rows;
            square += y * y;
            around += off * off;
        }
        least += fmax(1e-9 * around, 1e-13 * square);
    }
    return least;
}

static void grow_tree(tree *t)
{
    const sg_clusters *c = t->c;
    double least = min_gain(c);
    for (size_t i = 0; i < c->k * c->inputs; i++) {
        t->low[i] = -INFINITY;
        t->high[i] = INFINITY;
    }
    for (size_t i = 0; i < c->rows; i++) t->row[i] = i;
    t->leaf[0] = (leaf){.last = c->rows};
    t->leaves = 1;
    find_best_split(t, &t->leaf[0]);
    while (t->leaves < c->k) {
        size_t best = 0;
        for (size_t i = 1; i < t->leaves; i++)
            if (t->leaf[i].gain > t->leaf[best].gain) best = i;
        if (!(t->leaf[best].gain > least)) return;
        split_leaf(t, best);
    }
}

/* --- boxes --- */

/* Sets centre and widths from the box of a leaf. An unbounded side of the box ends at the outermost row. */
static void box_to_cluster(const tree *t, sg_clusters *c, size_t i)
{
    const leaf *l = &t->leaf[i];
    for (size_t k = 0; k < c->inputs; k++) {
        double low = t->low[i * c->inputs + k], high = t->high[i * c->inputs + k], least = INFINITY, most = -INFINITY;
        bool has_condition = isfinite(low) || isfinite(high);
        for (size_t n = l->first; n < l->last; n++) {
            least = fmin(least, sg_clusters_row(c, t->row[n])[k]);
            most = fmax(most, sg_clusters_row(c, t->row[n])[k]);
        }
        if (!isfinite(low)) low = least;
        if (!isfinite(high)) high = most;
        c->centre[i * c->width + k] = low / 2 + high / 2;
        double *sigma = &c->sigma[i * c->inputs + k], narrowest = 1e-3 * *sigma;
        *sigma = has_condition ? fmax((high - low) / 2, narrowest) : 0;
    }
}

sg_status sg_clusters_tree(sg_clusters *c, uint64_t seed)
{
    size_t rows = c->rows, boxes = c->k * c->inputs;
    tree t = {.c = c,
              .leaf = sg_calloc(c->k, sizeof *t.leaf),
              .row = sg_calloc(2 * rows, sizeof *t.row),
              .cell = sg_calloc(rows, sizeof *t.cell),
              .low = sg_calloc(2 * (boxes + c->targets), sizeof *t.low)};
    bool ok = t.leaf && t.row && t.cell && t.low;
    (void)seed;
    if (ok) {
        t.spare = t.row + rows;
        t.high = t.low + boxes;
        t.left = t.high + boxes;
        t.all = t.left + c->targets;
        grow_tree(&t);
        for (size_t i = 0; i < t.leaves; i++) box_to_cluster(&t, c, i);
        c->k = t.leaves;
    }
    sg_free_all(t.leaf, t.row, t.cell, t.low);
    return ok ? SG_OK : sg_fail_out_of_memory("a regression tree");
}
