/* npy_type.h: the types of numbers that .npy files hold, and their way to double. */
#ifndef SG_DATA_FORMAT_NPY_NPY_TYPE_H
#define SG_DATA_FORMAT_NPY_NPY_TYPE_H

#include "data/string_table.h"

#include <stdbool.h>
#include <stddef.h>
#include <stdint.h>

typedef struct sg_npy_type {
    const char *name; /* as NumPy has it, without the order of the bytes */
    size_t size;
    double (*decode)(uint64_t bits, size_t size);
    /* Many at once, where the bytes stand in the machine's own order; NULL: one by one. */
    void (*decode_many)(const char *from, size_t step, const size_t *row, size_t n, double *out, size_t pitch);
} sg_npy_type;

/* NULL for a type that is no number, or none that is read. */
const sg_npy_type *sg_npy_type_find(const char *name, size_t length);
/* "f8, f4, i8, ..." */
const char *sg_npy_type_names(void);

/* A column of a file: its cell in row r lies at `start + r * step` behind the header. */
typedef struct sg_npy_column {
    const sg_npy_type *type;       /* NULL: texts                   */
    char text_type;                /* 'S' or 'U' then, see npy_text.h */
    const sg_string_table *levels; /* and their codes               */
    bool big_endian;               /* the first byte is the highest */
    size_t offset, stride, size;
} sg_npy_column;

/* Whether its cells are the doubles of this machine. */
bool sg_npy_is_double(const sg_npy_column *c);

/* out[i * pitch] = the cell of row[i], or of row i where row is NULL; cells begin at `from`, which is
 * that of row 0 and need not be aligned. */
void sg_npy_decode(const sg_npy_column *c, const char *from, const size_t *row, size_t n, double *out, size_t pitch);

#endif
