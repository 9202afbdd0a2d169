/* table.h: how the modules of data make tables. */
#ifndef SG_DATA_TABLE_H
#define SG_DATA_TABLE_H

#include "base/status.h"
#include "data/format/npy/npy.h"
#include "data/string_table.h"

/* Rows that are a table's in all but where they lie: in a file, which the table takes over, also on failure. */
sg_status sg_table_adopt_file(const char *origin, const char *const *names, size_t columns, size_t left_out,
                              sg_npy *file, sg_string_table *levels, sg_table **out);
/* A column holds the weights of its rows, as its file has them. */
void sg_table_set_weights(sg_table *t, size_t column);
/* How many bytes of memory its rows take, or will take. */
size_t sg_table_resident_bytes(const sg_table *t);

/* A table of values[rows * columns] and levels[columns], of which those of a column of numbers are none;
 * levels may be NULL: all are. It takes both over and frees them, also on failure. Copies names and origin, which says
 * where it comes from in messages and may be NULL; names[columns] and after are those of `left_out` columns that it
 * does not hold. Names and values are taken as they are: sg_table_new checks them. */
sg_status sg_table_adopt(const char *origin, const char *const *names, size_t columns, size_t left_out, double *values,
                         sg_string_table *levels, size_t rows, sg_table **out);

#endif
