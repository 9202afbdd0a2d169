/* exact_sum.h: terms that add up to a prediction to the last bit. */
#ifndef SG_EXPLAIN_ROW_EXACT_SUM_H
#define SG_EXPLAIN_ROW_EXACT_SUM_H

#include <stddef.h>

/* What must follow n > 0 terms so that all, added as doubles in their order, give `sum` exactly: at most 1e-13 times
 * the sum of their sizes. Where terms come from much larger numbers that cancel, their own rounding can be more
 * than that: then the largest of them takes it over. Terms beyond all measure (1e300, a model that nobody trained)
 * become 0, but for the first, which is then all there is. Whatever comes in, what goes out is finite. */
double sg_exact_sum_remainder(double *term, size_t n, double sum);

#endif
