/* libsvm_read.h: reads files in the sparse format of LIBSVM.
 *
 *     <label> [qid:<n>] <index>:<value> ...     # a comment
 *
 * Indices start with 1 and increase; omitted values are 0. Columns are named f1, f2, ... and the label, which is the
 * last column, y. The number of columns is known only at the end, so a file is read twice. */
#pragma once

#include "data/format/csv/csv.h"

/* Reads several files as one table. The number of columns is the largest index of all files, or of the wanted columns
 * f<n>. Of the options, those about columns and missing values apply. */
sg_status sg_libsvm_read_files(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out);
