/* npy_source.h: .npy files, NumPy's own format, read in place and written.
 *
 * A file is a 2-D array (its columns are named c1, c2, ... like those of a CSV file without a header) or a structured
 * array with field names, in C or Fortran order. Numbers have the types of number_type.c; strings are categories, whose
 * levels are collected when the file is opened. Reading is thread-safe and needs no memory, unless sg_npy_allow_load
 * permits it. */
#pragma once

#include "base/text.h"
#include "data/format/csv/csv.h"
#include "data/ingest/random_access_file.h"

typedef struct sg_npy sg_npy;

/* Selects columns like a CSV file; other options are ignored. */
sg_status sg_npy_open(const char *path, const sg_read_options *options, sg_npy **out);
/* Takes ownership of an open file, even on failure. */
sg_status sg_npy_adopt(sg_file_reader *bytes, const sg_read_options *options, sg_npy **out);
/* Permits loading the file into memory, when its rows are first gathered, if it has at most max_bytes bytes. Returns
 * the number of bytes, or 0. Call before sg_npy_source. */
size_t sg_npy_allow_load(sg_npy *npy, size_t max_bytes);
/* Returns the same number later. */
size_t sg_npy_resident_bytes(const sg_npy *npy);
sg_source sg_npy_source(const sg_npy *npy);
/* Returns column i of those that are not read, or NULL after the last. */
const char *sg_npy_dropped_column(const sg_npy *npy, size_t i);
void sg_npy_free(sg_npy *npy);

/* The columns of a file to write. */
typedef struct sg_npy_layout {
    const char *const *names; /* NULL: a 2-D array without names                  */
    const size_t *max_chars;  /* (columns) length of strings, 0: doubles; NULL: all doubles */
    size_t columns;
    bool big_endian;
} sg_npy_layout;
/* Appends the header of a file, at least `least` bytes long. Its length does not depend on `rows`. */
sg_status sg_npy_header_format(const sg_npy_layout *l, size_t rows, size_t least, sg_text *out);

/* Writes all rows of a source: as a 2-D array if its columns are numeric and named c1, c2, ..., otherwise as a
 * structured array with strings for categories. */
sg_status sg_npy_save(const sg_source *rows, const char *path);
