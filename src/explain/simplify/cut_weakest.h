/* cut_weakest.h: removes the conditions and rules that change predictions least, relative to their reading cost. */
#pragma once

#include "explain/simplify/refit_and_score.h"

/* Copies m without its weakest conditions and rules: as many as make up at least `share` of the reading cost, and at
 * least one of them. At least one rule remains. m must have the pipelines of f->model and no low-rank terms. */
sg_status sg_cut_weakest(const sg_refit_data *f, const sg_model *m, double share, sg_model **out);
/* Returns how much there is to read in a block: the count of conditions, membership functions and coefficients of
 * consequents. */
double sg_block_size(const sg_block *b);
