/* synthetic.h: rows that nobody measured, between those that somebody did, for a teacher to label. */
#ifndef SG_AUTO_SYNTHETIC_H
#define SG_AUTO_SYNTHETIC_H

#include "auto/ground.h"
#include "base/pool.h"

/* How many are made for so many real ones, for a trial or for the last. */
size_t sg_synthetic_count(size_t rows, bool last);
/* The rows of `from`, and after them `count` more: each between a row and one of its near neighbours, some of its cells
 * another neighbour's. Categories, and numbers that are common, are taken as they are. Targets are left as they come.
 */
sg_status sg_synthetic_rows(const sg_ground *g, const sg_source *from, size_t count, uint64_t seed, sg_pool *pool,
                            sg_desk *out);
/* The work of that, nearly, in nanoseconds. */
size_t sg_synthetic_cost(size_t rows, size_t inputs, size_t count);

#endif
