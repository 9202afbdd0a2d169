/* format_shortest.h: fast formatting of doubles as decimal text. */
#pragma once

#include <stdbool.h>

/* Writes what printf("%.15g") writes if that parses to the same double, and otherwise 16 or 17 digits. The decimal
 * point is always '.'; the exponent has no plus sign and no leading zeros. Returns false in the rare cases that need
 * big integers for correct rounding, and for values that are not normal numbers. */
bool sg_format_shortest(double value, char *text);
