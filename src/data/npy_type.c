/* npy_type.c: see npy_type.h. */
#include "data/npy_type.h"

#include "data/npy_text.h"

#include <string.h>

/* --- one number --- */

static double real8(uint64_t bits, size_t size)
{
    double value;
    (void)size;
    memcpy(&value, &bits, sizeof value);
    return value;
}

static double real4(uint64_t bits, size_t size)
{
    uint32_t low = (uint32_t)bits;
    float value;
    (void)size;
    memcpy(&value, &low, sizeof value);
    return (double)value;
}

static double natural(uint64_t bits, size_t size)
{
    (void)size;
    return (double)bits;
}

/* Two's complement: the highest bit counts negative. */
static double whole(uint64_t bits, size_t size)
{
    uint64_t sign = (uint64_t)1 << (8 * size - 1);
    return bits & sign ? -(double)(sign - (bits ^ sign)) : (double)bits;
}

/* --- many, in the machine's own order --- */

static void take_real8(const char *from, size_t step, const size_t *row, size_t n, double *out, size_t pitch)
{
    for (size_t i = 0; i < n; i++) memcpy(out + i * pitch, from + (row ? row[i] : i) * step, sizeof *out);
}

static void take_real4(const char *from, size_t step, const size_t *row, size_t n, double *out, size_t pitch)
{
    float value;
    for (size_t i = 0; i < n; i++) {
        memcpy(&value, from + (row ? row[i] : i) * step, sizeof value);
        out[i * pitch] = (double)value;
    }
}

/* --- the table --- */

static const sg_npy_type types[] = {
    {"f8", 8, real8, take_real8}, {"f4", 4, real4, take_real4}, {"i8", 8, whole, NULL},   {"i4", 4, whole, NULL},
    {"i2", 2, whole, NULL},       {"i1", 1, whole, NULL},       {"u8", 8, natural, NULL}, {"u4", 4, natural, NULL},
    {"u2", 2, natural, NULL},     {"u1", 1, natural, NULL},     {"b1", 1, natural, NULL},
};

const char *sg_npy_type_names(void) { return "f8, f4, i8, i4, i2, i1, u8, u4, u2, u1, b1"; }

const sg_npy_type *sg_npy_type_find(const char *name, size_t length)
{
    for (size_t i = 0; i < sizeof types / sizeof *types; i++)
        if (strlen(types[i].name) == length && memcmp(types[i].name, name, length) == 0) return &types[i];
    return NULL;
}

/* --- taking --- */

static uint64_t bits_of(const char *from, size_t size, bool big)
{
    const unsigned char *byte = (const unsigned char *)from;
    uint64_t bits = 0;
    for (size_t i = 0; i < size; i++) bits = bits << 8 | byte[big ? i : size - 1 - i];
    return bits;
}

static bool is_native(const sg_npy_column *c) { return c->big == (__BYTE_ORDER__ == __ORDER_BIG_ENDIAN__); }

bool sg_npy_is_double(const sg_npy_column *c) { return c->type && c->type->take == take_real8 && is_native(c); }

void sg_npy_take(const sg_npy_column *c, const char *from, const size_t *row, size_t n, double *out, size_t pitch)
{
    const sg_npy_type *t = c->type;
    if (!t) {
        sg_npy_take_codes(c, from, row, n, out, pitch);
        return;
    }
    if (t->take && is_native(c)) {
        t->take(from, c->step, row, n, out, pitch);
        return;
    }
    for (size_t i = 0; i < n; i++) {
        const char *cell = from + (row ? row[i] : i) * c->step;
        out[i * pitch] = t->number(bits_of(cell, t->size, c->big), t->size);
    }
}
