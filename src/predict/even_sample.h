/* even_sample.h: some rows of a source that are spread evenly over it. */
#ifndef SG_PREDICT_EVEN_SAMPLE_H
#define SG_PREDICT_EVEN_SAMPLE_H

#include "data/source/source.h"

/* The i-th of n. */
static inline size_t sg_even_sample_row(const sg_source *s, size_t n, size_t i)
{
    return (size_t)((double)i * ((double)s->rows / (double)n));
}

/* What is kept of a row: x (width). */
typedef sg_status sg_even_sample_fn(void *arg, size_t row, double *x);

/* n rows, x: (n, width). Collective for rows of a team, each of whose members calls fn for those that are here; all of
 * them get the whole. */
sg_status sg_even_sample_gather(const sg_source *s, size_t n, sg_even_sample_fn *fn, void *arg, size_t width,
                                double *x);

#endif
