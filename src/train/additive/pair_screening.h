/* pair_screening.h: a fast test of which pairs of inputs interact. */
#pragma once

#include "train/additive/additive_fit.h"
#include "train/additive/additive_layout.h"

/* A pair of curves, and the part of the squared residuals that it seems to explain. */
typedef struct sg_pair_score {
    size_t curve[2];
    double score;
} sg_pair_score;

/* Scores all pairs of curves of the fine layout that have terms in the plan, by the residuals of a fit of the plan's
 * curves. The rows of each cell of a pair's table are split into halves by group; the product of the mean residuals of
 * both halves estimates the square of the true mean without bias. Writes the `most` best pairs, best first, to out, and
 * their number to *found. s must be local. */
sg_status sg_pairs_screen(const sg_source *s, const sg_preprocessed *p, const sg_additive_plan *plan,
                          const sg_additive_fit *fit, const sg_additive_grouping *grouping, size_t most,
                          sg_pair_score *out, size_t *found);
