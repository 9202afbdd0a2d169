/* libsvm.h: files of the LIBSVM format.
 *
 *     <label> [qid:<n>] <index>:<value> ...     # a comment
 *
 * Indices begin with 1 and rise; what is not there is 0. Columns are called f1, f2, ... and the label, which comes
 * last, y. How many there are shows at the end only, so a file is read twice. */
#ifndef SG_DATA_FORMAT_LIBSVM_LIBSVM_H
#define SG_DATA_FORMAT_LIBSVM_LIBSVM_H

#include "data/format/csv/csv.h"

/* Files that continue each other; the one with the largest index says how many columns there are, or a column f<n>
 * that is wanted. Of `how` counts what it says about columns and missing values. */
sg_status sg_libsvm_read_files(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out);

/* All rows of a source: the last column is the label. Refuses words and missing values, which the format can't
 * say; the names of the columns are lost. */
sg_status sg_libsvm_save(const sg_source *rows, const char *path);

#endif
