/* npy_header.h: what stands at the beginning of a .npy file: types, order and shape.
 *
 * "\x93NUMPY", the version of the format (1.0, 2.0, 3.0), the length of what follows (2 bytes, from 2.0
 * on 4), and a Python dictionary in latin-1, from 3.0 on UTF-8:
 *
 *     {'descr': '<f8', 'fortran_order': False, 'shape': (150, 5), }
 *     {'descr': [('a', '<f8'), ('b', '<f4')], 'fortran_order': False, 'shape': (150,), } */
#ifndef SG_DATA_FORMAT_NPY_NPY_HEADER_H
#define SG_DATA_FORMAT_NPY_NPY_HEADER_H

#include "base/text.h"
#include "data/format/npy/npy_type.h"
#include "sugeno.h"

#define SG_NPY_MAGIC "\x93NUMPY"

enum { SG_NPY_MAGIC_SIZE = 6, SG_NPY_PREAMBLE_SIZE = 12 }; /* bytes before the dictionary, at most */

typedef struct sg_npy_field {
    size_t name; /* where it begins in names          */
    size_t name_length;
    const sg_npy_type *type; /* NULL: no number that can be read  */
    char other_type;         /* then the letter of its type       */
    bool big_endian;
    size_t offset, size; /* in bytes of the row               */
} sg_npy_field;

typedef struct sg_npy_header {
    bool structured, fortran_order;
    size_t rows, columns;
    size_t row_bytes;     /* rows * row_bytes does not overflow          */
    sg_npy_field *fields; /* (columns) where they are named, else one */
    size_t field_capacity, field_count;
    sg_text names;
} sg_npy_header;

/* Where the dictionary begins and how long it is, from the first n bytes of a file. */
sg_status sg_npy_preamble_parse(const char *bytes, size_t n, const char *file, size_t *begin, size_t *length,
                                bool *utf8);
/* From the dictionary. h is to be released, also on failure. */
sg_status sg_npy_header_parse(const char *text, size_t length, bool utf8, const char *file, sg_npy_header *h);
void sg_npy_header_release(sg_npy_header *h);

#endif
