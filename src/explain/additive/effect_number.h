/* effect_number.h: formats what curves and pairs add, all numbers of an output with the same number of decimals. */
#pragma once

#include "model/model.h"

#include "base/text.h"

/* Returns the smallest number of decimals for which the unit of the last digit is at most `step`; 0 if step is 0. */
int sg_decimals_to_resolve(double step);
/* Returns the number of decimals that resolve a 200th of the largest span of a curve or pair of output o. It is
 * negative if numbers are rounded to tens, hundreds and so on. */
int sg_effect_decimals(const sg_model *m, size_t o);
/* Formats a number with these decimals, with a leading + if it is positive and `sign` is set. Returns buf. */
const char *sg_format_effect(double value, int decimals, bool sign, char buf[SG_NUMBER_BUFFER_SIZE]);
/* Returns whether a number is shown as 0. */
bool sg_effect_is_zero(double value, int decimals);
