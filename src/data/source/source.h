/* source.h: what a source need not do itself. */
#ifndef SG_DATA_SOURCE_SOURCE_H
#define SG_DATA_SOURCE_SOURCE_H

#include "base/status.h"

#include <stdbool.h>

/* The rows by the source's gather, or by reads where it has none. Allocates nothing. */
sg_status sg_source_gather(const sg_source *s, const size_t *rows, size_t n, double *out);

/* All rows that are here in order, a block at a time, until take fails. */
typedef sg_status sg_block_fn(void *arg, const double *values, size_t rows);
sg_status sg_source_for_each_block(const sg_source *s, sg_block_fn *take, void *arg);

/* The rows of a team's members: bound (ranks + 1) are the first row of each, and the number of all rows; {0, rows}
 * without a team. Collective: members whose rows do not follow each other are an error. */
sg_status sg_source_shard_bounds(const sg_source *s, size_t *bound);
/* Those that can be read here: [*first, *last). */
void sg_source_local_range(const sg_source *s, size_t *first, size_t *last);
/* Whether a column holds categories. */
bool sg_source_is_categorical(const sg_source *s, size_t column);
/* The word that a cell of it stands for; NULL where it is missing, or a number. */
const char *sg_source_cell_level(const sg_source *s, size_t column, double cell);

/* What to call a source in a message. */
const char *sg_source_name(const sg_source *s);

#endif
