/* feed.h: rows, as they lie in a table, made into a chunk: turned, transformed, padded. */
#ifndef SG_KERNEL_FEED_H
#define SG_KERNEL_FEED_H

#include "kernel/kernel.h"

typedef struct sg_feed {
    const sg_model *model;
    const sg_tools *tools;
    size_t width;                                 /* columns from a on: a, z where it is not a, more; a multiple of 4 */
    double *x, *a, *z, *more, *scratch, *missing; /* all of columns of SG_PITCH, in one allocation at x */
    bool leaves_out; /* conditions on missing inputs; else they see components, of inputs that were filled in */
    sg_chunk chunk;
} sg_feed;

/* more: columns behind those that the model sees, for the caller. */
sg_status sg_feed_init(sg_feed *f, const sg_model *m, const sg_tools *tools, size_t more);
void sg_feed_release(sg_feed *f);
/* n <= SG_CHUNK rows from `rows` on, `stride` numbers apart. The model's input k is number column[k]
 * of a row, or number k where column is NULL; NaN where it is missing. Then f->chunk is ready. */
void sg_feed_rows(sg_feed *f, const double *rows, size_t stride, const size_t *column, size_t n);
/* The same from rows that hold all columns from a on, f->width numbers each: row index[i], or row i where
 * index is NULL. Where a may be NaN, which it is for a missing input, fill (width of a) is what it is for
 * the mean; else NULL. */
void sg_feed_turned(sg_feed *f, const double *rows, const size_t *index, size_t n, const double *fill);

#endif
