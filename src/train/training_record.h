/* training_record.h: the training record of a model file: everything that determines its numbers, and the learning
 * curve. */
#ifndef SG_TRAIN_TRAINING_RECORD_H
#define SG_TRAIN_TRAINING_RECORD_H

#include "train/fit/preprocess.h"
#include "train/train_config.h"

enum { SG_LEARNING_CURVE_POINTS = 128 };

/* The learning curve, thinned to about a hundred points. */
typedef struct sg_learning_curve {
    size_t every, points;
    sg_curve_point point[SG_LEARNING_CURVE_POINTS];
} sg_learning_curve;

void sg_learning_curve_init(sg_learning_curve *c, size_t iterations);
/* valid: NaN if not evaluated, which repeats the last value. last: always adds the point. */
void sg_learning_curve_add(sg_learning_curve *c, size_t iteration, bool last, double train, double valid);

/* Records version, options and data. */
sg_status sg_record_start(sg_record *r, const sg_train_config *config, const sg_preprocessed *p);
/* Replaces the data of a started record. */
sg_status sg_record_set_data(sg_record *r, const sg_preprocessed *p);
/* Records the validation rows, which select the iterate. */
sg_status sg_record_add_validation(sg_record *r, size_t rows, uint64_t fingerprint);
/* Records the number of iterations, the selected one, and the curve. valid_rmse may be NaN. */
sg_status sg_record_finish(sg_record *r, size_t iterations, size_t best, double valid_rmse, const sg_learning_curve *c);

#endif
