/* format_shortest.h: fast formatting of doubles as decimal text. */
#pragma once

#include <stdbool.h>

/* Writes what printf("%.15g") writes if that parses to the same double, otherwise 16 or 17 digits; always with '.',
 * without a plus sign and without leading zeros in the exponent. Returns false in the rare cases that need big integers
 * for correct rounding, and for values that are not normal numbers. */
bool sg_format_shortest(double value, char *text);
