/* common_levels.h: the categories of several sources that are read as one: each source has codes of its own, and
 * where a column holds words in one of them, the numbers that others have there are levels by their value. */
#ifndef SG_DATA_COMMON_LEVELS_H
#define SG_DATA_COMMON_LEVELS_H

#include "data/levels.h"
#include "data/source.h"

typedef struct sg_common_levels {
    size_t parts, columns;
    sg_levels *levels; /* (columns), none for a column of numbers; NULL: all are                      */
    uint32_t **code;   /* (parts, columns): the common code of each of a part's; NULL: numbers there  */
} sg_common_levels;

/* Sources of the same columns. A part that has numbers where another has words is read once. c is to be
 * released, also on failure. */
sg_status sg_common_levels_find(sg_common_levels *c, const sg_source *part, size_t parts);
void sg_common_levels_release(sg_common_levels *c);

/* Makes a part's codes the common ones, in rows that were read of it. */
void sg_common_levels_map(const sg_common_levels *c, size_t part, double *values, size_t rows);

#endif
