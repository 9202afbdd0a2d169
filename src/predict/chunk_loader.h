/* chunk_loader.h: rows, as they lie in a table, made into a chunk: turned, transformed, padded. */
#ifndef SG_PREDICT_CHUNK_LOADER_H
#define SG_PREDICT_CHUNK_LOADER_H

#include "kernel/kernel.h"

typedef struct sg_chunk_loader {
    const sg_model *model;
    const sg_vector_ops *ops;
    size_t width; /* columns from a on: a, z where it is not a, more; a multiple of 4 */
    double *x, *a, *z, *extra, *scratch, *missing; /* all of columns of SG_PITCH, in one allocation at x */
    bool masks_missing; /* conditions on missing inputs; else they see components, of inputs that were filled in */
    sg_chunk chunk;
} sg_chunk_loader;

/* more: columns behind those that the model sees, for the caller. */
sg_status sg_chunk_loader_init(sg_chunk_loader *f, const sg_model *m, const sg_vector_ops *ops, size_t extra);
void sg_chunk_loader_release(sg_chunk_loader *f);
/* n <= SG_CHUNK rows from `rows` on, `stride` numbers apart. The model's input k is number column[k]
 * of a row, or number k where column is NULL; NaN where it is missing. Then f->chunk is ready. */
void sg_chunk_loader_load(sg_chunk_loader *f, const double *rows, size_t stride, const size_t *column, size_t n);
/* The same from rows that hold all columns from a on, f->width numbers each: row index[i], or row i where
 * index is NULL. Where a may be NaN, which it is for a missing input, fill (width of a) is what it is for
 * the mean; else NULL. */
void sg_chunk_loader_load_cached(sg_chunk_loader *f, const double *rows, const size_t *index, size_t n,
                                 const double *fill);

#endif
