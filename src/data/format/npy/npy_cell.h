/* npy_cell.h: the cells of .npy files, numbers or fixed-length strings, and their conversion to double. */
#pragma once

#include "data/format/number_type.h"
#include "data/string_table.h"

enum { SG_NPY_TEXT_INVALID = -1, SG_NPY_TEXT_MAX = 16384 }; /* strings of more bytes are not categories */

/* A column of a file: its cell of row r is at offset + r * stride after the header. */
typedef struct sg_npy_column {
    const sg_number_type *type;    /* NULL: strings                                                 */
    char text_type;                /* then NumPy's letter: 'S' for bytes, 'U' for 4-byte code points */
    const sg_string_table *levels; /* and the levels that cells are converted to                    */
    bool big_endian;
    size_t offset, stride, size;
} sg_npy_column;

/* Converts n cells: out[i * pitch] is the cell of row[i], or of row i if row is NULL. `from` is the cell of row 0 and
 * need not be aligned. Strings become indices of c->levels, or NaN if they are not a level. */
void sg_npy_decode(const sg_npy_column *c, const char *from, const size_t *row, size_t n, double *out, size_t pitch);

/* Converts a string cell to UTF-8, at most c->size bytes, trimmed, with blanks for control characters. Returns its
 * length, or SG_NPY_TEXT_INVALID. */
ptrdiff_t sg_npy_text_decode(const sg_npy_column *c, const char *cell, char *to);
