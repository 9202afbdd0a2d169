/* npy_type.c: see npy_type.h. */
#include "data/format/npy/npy_type.h"

#include "data/format/npy/npy_text.h"

#include <string.h>

/* --- one number --- */

static double decode_f64(uint64_t bits, size_t size)
{
    double value;
    (void)size;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double decode_f32(uint64_t bits, size_t size)
{
    uint32_t low = (uint32_t)bits;
    float value;
    (void)size;
    memcpy(&value, &low, sizeof value);
    return (double)value;
}

static double decode_unsigned(uint64_t bits, size_t size)
{
    (void)size;
    return (double)bits;
}

/* Two's complement: the highest bit counts negative. */
static double decode_signed(uint64_t bits, size_t size)
{
    uint64_t sign = (uint64_t)1 << (8 * size - 1);
    return bits & sign ? -(double)(sign - (bits ^ sign)) : (double)bits;
}

/* --- many, in the machine's own order --- */

static void decode_f64_many(const char *from, size_t step, const size_t *row, size_t n, double *out, size_t pitch)
{
    for (size_t i = 0; i < n; i++) memcpy(out + i * pitch, from + (row ? row[i] : i) * step, sizeof *out);
}

static void decode_f32_many(const char *from, size_t step, const size_t *row, size_t n, double *out, size_t pitch)
{
    float value;
    for (size_t i = 0; i < n; i++) {
        memcpy(&value, from + (row ? row[i] : i) * step, sizeof value);
        out[i * pitch] = (double)value;
    }
}

/* --- the table --- */

static const sg_npy_type types[] = {
    {"f8", 8, decode_f64, decode_f64_many}, {"f4", 4, decode_f32, decode_f32_many}, {"i8", 8, decode_signed, NULL},
    {"i4", 4, decode_signed, NULL},         {"i2", 2, decode_signed, NULL},         {"i1", 1, decode_signed, NULL},
    {"u8", 8, decode_unsigned, NULL},       {"u4", 4, decode_unsigned, NULL},       {"u2", 2, decode_unsigned, NULL},
    {"u1", 1, decode_unsigned, NULL},       {"b1", 1, decode_unsigned, NULL},
};

const char *sg_npy_type_names(void) { return "f8, f4, i8, i4, i2, i1, u8, u4, u2, u1, b1"; }

const sg_npy_type *sg_npy_type_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0) return &types[i];
    return NULL;
}

/* --- taking --- */

static uint64_t load_bits(const char *from, size_t size, bool big)
{
    const unsigned char *byte = (const unsigned char *)from;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) bits = bits << 8 | byte[big ? i : size - 1 - i];
    return bits;
}

static bool is_native(const sg_npy_column *c) { return c->big_endian == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__); }

bool sg_npy_is_double(const sg_npy_column *c)
{
    return c->type && c->type->decode_many == decode_f64_many && is_native(c);
}

void sg_npy_decode(const sg_npy_column *c, const char *from, const size_t *row, size_t n, double *out, size_t pitch)
{
    const sg_npy_type *t = c->type;
    if (!t) {
        sg_npy_decode_levels(c, from, row, n, out, pitch);
        return;
    }
    if (t->decode_many && is_native(c)) {
        t->decode_many(from, c->stride, row, n, out, pitch);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const char *cell = from + (row ? row[i] : i) * c->stride;
        out[i * pitch] = t->decode(load_bits(cell, t->size, c->big_endian), t->size);
    }
}
