/* npy_cell.h: the cells of .npy files (numbers or fixed-length strings) and their conversion to double. */
#pragma once

#include "data/format/number_type.h"
#include "data/string_table.h"

enum { SG_NPY_TEXT_INVALID = -1, SG_NPY_TEXT_MAX = 16384 }; /* TEXT_MAX: maximum size of a category in bytes */

/* A column of a file. Its cell in row r is offset + r * stride bytes after the header. */
typedef struct sg_npy_column {
    const sg_number_type *type;    /* type of the numbers, or NULL for strings                             */
    char text_type;                /* for strings, NumPy's letter: 'S' (bytes) or 'U' (4-byte code points) */
    const sg_string_table *levels; /* for strings, the levels; a cell becomes the index of its level       */
    bool big_endian;
    size_t offset, stride, size;
} sg_npy_column;

/* Converts n cells: out[i * pitch] becomes the cell of row row[i], or of row i if row is NULL. `from` points to the
 * cell of row 0 and need not be aligned. A string becomes its index in c->levels, or NaN if it is not a level. */
void sg_npy_decode(const sg_npy_column *c, const char *from, const size_t *row, size_t n, double *out, size_t pitch);

/* Converts a string cell to UTF-8, trims it, and replaces control characters with blanks. `to` needs c->size bytes.
 * Returns the length of the result, or SG_NPY_TEXT_INVALID. */
ptrdiff_t sg_npy_text_decode(const sg_npy_column *c, const char *cell, char *to);
