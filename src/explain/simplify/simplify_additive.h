/* simplify_additive.h: removes pairs, curves and terms of additive models at little loss of accuracy. */
#pragma once

#include "model/model.h"

/* Implements sg_model_simplify for a model with an additive part. All remaining values are unchanged, and curves are
 * interpolated where terms are removed, so that monotone curves stay monotone. Blocks are unchanged. */
sg_status sg_simplify_additive(const sg_model *m, const sg_source *rows, const sg_simplify_options *options,
                               sg_model **out);
