/* feed.h: rows, as they lie in a table, made into a chunk: turned, transformed, padded. */
#ifndef SG_KERNEL_FEED_H
#define SG_KERNEL_FEED_H

#include "kernel/kernel.h"

typedef struct sg_feed {
    const sg_model *model;
    const sg_tools *tools;
    double *x, *a, *z, *scratch; /* all of SG_PITCH columns, in one allocation at x */
    sg_chunk chunk;
} sg_feed;

sg_status sg_feed_init(sg_feed *f, const sg_model *m, const sg_tools *tools);
void sg_feed_release(sg_feed *f);
/* n <= SG_CHUNK rows from `rows` on, `stride` numbers apart. The model's input k is number column[k]
 * of a row, or number k where column is NULL. Then f->chunk is ready. */
void sg_feed_rows(sg_feed *f, const double *rows, size_t stride, const size_t *column, size_t n);

#endif
