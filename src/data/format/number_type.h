/* number_type.h: the numeric types of cells in memory and in .npy files, and their conversion to double. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Converts n cells in native byte order: out[i * pitch] becomes the cell of row row[i], or of row i if row is NULL. The
 * cell of row r is at from + r * stride and need not be aligned. Returns how many values are NaN or infinite. */
typedef size_t sg_decode_fn(const char *from, size_t stride, const size_t *row, size_t n, double *out, size_t pitch);

typedef struct sg_number_type {
    const char *name; /* NumPy's name without the byte order, such as "f8" */
    size_t size;
    sg_decode_fn *decode;
} sg_number_type;

/* Returns the type whose name is the first `length` bytes of `name`, or NULL if there is none. */
const sg_number_type *sg_number_type_find(const char *name, size_t length);
/* Returns the names of all types, "f8, f4, i8, ...", for messages. */
const char *sg_number_type_names(void);
/* Reports whether cells of this type are doubles in native byte order. t may be NULL. */
bool sg_number_type_is_double(const sg_number_type *t, bool big_endian);
/* Does the same as t->decode, for cells in either byte order. */
size_t sg_number_decode(const sg_number_type *t, bool big_endian, const char *from, size_t stride, const size_t *row,
                        size_t n, double *out, size_t pitch);
