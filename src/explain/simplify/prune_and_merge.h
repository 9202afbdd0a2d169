/* prune_and_merge.h: removes rules, conditions and membership functions from a model of one block. The remaining
 * consequents are unchanged. */
#pragma once

#include "model/model.h"

/* The range of the transformed inputs that the conditions see: (inputs of the block) each. */
typedef struct sg_input_range {
    double *low, *high;
} sg_input_range;

/* Keeps the rules with keep[rule], at least one. A single remaining rule loses its conditions, since it always fires.
 */
sg_status sg_prune_rules(const sg_model *m, const bool *keep, sg_model **out);
/* Merges membership functions of an input whose Jaccard overlap on the range is at least min_overlap, and removes
 * conditions whose membership is at least min_membership on the whole range. Copies a block with low-rank terms as it
 * is. */
sg_status sg_prune_mfs(const sg_model *m, const sg_input_range *range, double min_overlap, double min_membership,
                       sg_model **out);
/* Returns the number of conditions of all rules. */
size_t sg_block_conditions(const sg_block *b);
