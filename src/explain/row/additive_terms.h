/* additive_terms.h: the terms of an explanation that come from the additive part of a model, one per curve and one per
 * pair. Both groupings have them, after the rules and inputs. */
#pragma once

#include "explain/row/explainer_state.h"

/* Stores the names of the terms in e->part_names. Does nothing if the model has no additive part. */
sg_status sg_additive_terms_init(sg_explainer *e);
/* Appends the terms to the list of a grouping, which has n terms. Returns the new number of terms. */
size_t sg_additive_terms_append(sg_explainer *e, sg_grouping by, size_t n);
/* Computes e->part for the row in e->x and e->missing. */
void sg_additive_terms_compute(sg_explainer *e);
/* Copies what curves and pairs add to output o. */
void sg_additive_terms_get(const sg_explainer *e, size_t o, double *term);
/* Gets the values of the inputs of all curves, and the values that the curves use, clamped to the range of the knots. x
 * has NaN for missing features. */
void sg_additive_terms_values(const sg_explainer *e, const double *x, double *value, double *effective);
