/* mf_labels.h: labels for membership functions, such as "low", by their location among the training rows. */
#pragma once

#include "explain/rules/original_units.h"

/* Returns whether the labels of a block's MFs identify them, so that a table can define them: if rules share MFs, as in
 * a grid, or if the quantiles of the training rows are unknown. Otherwise each label is followed by the location and
 * width of the MF. */
bool sg_mf_labels_are_unique(const sg_original_units *u, const sg_block *b);
/* Returns "low", "medium", ..., unique among the MFs of an input and in the order of their locations, or NULL if no
 * label fits this MF alone. The range of a component is unknown, so its labels reflect only the order. */
const char *sg_mf_label(const sg_original_units *u, const sg_block *b, size_t mf);
/* Returns "very low" to "very high" by the 5, 25, 75 and 95 % quantiles of the training rows. */
const char *sg_quantile_label(const sg_model *m, size_t feature, double x);
