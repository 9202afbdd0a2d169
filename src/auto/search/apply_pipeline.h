/* apply_pipeline.h: rows as a model sees them, all at once. */
#ifndef SG_AUTO_SEARCH_APPLY_PIPELINE_H
#define SG_AUTO_SEARCH_APPLY_PIPELINE_H

#include "data/source/source.h"
#include "model/model.h"

/* x: (rows, width of the view): a, with NaN where an input is missing, or z, which has means there. */
sg_status sg_apply_pipeline(const sg_model *m, const sg_source *rows, bool z, double *x);

#endif
