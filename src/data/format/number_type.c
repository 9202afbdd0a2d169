/* number_type.c: converts integers of all sizes, float and double to double.
 *
 * There is one loop per type, so that compilers can optimise each of them. Cells need not be aligned, hence memcpy. */
#include "data/format/number_type.h"

#include <float.h>
#include <math.h>
#include <stdint.h>
#include <string.h>

#define DEFINE_DECODER(function, type)                                                                                 \
    static size_t function(const char *from, size_t stride, const size_t *row, size_t n, double *out, size_t pitch)    \
    {                                                                                                                  \
        size_t nonfinite = 0;                                                                                          \
        for (size_t i = 0; i < n; i++) {                                                                               \
            type value;                                                                                                \
            memcpy(&value, from + (row ? row[i] : i) * stride, sizeof value);                                          \
            out[i * pitch] = (double)value;                                                                            \
            nonfinite += !(fabs((double)value) <= DBL_MAX);                                                            \
        }                                                                                                              \
        return nonfinite;                                                                                              \
    }

DEFINE_DECODER(decode_f64, double)
DEFINE_DECODER(decode_f32, float)
DEFINE_DECODER(decode_i64, int64_t)
DEFINE_DECODER(decode_i32, int32_t)
DEFINE_DECODER(decode_i16, int16_t)
DEFINE_DECODER(decode_i8, int8_t)
DEFINE_DECODER(decode_u64, uint64_t)
DEFINE_DECODER(decode_u32, uint32_t)
DEFINE_DECODER(decode_u16, uint16_t)
DEFINE_DECODER(decode_u8, uint8_t)

static const sg_number_type types[] = {
    {"f8", 8, decode_f64}, {"f4", 4, decode_f32}, {"i8", 8, decode_i64}, {"i4", 4, decode_i32},
    {"i2", 2, decode_i16}, {"i1", 1, decode_i8},  {"u8", 8, decode_u64}, {"u4", 4, decode_u32},
    {"u2", 2, decode_u16}, {"u1", 1, decode_u8},  {"b1", 1, decode_u8},
};

const char *sg_number_type_names(void) { return "f8, f4, i8, i4, i2, i1, u8, u4, u2, u1, b1"; }

const sg_number_type *sg_number_type_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0) return &types[i];
    return NULL;
}

static bool is_native(bool big_endian) { return big_endian == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__); }

bool sg_number_type_is_double(const sg_number_type *t, bool big_endian)
{
    return t && t->decode == decode_f64 && is_native(big_endian);
}

size_t sg_number_decode(const sg_number_type *t, bool big_endian, const char *from, size_t stride, const size_t *row,
                        size_t n, double *out, size_t pitch)
{
    size_t nonfinite = 0;
    if (is_native(big_endian)) return t->decode(from, stride, row, n, out, pitch);
    for (size_t i = 0; i < n; i++) {
        const char *cell = from + (row ? row[i] : i) * stride;
        char swapped[8];
        for (size_t b = 0; b < t->size; b++) swapped[b] = cell[t->size - 1 - b];
        nonfinite += t->decode(swapped, 0, NULL, 1, out + i * pitch, pitch);
    }
    return nonfinite;
}
