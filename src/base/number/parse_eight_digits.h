/* parse_eight_digits.h: parses decimal digits eight at a time, as the bytes of one word.
 *
 * Extends the method of D. Lemire, "Quickly parsing eight digits", 2018, to stop at the first byte that is not a
 * digit. */
#pragma once

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SG_DIGITS_MAX = 19 }; /* this many digits always fit into 64 bits */

static inline bool sg_is_digit(char c) { return c >= '0' && c <= '9'; }

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static inline uint64_t sg_to_little_endian(uint64_t word) { return __builtin_bswap64(word); }
#else
static inline uint64_t sg_to_little_endian(uint64_t word) { return word; }
#endif

/* Returns the eight bytes at p as a little-endian word. */
static inline uint64_t sg_load_le64(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return sg_to_little_endian(word);
}

/* Returns the number whose digits are the eight bytes of x, with the first digit in the lowest byte. Adjacent bytes
 * become two-digit numbers in bytes 0, 2, 4 and 6, which are then weighted and summed in the upper half. */
static inline uint64_t sg_digits_parse_eight(uint64_t x)
{
    const uint64_t pairs = UINT64_C(0x000000ff000000ff);
    x = x * 10 + (x >> 8);
    uint64_t odd = (x & pairs) * (UINT64_C(1000000) << 32 | 100);
    return (odd + (x >> 16 & pairs) * (UINT64_C(10000) << 32 | 1)) >> 32;
}

#define SG_BROADCAST_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Appends the digits at p to *value, modulo 2^64. Returns the byte after them; seven more bytes must be readable. */
static inline const char *sg_digits_parse(const char *p, uint64_t *value)
{
    static const uint32_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    for (;; p += 8) {
        uint64_t x = sg_load_le64(p) ^ SG_BROADCAST_BYTE('0');
        /* The top bits of the bytes above 9 are set. A carry can corrupt only bytes after the first of them. */
        uint64_t others = ((x + SG_BROADCAST_BYTE(0x76)) | x) & SG_BROADCAST_BYTE(0x80);
        if (others) {
            unsigned n = (unsigned)__builtin_ctzll(others) / 8;
            *value = *value * tens[n] + sg_digits_parse_eight(x << 8 << (56 - 8 * n)); /* padded with leading zeros */
            return p + n;
        }
        *value = *value * 100000000 + sg_digits_parse_eight(x);
    }
}

/* Like sg_digits_parse, but digit by digit, which is faster for few digits if their number is predictable. */
static inline const char *sg_digits_parse_bytewise(const char *p, uint64_t *value)
{
    for (unsigned digit; (digit = (unsigned char)*p - '0') <= 9; p++) *value = *value * 10 + digit;
    return p;
}
