/* even_sample.h: evenly spaced samples of the rows of a source. */
#ifndef SG_PREDICT_EVEN_SAMPLE_H
#define SG_PREDICT_EVEN_SAMPLE_H

#include "data/source/source.h"
#include "model/model.h"

/* Rows of features in memory. */
typedef struct sg_row_sample {
    const sg_model *model;
    size_t rows;
    double *x; /* (rows, features), NaN for missing inputs */
} sg_row_sample;

void sg_row_sample_release(sg_row_sample *s);

/* The row number of element i of a sample of n rows. */
static inline size_t sg_even_sample_row(const sg_source *s, size_t n, size_t i)
{
    return (size_t)((double)i * ((double)s->rows / (double)n));
}

/* Copies what is needed of a row to x (width). */
typedef sg_status sg_even_sample_fn(void *arg, size_t row, double *x);

/* Fills x (n, width) by calling fn for each row of the sample. Collective if the source is distributed: each rank calls
 * fn for its local rows, and all ranks get the whole sample. */
sg_status sg_even_sample_gather(const sg_source *s, size_t n, sg_even_sample_fn *fn, void *arg, size_t width,
                                double *x);

#endif
