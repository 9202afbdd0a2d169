/* parse_digits.h: decimal digits, eight at a time: the bytes of a word are worked on side by side.
 *
 * D. Lemire, "Quickly parsing eight digits", 2018, and what it takes to stop at the right one. */
#ifndef SG_BASE_NUMBER_PARSE_DIGITS_H
#define SG_BASE_NUMBER_PARSE_DIGITS_H

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>
#include <string.h>

enum { SG_DIGITS_MAX = 19 }; /* so many always fit into 64 bits */

static inline bool sg_is_digit(char c) { return c >= '0' && c <= '9'; }

#if __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__
static inline uint64_t sg_to_little_endian(uint64_t word) { return __builtin_bswap64(word); }
#else
static inline uint64_t sg_to_little_endian(uint64_t word) { return word; }
#endif

/* Eight bytes as a word, the first one lowest, whatever the machine. */
static inline uint64_t sg_load_le64(const char *p)
{
    uint64_t word;
    memcpy(&word, p, sizeof word);
    return sg_to_little_endian(word);
}

/* The number that eight bytes of 0 to 9 stand for, the lowest byte first: neighbours become numbers
 * of two digits, in bytes 0, 2, 4 and 6; these are weighed and added in the upper half. */
static inline uint64_t sg_digits_parse_eight(uint64_t x)
{
    const uint64_t pairs = UINT64_C(0x000000ff000000ff);
    x = x * 10 + (x >> 8);
    uint64_t odd = (x & pairs) * (UINT64_C(1000000) << 32 | 100);
    return (odd + (x >> 16 & pairs) * (UINT64_C(10000) << 32 | 1)) >> 32;
}

#define SG_BROADCAST_BYTE(byte) (UINT64_C(0x0101010101010101) * (byte))

/* Appends the digits at p to *value, modulo 2^64; returns what is behind them. Seven bytes beyond
 * that must be readable. */
static inline const char *sg_digits_parse(const char *p, uint64_t *value)
{
    static const uint32_t tens[] = {1, 10, 100, 1000, 10000, 100000, 1000000, 10000000};
    for (;; p += 8) {
        uint64_t x = sg_load_le64(p) ^ SG_BROADCAST_BYTE('0');
        /* The top bits of bytes above 9. A carry may spoil those behind the first, no others. */
        uint64_t others = ((x + SG_BROADCAST_BYTE(0x76)) | x) & SG_BROADCAST_BYTE(0x80);
        if (others) {
            unsigned n = (unsigned)__builtin_ctzll(others) / 8;
            *value = *value * tens[n] + sg_digits_parse_eight(x << 8 << (56 - 8 * n)); /* zeros in front */
            return p + n;
        }
        *value = *value * 100000000 + sg_digits_parse_eight(x);
    }
}

/* The same, one at a time: better where there are few, and as many as in the row before. */
static inline const char *sg_digits_parse_bytewise(const char *p, uint64_t *value)
{
    for (unsigned digit; (digit = (unsigned char)*p - '0') <= 9; p++) *value = *value * 10 + digit;
    return p;
}

#endif
