/* prune_and_merge.h: removes rules, conditions and membership functions from a model of one block. The remaining
 * consequents are unchanged. */
#pragma once

#include "model/model.h"

/* The ranges of the transformed inputs that the conditions of the block see: low[inputs] and high[inputs]. */
typedef struct sg_input_range {
    double *low, *high;
} sg_input_range;

/* Copies m with the rules for which keep[rule] is set. A single rule that remains loses its conditions. */
sg_status sg_prune_rules(const sg_model *m, const bool *keep, sg_model **out);
/* Like sg_prune_rules, but also without the conditions for which keep_condition[rules * inputs] is not set. */
sg_status sg_prune_conditions(const sg_model *m, const bool *keep_condition, const bool *keep, sg_model **out);
/* Copies m, merges membership functions of an input whose Jaccard overlap on the range is at least min_overlap, and
 * removes conditions whose membership is at least min_membership on the whole range. Leaves a block with low-rank terms
 * as it is. */
sg_status sg_prune_mfs(const sg_model *m, const sg_input_range *range, double min_overlap, double min_membership,
                       sg_model **out);
/* Returns the number of conditions in all rules. */
size_t sg_block_conditions(const sg_block *b);
