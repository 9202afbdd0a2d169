/* cut_weakest.h: removes the conditions and rules that change predictions least for what they cost to read. */
#pragma once

#include "explain/simplify/refit_and_score.h"

/* Copies m without the weakest conditions and rules, worth at least `share` of its reading cost, but at least one of
 * them. At least one rule remains. m must have the pipelines of f->model and no low-rank terms. */
sg_status sg_cut_weakest(const sg_refit_data *f, const sg_model *m, double share, sg_model **out);
/* Returns how much there is to read in a block: conditions, membership functions and consequents. */
double sg_block_size(const sg_block *b);
