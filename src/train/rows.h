/* rows.h: rows of a source as a model sees them, a chunk at a time. Each thread has its own. */
#ifndef SG_TRAIN_ROWS_H
#define SG_TRAIN_ROWS_H

#include "kernel/feed.h"
#include "train/roles.h"

enum { SG_ROWS = 64 };

typedef struct sg_rows {
    const sg_source *source;
    const sg_roles *columns;
    const sg_model *model;
    double weight_scale; /* weights are multiplied by this */
    size_t n;            /* rows in the chunk              */
    size_t most;         /* rows that are read at a time   */
    double *raw;         /* (most, columns of the source)  */
    sg_feed feed;
    double *filled;  /* (chunk, width of a): means in the place of missing inputs */
    double *opened;  /* the same, with NaN where an input is missing              */
    const double *a; /* whichever of them conditions see                          */
    double *z;       /* (chunk, its width); `filled` where views are one          */
    double *t;       /* (chunk, outputs): transformed targets                     */
    double *w;       /* (chunk): weights                                          */
} sg_rows;

sg_status sg_rows_init(sg_rows *r, const sg_source *source, const sg_roles *columns, const sg_model *model,
                       double weight_scale);
void sg_rows_release(sg_rows *r);
/* The rows [first, first + n), n <= SG_ROWS. */
sg_status sg_rows_load(sg_rows *r, size_t first, size_t n);
/* Any number of them: `see` is called for each chunk, of SG_ROWS but for the last. */
typedef void sg_chunk_fn(void *arg, sg_rows *r);
sg_status sg_rows_each(sg_rows *r, size_t first, size_t n, sg_chunk_fn *see, void *arg);

#endif
