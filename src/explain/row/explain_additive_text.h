/* explain_additive_text.h: writes an explanation of an additive model as text. */
#pragma once

#include "base/text.h"
#include "explain/row/explainer_state.h"

/* Appends the explanation of output o: the mean, what curves, pairs and rules add, by decreasing magnitude, and the
 * prediction, rounded to four digits of the largest number. row: the row number to print, or 0. */
void sg_explain_additive_text(sg_text *t, const sg_explainer *e, size_t row, size_t o);
