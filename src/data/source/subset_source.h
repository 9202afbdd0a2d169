/* subset_source.h: choices of rows that the library makes itself. */
#ifndef SG_DATA_SOURCE_SUBSET_SOURCE_H
#define SG_DATA_SOURCE_SUBSET_SOURCE_H

#include "data/source/rank_bitset.h"
#include "data/source/source.h"

/* The rows that are marked, in the order of the source, of those that it has here: marks begin with the first of
 * them. Takes the marks over, also on failure. Collective for rows of a team. */
sg_status sg_subset_from_bitset(const sg_source *of, sg_rank_bitset *bitset, sg_subset **out);
/* The number of one of its rows that are here, in the source that it is of. */
size_t sg_subset_base_row(const sg_subset *s, size_t row);

#endif
