/* row_groups.h: groups of rows with equal values in some columns, which cross-validation must not split. */
#pragma once

#include "comm/comm.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

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
