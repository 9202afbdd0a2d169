/* prune.h: a model of one block with fewer rules, conditions and membership functions. Consequents that are left stay
 * as they are. */
#ifndef SG_EXPLAIN_SIMPLIFY_PRUNE_H
#define SG_EXPLAIN_SIMPLIFY_PRUNE_H

#include "model/model.h"

/* Where conditions see rows: low and high (inputs of the block) of each. */
typedef struct sg_input_range {
    double *low, *high;
} sg_input_range;

/* Rules without keep[rule] are left out; of one rule that is left all conditions, since it fires anyway. At least one
 * must stay. */
sg_status sg_prune_rules(const sg_model *m, const bool *keep, sg_model **out);
/* Membership functions of one input that overlap by so much (what both hold over what either holds, all over the span)
 * become one; conditions whose membership is at least `least` all over it are left out. Not of rules that ask for
 * combinations of inputs. */
sg_status sg_prune_mfs(const sg_model *m, const sg_input_range *span, double alike, double least, sg_model **out);
size_t sg_block_conditions(const sg_block *b);

#endif
