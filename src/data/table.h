/* table.h: creation of tables by the readers of this module. */
#pragma once

#include "base/status.h"
#include "data/format/npy/npy_source.h"
#include "data/string_table.h"

/* Makes a table from values[rows * columns] and levels[columns], where the levels of numeric columns are empty; levels
 * NULL: all columns are numeric. Takes ownership of both, even on failure. Copies origin, a file name for messages or
 * NULL, and names[columns + dropped]; the last ones are columns of the file that the table does not contain. Names and
 * values are not checked, unlike those of sg_table_new. */
sg_status sg_table_adopt(const char *origin, const char *const *names, size_t columns, size_t dropped, double *values,
                         sg_string_table *levels, size_t rows, sg_table **out);
/* The same for rows in a file, which the table owns, even on failure. */
sg_status sg_table_adopt_file(const char *origin, const char *const *names, size_t columns, size_t dropped,
                              sg_npy *file, sg_string_table *levels, sg_table **out);
/* Declares a column as the weights of the rows. */
void sg_table_set_weights(sg_table *t, size_t column);
/* Returns the number of bytes that the rows use in memory, or will use once they are loaded. */
size_t sg_table_resident_bytes(const sg_table *t);
