/* curve_term_names.h: the names of the terms of a curve, and the terms that a text shows. */
#pragma once

#include "base/text.h"
#include "model/model.h"

enum { SG_NAMED_TERMS = 7 };

/* Returns the name of term k of n, "very low" to "very high", or NULL unless n is 2 to SG_NAMED_TERMS. */
const char *sg_term_name(size_t n, size_t k);
/* Returns the name of a cell of a numeric curve, or NULL for a category and for a curve with too many terms. */
const char *sg_curve_cell_name(const sg_curve *c, size_t cell);
/* Returns the knot of a numeric curve whose membership at x is largest. */
size_t sg_curve_nearest_cell(const sg_curve *c, double x);
/* Chooses at most SG_NAMED_TERMS knots of a numeric curve between which the curve is nearly linear for output o, or all
 * knots if there are no more than that. Stores their indices in out and returns their number, or 0 if memory is
 * exhausted. */
size_t sg_curve_shown_knots(const sg_additive *s, const sg_curve *c, size_t o, size_t out[SG_NAMED_TERMS]);
/* Formats the position of the i-th of n knots of a curve. Returns buf. */
const char *sg_curve_format_knot(const sg_curve *c, const size_t *knots, size_t n, size_t i,
                                 char buf[SG_NUMBER_BUFFER_SIZE]);
/* Appends the label of a row or column in the tables of pairs: the name of a level, shortened to `width` characters
 * unless `width` is 0, or the position of a numeric term. */
void sg_curve_term_text(sg_text *t, const sg_model *m, const sg_curve *c, size_t term, size_t width);
/* Appends the name of the level that is cell k of a category. */
void sg_curve_level_text(sg_text *t, const sg_model *m, const sg_curve *c, size_t k);
