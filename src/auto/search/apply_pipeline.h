/* apply_pipeline.h: applies a model's preprocessing, or the whole model, to all rows of a source at once. */
#ifndef SG_AUTO_SEARCH_APPLY_PIPELINE_H
#define SG_AUTO_SEARCH_APPLY_PIPELINE_H

#include "data/source/source.h"
#include "model/model.h"

/* Writes the transformed rows to x (rows, width of the view): the view a, with NaN for missing inputs, or the view z,
 * with means in their place. */
sg_status sg_apply_pipeline(const sg_model *m, const sg_source *rows, bool z, double *x);
/* Writes predictions to y (rows, outputs). */
sg_status sg_apply_model(const sg_model *m, const sg_source *rows, double *y);

#endif
