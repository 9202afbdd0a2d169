/* mf_labels.h: words for membership functions, by where they lie among the training rows. */
#ifndef SG_EXPLAIN_RULES_MF_LABELS_H
#define SG_EXPLAIN_RULES_MF_LABELS_H

#include "explain/rules/original_units.h"

/* Whether the labels of a block's MFs tell them apart, and a table says what they are: where rules share MFs, as those
 * of a grid do, or nobody knows where they lie among the training rows. Others have labels beside their numbers. */
bool sg_mf_labels_are_unique(const sg_original_units *u, const sg_block *b);
/* "low", "medium", ...: no two MFs of an input have the same one, and they are in the order of the centres. NULL where
 * there is none that is true of this MF alone: say "about c". Of the range of a component nobody knows, there it is the
 * order alone. */
const char *sg_mf_label(const sg_original_units *u, const sg_block *b, size_t mf);
/* Where x lies among the training rows: beyond 5, 25, 75 or 95 % of them. */
const char *sg_quantile_label(const sg_model *m, size_t feature, double x);

#endif
