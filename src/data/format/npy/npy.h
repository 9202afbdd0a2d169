/* npy.h: .npy files, NumPy's own format, read in place and written.
 *
 * A file is 2-D (columns are then named c1, c2, ... as those of a CSV file without a header) or
 * structured with names; numbers are of the types of npy_type.c, in C or Fortran order; fields of texts are
 * categories, whose words are looked for once when the file is opened. Rows are read
 * when they are asked for, from any number of threads, into no more memory than the caller's, unless
 * sg_npy_allow_load allows more. A NaN is handed on as it is. */
#ifndef SG_DATA_FORMAT_NPY_NPY_H
#define SG_DATA_FORMAT_NPY_NPY_H

#include "base/text.h"
#include "data/format/csv/csv.h"
#include "data/ingest/file_reader.h"

typedef struct sg_npy sg_npy;

/* Chosen as those of a CSV file are: of `how` counts what it says about columns. */
sg_status sg_npy_open(const char *path, const sg_read_options *options, sg_npy **out);
/* The same of bytes, which it takes over, also on failure. */
sg_status sg_npy_adopt(sg_file_reader *bytes, const sg_read_options *options, sg_npy **out);
/* A file of at most so many bytes may be kept in memory once its rows are asked for in any order: how many it
 * will take there, or 0. Before the first sg_npy_source. */
size_t sg_npy_allow_load(sg_npy *npy, size_t most);
/* The same number, later. */
size_t sg_npy_resident_bytes(const sg_npy *npy);
sg_source sg_npy_source(const sg_npy *npy);
/* The i-th column that is not read; NULL after the last. */
const char *sg_npy_dropped_column(const sg_npy *npy, size_t i);
void sg_npy_free(sg_npy *npy);

/* The beginning of a file of named columns of this machine's doubles, at least so many bytes. */
sg_status sg_npy_header_format(const char *const *names, size_t columns, size_t rows, size_t least, sg_text *out);

/* Writing, row by row: doubles in C order. names NULL: 2-D without names. */
typedef struct sg_npy_writer sg_npy_writer;
sg_status sg_npy_writer_open(const char *path, const char *const *names, size_t columns, sg_npy_writer **out);
sg_status sg_npy_writer_add(sg_npy_writer *w, const double *values, size_t rows);
/* Only now the file is there. Frees w, also on failure. */
sg_status sg_npy_writer_commit(sg_npy_writer *w);
/* Abandons what was written. */
void sg_npy_writer_free(sg_npy_writer *w);

/* All rows of a source: 2-D where its columns are numbers and called c1, c2, ..., else structured, with texts for
 * categories. */
sg_status sg_npy_save(const sg_source *rows, const char *path);

#endif
