/* format_shortest.h: a double as decimal text. */
#ifndef SG_BASE_NUMBER_FORMAT_SHORTEST_H
#define SG_BASE_NUMBER_FORMAT_SHORTEST_H

#include <stdbool.h>

/* What printf("%.15g") writes if that reads back as the same double, else 16 digits, else 17; a '.' whatever the
 * locale, no plus sign and no zeros before an exponent. False where it takes big integers to say how digits are
 * rounded, which is rare, and for what is not a normal number. */
bool sg_format_shortest(double value, char *text);

#endif
