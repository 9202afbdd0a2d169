/* predict.h: a model with the room it needs to look at rows, one for each thread. */
#ifndef SG_MODEL_PREDICT_H
#define SG_MODEL_PREDICT_H

#include "model/inference.h"

typedef struct sg_seer {
    const sg_model *model;
    sg_work work;
    double *a, *z, *scratch;
} sg_seer;

sg_status sg_seer_init(sg_seer *s, const sg_model *m);
void sg_seer_release(sg_seer *s);
/* One row of the model's inputs, in the data's units, to its outputs. */
void sg_seer_row(sg_seer *s, const double *x, double *y);

#endif
