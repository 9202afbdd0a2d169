/* row_groups.h: groups of rows with equal values in some columns, which cross-validation must not split. */
#pragma once

#include "comm/collectives.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_group {
    uint64_t key;
    size_t rows; /* 0: the slot is free */
    size_t fold;
} sg_group;

/* A zero-initialised table is empty. */
typedef struct sg_group_table {
    size_t count, slots; /* slots: 0 or a power of two */
    sg_group *slot;
} sg_group_table;

/* Returns the key of a row. Rows with equal values have equal keys; -0 equals 0, and all missing values are equal. Keys
 * of one column have no collisions. With several columns, a hash collision merges two groups, but never splits one. */
uint64_t sg_group_key(const double *row, const size_t *columns, size_t count);

/* Adds rows to the group of a key. Returns false if out of memory. */
bool sg_group_table_add(sg_group_table *g, uint64_t key, size_t rows);
/* Returns the group of a key, or NULL if no row has this key. */
const sg_group *sg_group_table_find(const sg_group_table *g, uint64_t key);
/* Replaces the table of every rank with the merged tables of all ranks. Collective. */
sg_status sg_group_table_allgather(sg_group_table *g, const sg_comm *comm);
/* Assigns each group to the fold that has the fewest rows so far, in order of decreasing size, and in random order
 * among groups of equal size. Apart from the seed, the result depends only on the keys and sizes of the groups. */
sg_status sg_group_table_assign_folds(sg_group_table *g, size_t k, uint64_t seed);
void sg_group_table_release(sg_group_table *g);
