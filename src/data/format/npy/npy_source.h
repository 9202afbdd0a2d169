/* npy_source.h: reads .npy files, NumPy's own format, in place, and writes them.
 *
 * A file is a 2-D array in C or Fortran order (its columns are named c1, c2, ... like those of a CSV file without a
 * header) or a structured array with field names. Numbers have the types of number_type.c; strings are categories,
 * whose levels are collected when the file is opened. Reading is thread-safe. It allocates no memory, unless
 * sg_npy_allow_load permits it to load the file. */
#pragma once

#include "base/text.h"
#include "data/format/csv/csv.h"
#include "data/ingest/random_access_file.h"

typedef struct sg_npy sg_npy;

/* Selects columns as for a CSV file. Only the options about columns, missing values and notices are used. */
sg_status sg_npy_open(const char *path, const sg_read_options *options, sg_npy **out);
/* Does the same for an open file. Takes ownership of it, even on failure. */
sg_status sg_npy_adopt(sg_file_reader *bytes, const sg_read_options *options, sg_npy **out);
/* Permits loading a file of at most max_bytes bytes into memory, which happens when its rows are first gathered.
 * Returns the size of the file, or 0 if it is larger. Call before sg_npy_source. */
size_t sg_npy_allow_load(sg_npy *npy, size_t max_bytes);
/* Returns the size of a file that may be loaded, or 0. */
size_t sg_npy_resident_bytes(const sg_npy *npy);
sg_source sg_npy_source(const sg_npy *npy);
/* Returns the name of the i-th column that is not read, or NULL after the last one. */
const char *sg_npy_dropped_column(const sg_npy *npy, size_t i);
void sg_npy_free(sg_npy *npy);

/* The columns of a file to write. */
typedef struct sg_npy_layout {
    const char *const *names; /* NULL: the file is a 2-D array without names */
    const size_t *max_chars;  /* (columns) length of the strings, or 0 for doubles; NULL: all are doubles */
    size_t columns;
    bool big_endian;
} sg_npy_layout;
/* Appends a file header of at least `least` bytes to out. The length of the header does not depend on `rows`. */
sg_status sg_npy_header_format(const sg_npy_layout *l, size_t rows, size_t least, sg_text *out);

/* Writes the local rows of a source. The file is a 2-D array if all columns are numeric and named c1, c2, ...,
 * otherwise a structured array with strings for categories. */
sg_status sg_npy_save(const sg_source *rows, const char *path);
