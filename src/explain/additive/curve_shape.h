/* curve_shape.h: the range, importance and drawing of curves and pairs, for one output. */
#pragma once

#include "base/text.h"
#include "model/model.h"

typedef struct sg_value_range {
    double low, high;
} sg_value_range;

static inline double sg_range_span(sg_value_range r) { return r.high - r.low; }

/* Return the smallest and the largest value of output o, without the value for missing inputs. */
sg_value_range sg_curve_range(const sg_additive *s, const sg_curve *c, size_t o);
sg_value_range sg_pair_range(const sg_additive *s, const sg_pair *p, size_t o);

/* Return the standard deviation on the training rows, or an estimate of it from the values if it is unknown. */
double sg_curve_importance(const sg_additive *s, const sg_curve *c, size_t o);
double sg_pair_importance(const sg_additive *s, const sg_pair *p, size_t o);

/* Returns the value of a numeric curve for output o at x. */
double sg_curve_at(const sg_additive *s, const sg_curve *c, size_t o, double x);

/* Appends a drawing of a numeric curve over the training range of its input, such as "▁▂▄▆█". */
void sg_curve_draw(sg_text *t, const sg_model *m, const sg_curve *c, size_t o);
enum { SG_DRAWING_WIDTH = 12 };

/* Returns the indices of n items in order of decreasing importance, or NULL if memory is exhausted. The caller frees
 * the array. */
size_t *sg_importance_order(const double *importance, size_t n);
/* Return the order of the curves, and of the pairs, by importance for output o. */
size_t *sg_curve_order(const sg_additive *s, size_t o);
size_t *sg_pair_order(const sg_additive *s, size_t o);
