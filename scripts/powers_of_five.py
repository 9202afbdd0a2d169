#!/usr/bin/env python3
"""powers_of_five.py > src/base/number/powers_of_five.c: prints the table of eisel_lemire.c."""

FIRST, LAST = -342, 308


def leading_bits(q):
    """The leading 128 bits of 5^q, truncated if q >= 0, rounded up if q < 0 (never exact)."""
    five = 5 ** abs(q)
    length = five.bit_length()
    if q >= 0:
        return five << 128 >> length
    return (1 << (127 + length)) // five + 1


def main():
    rows = [leading_bits(q) for q in range(FIRST, LAST + 1)]
    rows = [f"{{0x{t >> 64:016x}, 0x{t & (1 << 64) - 1:016x}}}," for t in rows]
    print("""\
/* powers_of_five.c: made by scripts/powers_of_five.py, not by hand.
 *
 * Row q + 342 holds the leading 128 bits T of 5^q, high word first, 2^127 <= T < 2^128:
 *   q >= 0: T = floor(5^q 2^k); k may be negative
 *   q <  0: T = floor(5^q 2^k) + 1, so that a quotient w / 5^-q without remainder is in T w */
#include "base/number/eisel_lemire.h"

/* clang-format off */
const uint64_t sg_powers_of_five[SG_POWER_OF_FIVE_MAX - SG_POWER_OF_FIVE_MIN + 1][2] = {""")
    for i in range(0, len(rows), 2):
        print("    " + " ".join(rows[i:i + 2]))
    print("};\n/* clang-format on */")


main()
