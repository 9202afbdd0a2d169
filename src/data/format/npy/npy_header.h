/* npy_header.h: the header of a .npy file: types, order and shape.
 *
 * It consists of "\x93NUMPY", the format version (1.0, 2.0 or 3.0), the length of the dictionary (2 bytes in version
 * 1.0, otherwise 4), and a Python dictionary in Latin-1 (in UTF-8 in version 3.0):
 *
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (150, 5), }
 *     {'descr': [('a', '<f8'), ('b', '<f4')], 'fortran_order': False, 'shape': (150,), } */
#pragma once

#include "base/text.h"
#include "data/format/npy/npy_cell.h"
#include "sugeno.h"

#define SG_NPY_MAGIC "\x93NUMPY"

enum { SG_NPY_MAGIC_SIZE = 6, SG_NPY_PREAMBLE_SIZE = 12 }; /* PREAMBLE_SIZE: maximum bytes before the dictionary */

typedef struct sg_npy_field {
    size_t name; /* offset in sg_npy_header.names */
    size_t name_length;
    const sg_number_type *type; /* NULL: the field is not a number ... */
    char other_type;            /* ... and this is the letter of its type */
    bool big_endian;
    size_t offset, size; /* position in the row, in bytes */
} sg_npy_field;

typedef struct sg_npy_header {
    bool structured, fortran_order;
    size_t rows, columns;
    size_t row_bytes;     /* bytes per row; rows * row_bytes does not overflow */
    sg_npy_field *fields; /* (columns), or (1) if the array is not structured */
    size_t field_capacity, field_count;
    sg_text names;
} sg_npy_header;

/* Gets the position, length and encoding of the dictionary from the first n bytes of a file. */
sg_status sg_npy_preamble_parse(const char *bytes, size_t n, const char *file, size_t *begin, size_t *length,
                                bool *utf8);
/* Parses the dictionary. Release h even on failure. */
sg_status sg_npy_header_parse(const char *text, size_t length, bool utf8, const char *file, sg_npy_header *h);
void sg_npy_header_release(sg_npy_header *h);
