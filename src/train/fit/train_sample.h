/* train_sample.h: some of the training rows, where all of them would be too many to be kept. */
#ifndef SG_TRAIN_FIT_TRAIN_SAMPLE_H
#define SG_TRAIN_FIT_TRAIN_SAMPLE_H

#include "predict/transformed_rows.h"
#include "train/fit/preprocess.h"

/* Cells of a sample that are in memory together: 32 MB of them. */
enum { SG_TRAIN_SAMPLE_CELLS = 4000000 };

/* Rows of a sample whose rows have so many cells: all, or 20,000 of them that are spread evenly over the source; fewer
 * where that were more than `most` cells, but not less than `least` rows, if there are these. */
size_t sg_train_sample_size(const sg_source *s, size_t cells, size_t most, size_t least);

/* What is kept of the first row of a chunk: x (width). */
typedef void sg_train_sample_fn(void *arg, const sg_transformed_rows *rows, double *x);

/* n rows, x: (n, width). Rows are as p's model sees them by now. Collective for rows of a team, all of whose members
 * get the whole sample. */
sg_status sg_train_sample_gather(const sg_source *s, const sg_preprocessed *p, sg_train_sample_fn *fn, void *arg,
                                 size_t n, size_t width, double *x);

/* Input by input what a sample has of it in the view a, so far without components: n numbers, which may be changed. */
typedef void sg_train_sample_column_fn(void *arg, size_t input, double *value, size_t n);
sg_status sg_train_sample_columns(const sg_source *s, const sg_preprocessed *p, sg_train_sample_column_fn *visit,
                                  void *arg);

#endif
