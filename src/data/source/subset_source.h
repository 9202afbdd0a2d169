/* subset_source.h: subsets of rows that a bitset selects. */
#pragma once

#include "data/source/select_bitset.h"
#include "data/source/source_util.h"

/* Selects the local rows of the base source whose bits are set, in their order; bit 0 is the first local row. Takes
 * ownership of the bitset, even on failure. Collective if the rows are distributed. */
sg_status sg_subset_from_bitset(const sg_source *base, sg_select_bitset *bitset, sg_subset **out);
/* Returns the row of the base source that is row `row` of the subset. This rank must hold it. */
size_t sg_subset_base_row(const sg_subset *s, size_t row);
