/* folds.h: assigns rows to the folds of cross-validation, at random, in order, or by groups, and makes out-of-fold
 * predictions. The folds do not depend on threads, ranks or the size of reads. */
#pragma once

#include "base/thread/thread_pool.h"
#include "data/source/subset_source.h"
#include "model/model.h"

#include <stdbool.h>

/* Copies the source; its data must outlive the folds. */
typedef struct sg_folds sg_folds;

#define SG_NO_FOLD ((size_t)-1)

/* k random parts. */
sg_status sg_folds_random(const sg_source *rows, size_t k, uint64_t seed, sg_folds **out);
/* k + 1 consecutive parts. Fold i holds out part i + 1 and is trained on the parts before it. */
sg_status sg_folds_ordered(const sg_source *rows, size_t k, sg_folds **out);
/* Rows with equal values in these columns form a group; groups are not split. Folds have nearly the same size if groups
 * are small. There must be at least k groups, and k is at most 65,535. Reads the rows twice. Needs two bytes per local
 * row, and up to 112 bytes per group during construction. Collective if the source is distributed. */
sg_status sg_folds_grouped(const sg_source *rows, const size_t *columns, size_t count, size_t k, uint64_t seed,
                           sg_folds **out);
void sg_folds_free(sg_folds *f);

/* The fold that holds out a local row, 0 .. k-1; SG_NO_FOLD for the first part of ordered folds. */
size_t sg_folds_find(const sg_folds *f, size_t row);
/* The number of rows with missing values in all group columns. */
size_t sg_folds_rows_without_group(const sg_folds *f);
/* Selects the rows that fold i holds out, or is trained on. Collective if the source is distributed. */
sg_status sg_folds_rows(const sg_folds *f, size_t i, bool held_out, sg_subset **out);

/* --- groups of rows --- */

typedef struct sg_group {
    uint64_t key;
    size_t rows; /* 0: a free slot */
    size_t fold;
} sg_group;

/* Zero-initialised, it is empty. */
typedef struct sg_group_table {
    size_t count, slots; /* slots: 0 or a power of two */
    sg_group *slot;
} sg_group_table;

/* The key of a row: equal for equal values, where -0 equals 0 and missing values are equal. Keys of one column have no
 * collisions. With several columns a hash collision merges two groups; it never splits one. */
uint64_t sg_group_key(const double *row, const size_t *columns, size_t count);

/* Adds rows to the group of a key. Returns false if out of memory. */
bool sg_group_table_add(sg_group_table *g, uint64_t key, size_t rows);
/* Returns NULL if no row has the key. */
const sg_group *sg_group_table_find(const sg_group_table *g, uint64_t key);
/* Merges the tables of all ranks on all ranks. Collective. */
sg_status sg_group_table_allgather(sg_group_table *g, const sg_comm *comm);
/* Assigns a fold to each group: in order of decreasing size, ties in random order, each to the fold with the fewest
 * rows. The result depends only on keys and sizes of the groups. */
sg_status sg_group_table_assign_folds(sg_group_table *g, size_t k, uint64_t seed);
void sg_group_table_release(sg_group_table *g);

/* --- out-of-fold predictions: each row is predicted by the model that was trained without it (out_of_fold.c) --- */

typedef struct sg_out_of_fold {
    const sg_source *rows;
    const size_t *target;    /* (outputs): columns of the targets */
    const sg_subset *subset; /* emit base row numbers of this subset, which the rows are; or NULL */
    const sg_folds *folds;
    sg_model *const *model; /* (models): of the first folds; rows of other folds are skipped */
    size_t models, outputs;
    sg_out_of_fold_fn *emit;
    void *arg;
} sg_out_of_fold;

/* Calls emit for each row in order. Memory does not depend on the number of rows. Collective if the source is
 * distributed: rank 0 emits all rows. pool may be NULL. */
sg_status sg_out_of_fold_predict(const sg_out_of_fold *o, sg_thread_pool *pool);
