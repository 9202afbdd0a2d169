/* groups.h: rows that are alike in some columns, counted and dealt out to folds: a hash table whose places say
 * nothing. A group takes 24 bytes, with the free places at most 96. */
#ifndef SG_TRAIN_GROUPS_H
#define SG_TRAIN_GROUPS_H

#include "base/status.h"

#include <stdbool.h>

typedef struct sg_group {
    uint64_t key;
    size_t rows; /* 0: this place is free */
    size_t fold;
} sg_group;

/* Zeroed it is empty. */
typedef struct sg_groups {
    size_t count, places; /* places: 0, or a power of two */
    sg_group *place;
} sg_groups;

/* Rows that are alike have the same key: -0 is 0, and a missing value is a missing value. Others have another one, of
 * one column always; of several nearly so, and who takes the two for one group still leaves none of them torn. */
uint64_t sg_group_key(const double *row, const size_t *columns, size_t count);

/* So many more rows have the key. False: no memory. */
bool sg_groups_add(sg_groups *g, uint64_t key, size_t rows);
/* NULL where no row has it. */
const sg_group *sg_groups_find(const sg_groups *g, uint64_t key);
/* Those of all members become everyone's. Collective. */
sg_status sg_groups_unite(sg_groups *g, const sg_team *team);
/* Sets the fold of each group: the largest first, and of the same size in an order by the seed, each
 * to the fold that has the fewest rows. So the folds depend on groups and sizes, and not on where their rows lie. */
sg_status sg_groups_deal(sg_groups *g, size_t k, uint64_t seed);
void sg_groups_release(sg_groups *g);

#endif
