/* spread.h: some rows of a source that are spread evenly over it. */
#ifndef SG_TRAIN_SPREAD_H
#define SG_TRAIN_SPREAD_H

#include "data/source.h"

/* The i-th of n. */
static inline size_t sg_spread_row(const sg_source *s, size_t n, size_t i)
{
    return (size_t)((double)i * ((double)s->rows / (double)n));
}

/* What is kept of a row: x (width). */
typedef sg_status sg_spread_fn(void *arg, size_t row, double *x);

/* n rows, x: (n, width). Collective for rows of a team, each of whose members calls fn for those that are here; all of
 * them get the whole. */
sg_status sg_spread_take(const sg_source *s, size_t n, sg_spread_fn *fn, void *arg, size_t width, double *x);

#endif
