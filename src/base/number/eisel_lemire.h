/* eisel_lemire.h: the double nearest to a decimal, without big integers. */
#ifndef SG_BASE_NUMBER_EISEL_LEMIRE_H
#define SG_BASE_NUMBER_EISEL_LEMIRE_H

#include <stdbool.h>
#include <stdint.h>

/* w * 10^q. Ties go to even; infinity where it is beyond the largest double. */
double sg_decimal_to_double(uint64_t w, long q);
/* The same or, if not exact, anything between that and (w + 1) * 10^q: false where these two round
 * apart. */
bool sg_decimal_to_double_truncated(uint64_t w, long q, bool exact, double *out);

/* 10^q beyond these makes any w zero or infinite. */
enum { SG_POWER_OF_FIVE_MIN = -342, SG_POWER_OF_FIVE_MAX = 308 };
/* The leading 128 bits of 5^q in row q - SG_POWER_OF_FIVE_MIN, high word first; see powers_of_five.c. */
extern const uint64_t sg_powers_of_five[SG_POWER_OF_FIVE_MAX - SG_POWER_OF_FIVE_MIN + 1][2];
/* The upper 128 of the 192 bits of w times that row, high word first. */
void sg_multiply_power_of_five(uint64_t w, int q, uint64_t out[2]);
/* floor(log2(10^q)) for these q. */
int sg_floor_log2_pow10(int q);

#endif
