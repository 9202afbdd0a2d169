/* sum_remainder.h: makes the terms of an explanation add up to the prediction to the last bit. */
#pragma once

#include <stddef.h>

/* Returns a remainder that gives exactly `sum` if the n > 0 terms and then the remainder are added in order as doubles.
 * Its magnitude is at most 1e-13 times the sum of the terms' magnitudes; if the rounding error is larger, because large
 * numbers cancelled, the terms are changed to absorb it. If the magnitudes add up to more than 1e300, all terms but the
 * first become 0, and the first becomes the sum. Terms and remainder are finite for any input. */
double sg_exact_sum_remainder(double *term, size_t n, double sum);
