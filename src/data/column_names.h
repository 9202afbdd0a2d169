/* column_names.h: finding columns by name, also among very many. */
#ifndef SG_DATA_COLUMN_NAMES_H
#define SG_DATA_COLUMN_NAMES_H

#include "base/status.h"
#include "base/text.h"

/* The columns in the order of their names, equal ones in the order of the columns; *out is to be
 * freed. names must outlive it. */
typedef struct sg_named_column {
    const char *name;
    size_t column;
} sg_named_column;
sg_status sg_column_names_sort(const char *const *names, size_t n, sg_named_column **out);
/* The first entry of that name in a sorted list, or NULL. */
const sg_named_column *sg_column_names_find(const sg_named_column *sorted, size_t n, const char *name, size_t length);
/* The first column whose name an earlier one, *twin, has too; NULL if there is none. Only columns
 * with use[column] count; use NULL: all. */
const sg_named_column *sg_column_names_find_duplicate(const sg_named_column *sorted, size_t n, const bool *use,
                                                      const sg_named_column **duplicate);

bool sg_column_name_is_valid(const char *name); /* UTF-8, not empty */

/* Appends `a, b, c and 17 more`, short enough for a message: those with use[i]; use NULL: all. */
void sg_column_names_join(const char *const *names, const bool *use, size_t n, sg_text *out);

#endif
