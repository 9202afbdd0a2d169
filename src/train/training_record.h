/* training_record.h: what a model file says about its training: only what can change the numbers. */
#ifndef SG_TRAIN_TRAINING_RECORD_H
#define SG_TRAIN_TRAINING_RECORD_H

#include "base/options.h"
#include "model/model.h"
#include "train/fit/preprocess.h"

enum { SG_LEARNING_CURVE_POINTS = 128 };

/* The learning curve, thinned to about a hundred points however many iterations there are. */
typedef struct sg_learning_curve {
    size_t every, points;
    sg_curve_point point[SG_LEARNING_CURVE_POINTS];
} sg_learning_curve;

void sg_learning_curve_init(sg_learning_curve *c, size_t iterations);
/* valid NaN where it was not looked at: then the last known value stands. */
void sg_learning_curve_add(sg_learning_curve *c, size_t iteration, bool last, double train, double valid);

/* Version, options and data. */
sg_status sg_record_start(sg_record *r, const sg_options *o, const sg_preprocessed *p);
/* In a record that was started: it is of other data. */
sg_status sg_record_set_data(sg_record *r, const sg_preprocessed *p);
/* The validation rows, which decide what is kept. */
sg_status sg_record_add_validation(sg_record *r, size_t rows, uint64_t fingerprint);
/* Iterations made, the one whose parameters these are, and the curve. */
sg_status sg_record_finish(sg_record *r, size_t iterations, size_t best, double valid_rmse, const sg_learning_curve *c);

#endif
