/* libsvm_read.h: reads files in the sparse LIBSVM format.
 *
 *     <label> [qid:<n>] <index>:<value> ...     # a comment
 *
 * Indices start at 1 and increase; omitted values are 0. The columns are named f1, f2, ...; the label becomes the last
 * column, named y. The number of columns is known only at the end of a file, so each file is read twice. */
#pragma once

#include "data/format/csv/csv.h"

/* Reads several files as one table. The number of features is the largest index in the files or in the names f<n> of
 * the wanted columns. The options `header` and `delimiter` are ignored. */
sg_status sg_libsvm_read_files(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out);
