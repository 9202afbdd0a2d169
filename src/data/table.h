/* table.h: makes tables for the readers of this module. */
#pragma once

#include "base/status.h"
#include "data/format/npy/npy_source.h"
#include "data/string_table.h"

/* Makes a table from values[rows * columns] and levels[columns], and takes ownership of both, even on failure. The
 * levels of numeric columns are empty; levels is NULL if all columns are numeric. Copies origin, a file name for
 * messages or NULL, and names[columns + dropped], the last of which are columns of the file that the table does not
 * contain. Unlike sg_table_new, does not check names and values. */
sg_status sg_table_adopt(const char *origin, const char *const *names, size_t columns, size_t dropped, double *values,
                         sg_string_table *levels, size_t rows, sg_table **out);
/* Like sg_table_adopt, for rows in a file. Takes ownership of the file, even on failure. */
sg_status sg_table_adopt_file(const char *origin, const char *const *names, size_t columns, size_t dropped,
                              sg_npy *file, sg_string_table *levels, sg_table **out);
/* Declares that a column holds the weights of the rows. */
void sg_table_set_weights(sg_table *t, size_t column);
/* Returns the number of bytes that the rows use in memory, or will use once they are loaded. */
size_t sg_table_resident_bytes(const sg_table *t);
