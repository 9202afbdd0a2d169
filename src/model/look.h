/* look.h: one row of features through a whole model: its views, the firing of its rules, its prediction. Slow and
 * plain. */
#ifndef SG_MODEL_LOOK_H
#define SG_MODEL_LOOK_H

#include "model/inference.h"

typedef struct sg_look {
    const sg_model *model;
    double *filled, *missing; /* (inputs) */
    double *a, *z;            /* views of the row; z is a where they are one */
    double *seen, *z_seen;    /* a and z, with NaN where an input is missing */
    double *scratch;
    sg_work *work; /* (blocks) */
} sg_look;

/* The model must outlive it. */
sg_status sg_look_init(sg_look *l, const sg_model *m);
void sg_look_release(sg_look *l);
/* Takes a row: x (inputs of the model, features that is), NaN where one is missing. */
void sg_look_at(sg_look *l, const double *x);
/* What the conditions of a block see of that row. */
const double *sg_look_seen(const sg_look *l, size_t block);
/* Normalised firing levels of a block's rules for that row: valid until the next call for this block. */
const double *sg_look_firing(sg_look *l, size_t block);
/* The prediction for that row, in the target's units: y (outputs). */
void sg_look_predict(sg_look *l, double *y);

#endif
