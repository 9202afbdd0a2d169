/* number_type.h: the numeric types of cells in memory and in .npy files, and their conversion to double. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Converts n cells in native byte order: out[i * pitch] is the cell of row[i], or of row i if row is NULL. Row r is at
 * from + r * stride, which need not be aligned. Returns the number of values that are NaN or infinite. */
typedef size_t sg_decode_fn(const char *from, size_t stride, const size_t *row, size_t n, double *out, size_t pitch);

typedef struct sg_number_type {
    const char *name; /* NumPy's name without the byte order: "f8" */
    size_t size;
    sg_decode_fn *decode;
} sg_number_type;

/* Returns the type with a name of the given length, or NULL. */
const sg_number_type *sg_number_type_find(const char *name, size_t length);
/* Returns "f8, f4, i8, ...", for messages. */
const char *sg_number_type_names(void);
/* Reports whether the cells are doubles in native byte order. */
bool sg_number_type_is_double(const sg_number_type *t, bool big_endian);
/* Like t->decode, for either byte order. */
size_t sg_number_decode(const sg_number_type *t, bool big_endian, const char *from, size_t stride, const size_t *row,
                        size_t n, double *out, size_t pitch);
