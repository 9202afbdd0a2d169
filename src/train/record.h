/* record.h: what a model file says about its training: only what can change the numbers. */
#ifndef SG_TRAIN_RECORD_H
#define SG_TRAIN_RECORD_H

#include "base/options.h"
#include "model/model.h"
#include "train/prepare.h"

enum { SG_CURVE_POINTS = 128 };

/* The learning curve, thinned to about a hundred points however many iterations there are. */
typedef struct sg_curve {
    size_t every, points;
    sg_point point[SG_CURVE_POINTS];
} sg_curve;

void sg_curve_init(sg_curve *c, size_t iterations);
/* valid NaN where it was not looked at: then the last known value stands. */
void sg_curve_add(sg_curve *c, size_t iteration, bool last, double train, double valid);

/* Version, options and data. */
sg_status sg_record_start(sg_record *r, const sg_options *o, const sg_prepared *p);
/* In a record that was started: it is of other data. */
sg_status sg_record_data(sg_record *r, const sg_prepared *p);
/* The validation rows, which decide what is kept. */
sg_status sg_record_valid(sg_record *r, size_t rows, uint64_t fingerprint);
/* Iterations made, the one whose parameters these are, and the curve. */
sg_status sg_record_finish(sg_record *r, size_t iterations, size_t best, double valid_rmse, const sg_curve *c);

#endif
