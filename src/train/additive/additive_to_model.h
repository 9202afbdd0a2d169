/* additive_to_model.h: turns a fit into the additive part of a model. */
#pragma once

#include "train/additive/additive_fit.h"

/* Adds the fitted curves and pairs to m, which must have no additive part: centred, in the units of the target, with
 * their standard errors, shares and deviations. m->mean becomes the mean prediction. */
sg_status sg_additive_to_model(const sg_additive_fit *f, sg_model *m);
