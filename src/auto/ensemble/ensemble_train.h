/* ensemble_train.h: the committee that a search chose, trained anew on all rows: it teaches a student, or answers
 * itself. */
#ifndef SG_AUTO_ENSEMBLE_ENSEMBLE_TRAIN_H
#define SG_AUTO_ENSEMBLE_ENSEMBLE_TRAIN_H

#include "auto/search/search.h"

/* Rules `seeds` times each; trees, and rules with effects, once. `rows` are those of the ground or, where it holds only
 * some of them, all. */
sg_status sg_ensemble_train(sg_search *s, const sg_source *rows, size_t seeds, sg_ensemble *out);

#endif
