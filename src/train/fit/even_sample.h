/* even_sample.h: evenly spaced samples of rows, for statistics that need rows in memory. */
#pragma once

#include "rows/chunk_loader.h"
#include "train/fit/preprocess.h"

/* A sample of rows of features, in memory. */
typedef struct sg_row_sample {
    const sg_model *model;
    size_t rows;
    double *x; /* (rows, features), NaN for missing inputs */
} sg_row_sample;

void sg_row_sample_release(sg_row_sample *s);

/* Returns the row number of element i of an evenly spaced sample of n rows. */
static inline size_t sg_even_sample_row(const sg_source *s, size_t n, size_t i)
{
    return (size_t)((double)i * ((double)s->rows / (double)n));
}

/* Writes to x (width) what is needed from row number `row`. */
typedef sg_status sg_even_sample_fn(void *arg, size_t row, double *x);

/* Fills x (n, width) with an evenly spaced sample of n rows by calling fn for each of them. Collective if the source is
 * distributed: each rank calls fn for its local rows, and all ranks get the whole sample. */
sg_status sg_even_sample_gather(const sg_source *s, size_t n, sg_even_sample_fn *fn, void *arg, size_t width,
                                double *x);

/* Maximum number of sampled values in memory at a time, which take 32 MB. */
enum { SG_TRAIN_SAMPLE_CELLS = 4000000 };

/* Returns the number of rows to sample if each has `width` values: at most 20,000 rows and max_cells values, but at
 * least min_rows rows unless the source has fewer. */
size_t sg_train_sample_size(const sg_source *s, size_t width, size_t max_cells, size_t min_rows);

/* Writes to x (width) what is needed from the single row in l->rows. */
typedef void sg_train_sample_fn(void *arg, const sg_chunk_loader *l, double *x);

/* Fills x (n, width) with a sample of n rows, transformed by the pipelines that p->model has so far. Collective if the
 * source is distributed; all ranks get the whole sample. */
sg_status sg_train_sample_gather(const sg_source *s, const sg_preprocessed *p, sg_train_sample_fn *fn, void *arg,
                                 size_t n, size_t width, double *x);

/* Receives the n sampled values of one input that are not missing. It may overwrite them. */
typedef void sg_train_sample_column_fn(void *arg, size_t input, double *value, size_t n);
/* Calls visit for every input of pipeline a, which must not contain PCA yet. */
sg_status sg_train_sample_columns(const sg_source *s, const sg_preprocessed *p, sg_train_sample_column_fn *visit,
                                  void *arg);
