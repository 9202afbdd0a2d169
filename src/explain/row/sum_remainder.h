/* sum_remainder.h: makes the terms of an explanation add up to the prediction to the last bit. */
#pragma once

#include <stddef.h>

/* Returns the remainder that, added after the n > 0 terms in order as doubles, gives exactly `sum`. Its magnitude is at
 * most 1e-13 times the sum of the terms' magnitudes; if the rounding error is larger, because large numbers cancelled,
 * the largest term absorbs it. If the magnitudes add up to more than 1e300, all terms but the first become 0, and the
 * first becomes the sum. Terms and remainder are finite for any input. */
double sg_exact_sum_remainder(double *term, size_t n, double sum);
