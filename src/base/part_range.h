/* part_range.h: splits a range into nearly equal consecutive parts. */
#pragma once

#include <stddef.h>

/* Splits [0, n) into `parts` parts and returns where part i begins: n * i / parts, without overflow. i may equal
 * `parts`. */
static inline size_t sg_part_begin(size_t n, size_t parts, size_t i) { return n / parts * i + n % parts * i / parts; }

/* Returns the index of the part that contains element k. */
static inline size_t sg_part_of(size_t n, size_t parts, size_t k)
{
    size_t low = 0, high = parts;
    while (high - low > 1) {
        size_t middle = low + (high - low) / 2;
        if (sg_part_begin(n, parts, middle) <= k) low = middle;
        else high = middle;
    }
    return low;
}
