/* group_table.h: rows that are alike in some columns, counted and dealt out to folds: a hash table whose places say
 * nothing. A group takes 24 bytes, with the free places at most 96. */
#ifndef SG_TRAIN_EVAL_GROUP_TABLE_H
#define SG_TRAIN_EVAL_GROUP_TABLE_H

#include "base/status.h"

#include <stdbool.h>

typedef struct sg_group {
    uint64_t key;
    size_t rows; /* 0: this place is free */
    size_t fold;
} sg_group;

/* Zeroed it is empty. */
typedef struct sg_group_table {
    size_t count, slots; /* places: 0, or a power of two */
    sg_group *slot;
} sg_group_table;

/* Rows that are alike have the same key: -0 is 0, and a missing value is a missing value. Others have another one, of
 * one column always; of several nearly so, and who takes the two for one group still leaves none of them torn. */
uint64_t sg_group_key(const double *row, const size_t *columns, size_t count);

/* So many more rows have the key. False: no memory. */
bool sg_group_table_add(sg_group_table *g, uint64_t key, size_t rows);
/* NULL where no row has it. */
const sg_group *sg_group_table_find(const sg_group_table *g, uint64_t key);
/* Those of all members become everyone's. Collective. */
sg_status sg_group_table_allgather(sg_group_table *g, const sg_comm *team);
/* Sets the fold of each group: the largest first, and of the same size in an order by the seed, each
 * to the fold that has the fewest rows. So the folds depend on groups and sizes, and not on where their rows lie. */
sg_status sg_group_table_assign_folds(sg_group_table *g, size_t k, uint64_t seed);
void sg_group_table_release(sg_group_table *g);

#endif
