/* eisel_lemire.h: converts decimals to the nearest double without big integers. */
#pragma once

#include <stdbool.h>
#include <stdint.h>

/* Returns the double nearest to w * 10^q, with ties to even, or infinity if it exceeds the largest double. */
double sg_decimal_to_double(uint64_t w, long q);
/* If `exact`, rounds w * 10^q. Otherwise, rounds a value between w * 10^q and (w + 1) * 10^q, and returns false if
 * these two bounds round differently. */
bool sg_decimal_to_double_truncated(uint64_t w, long q, bool exact, double *out);

/* For q outside these bounds, w * 10^q rounds to 0 or infinity for every w. */
enum { SG_POWER_OF_FIVE_MIN = -342, SG_POWER_OF_FIVE_MAX = 308 };
/* Row q - SG_POWER_OF_FIVE_MIN holds the leading 128 bits of 5^q, high word first; see cmake/powers_of_five.cmake. */
extern const uint64_t sg_powers_of_five[SG_POWER_OF_FIVE_MAX - SG_POWER_OF_FIVE_MIN + 1][2];
/* Computes the upper 128 of the 192 bits of w times the row of q, high word first. */
void sg_multiply_power_of_five(uint64_t w, int q, uint64_t out[2]);
/* Returns floor(log2(10^q)) for q in the table. */
int sg_floor_log2_pow10(int q);
