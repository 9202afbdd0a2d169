/* transformed_rows.h: rows of a source as a model sees them, a chunk at a time. Each thread has its own. */
#ifndef SG_PREDICT_TRANSFORMED_ROWS_H
#define SG_PREDICT_TRANSFORMED_ROWS_H

#include "predict/chunk_loader.h"
#include "predict/column_roles.h"

enum { SG_TRANSFORMED_ROWS = 64 };

typedef struct sg_transformed_rows {
    const sg_source *source;
    const sg_column_roles *columns;
    const sg_model *model;
    double weight_scale; /* weights are multiplied by this */
    size_t n;            /* rows in the chunk              */
    size_t max_read;     /* rows that are read at a time   */
    double *raw;         /* (most, columns of the source)  */
    sg_chunk_loader loader;
    double *imputed;  /* (chunk, width of a): means in the place of missing inputs */
    double *with_nan; /* the same, with NaN where an input is missing              */
    const double *a;  /* whichever of them conditions see                          */
    double *z;        /* (chunk, its width); `filled` where views are one          */
    double *t;        /* (chunk, outputs): transformed targets                     */
    double *w;        /* (chunk): weights                                          */
} sg_transformed_rows;

sg_status sg_transformed_rows_init(sg_transformed_rows *r, const sg_source *source, const sg_column_roles *columns,
                                   const sg_model *model, double weight_scale);
void sg_transformed_rows_release(sg_transformed_rows *r);
/* The rows [first, first + n), n <= SG_TRANSFORMED_ROWS. */
sg_status sg_transformed_rows_load(sg_transformed_rows *r, size_t first, size_t n);
/* Any number of them: `see` is called for each chunk, of SG_TRANSFORMED_ROWS but for the last. */
typedef void sg_transformed_rows_fn(void *arg, sg_transformed_rows *r);
sg_status sg_transformed_rows_for_each(sg_transformed_rows *r, size_t first, size_t n, sg_transformed_rows_fn *visit,
                                       void *arg);

#endif
