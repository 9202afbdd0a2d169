/* column_names.h: looks up, validates and lists column names; fast even for very many columns. */
#pragma once

#include "base/status.h"
#include "base/text.h"

typedef struct sg_named_column {
    const char *name;
    size_t column;
} sg_named_column;

/* Sorts the columns by name, and columns of the same name by index. The caller frees *out; names must outlive it. */
sg_status sg_column_names_sort(const char *const *names, size_t n, sg_named_column **out);
/* Returns the first entry with the given name in a sorted list, or NULL if there is none. */
const sg_named_column *sg_column_names_find(const sg_named_column *sorted, size_t n, const char *name, size_t length);
/* Returns the first column that repeats the name of an earlier column, and stores the earlier one in *earlier. Returns
 * NULL if there is no such column. `use` marks the columns to consider; NULL means all. */
const sg_named_column *sg_column_names_find_duplicate(const sg_named_column *sorted, size_t n, const bool *use,
                                                      const sg_named_column **earlier);

/* Returns whether a name is UTF-8 and not empty. */
bool sg_column_name_is_valid(const char *name);
/* Fails if a name is not valid or occurs twice. */
sg_status sg_column_names_check(const char *const *names, size_t n);

/* Appends a list like `a, b and 17 more` for a message. `use` marks the columns to list; NULL means all. */
void sg_column_names_join(const char *const *names, const bool *use, size_t n, sg_text *out);

/* Describes columns that are not read, for sg_notice_dropped_columns. */
#define SG_DROPPED_OTHER_TYPES "columns that hold neither numbers nor categories"
/* Sends the notice "left out <what>: <names>" if dropped[i] is set for any column i. o may be NULL. */
void sg_notice_dropped_columns(const sg_options *o, const char *what, const char *const *names, const bool *dropped,
                               size_t n);
