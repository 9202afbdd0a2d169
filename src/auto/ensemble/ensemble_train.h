/* ensemble_train.h: trains the members of the ensemble that a search selected on all rows. */
#ifndef SG_AUTO_ENSEMBLE_ENSEMBLE_TRAIN_H
#define SG_AUTO_ENSEMBLE_ENSEMBLE_TRAIN_H

#include "auto/search/search.h"

/* Trains rules with `seeds` seeds each; trees, and rules with effects, once. `rows`: those of the search data or, if
 * these are a sample, all rows. */
sg_status sg_ensemble_train(sg_search *s, const sg_source *rows, size_t seeds, sg_ensemble *out);

#endif
