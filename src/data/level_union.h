/* level_union.h: the categories of several sources that are read as one: each source has codes of its own, and
 * where a column holds words in one of them, the numbers that others have there are levels by their value. */
#ifndef SG_DATA_LEVEL_UNION_H
#define SG_DATA_LEVEL_UNION_H

#include "data/source/source.h"
#include "data/string_table.h"

typedef struct sg_level_union {
    size_t parts, columns;
    sg_string_table *levels; /* (columns), none for a column of numbers; NULL: all are                      */
    uint32_t **code_map;     /* (parts, columns): the common code of each of a part's; NULL: numbers there  */
} sg_level_union;

/* Sources of the same columns. A part that has numbers where another has words is read once. c is to be
 * released, also on failure. */
sg_status sg_level_union_build(sg_level_union *c, const sg_source *part, size_t parts);
void sg_level_union_release(sg_level_union *c);

/* Makes a part's codes the common ones, in rows that were read of it. */
void sg_level_union_map(const sg_level_union *c, size_t part, double *values, size_t rows);

#endif
