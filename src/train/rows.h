/* rows.h: rows of a source as a model sees them, a chunk at a time. Each thread has its own. */
#ifndef SG_TRAIN_ROWS_H
#define SG_TRAIN_ROWS_H

#include "model/model.h"
#include "train/roles.h"

enum { SG_ROWS = 64 };

typedef struct sg_rows {
    const sg_source *source;
    const sg_roles *columns;
    const sg_model *model;
    double weight_scale; /* weights are multiplied by this */
    size_t n;            /* rows in the chunk              */
    double *raw;         /* (chunk, columns of the source)     */
    double *x, *missing; /* (inputs) of one row                */
    double *a;           /* (chunk, its width): NaN where an input is missing */
    double *filled;      /* the same with means in the place of missing inputs */
    double *z;           /* (chunk, its width); `filled` where views are one */
    double *t;           /* (chunk, outputs): transformed targets */
    double *w;           /* (chunk): weights                   */
    double *scratch;
} sg_rows;

sg_status sg_rows_init(sg_rows *r, const sg_source *source, const sg_roles *columns,
                       const sg_model *model, double weight_scale);
void sg_rows_release(sg_rows *r);
/* n <= SG_ROWS rows: those of index, or [first, first + n) where index is NULL. */
sg_status sg_rows_load(sg_rows *r, const size_t *index, size_t first, size_t n);

#endif
