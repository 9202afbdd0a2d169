/* value_counts.h: counts the rows of each distinct value of a numeric column that is used as a category. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

/* Maximum number of distinct values; a column with more is not categorical. */
enum { SG_VALUE_COUNTS_MAX = 1 << 20 };

typedef struct sg_value_count {
    double value;
    size_t rows; /* 0 if the slot is free */
} sg_value_count;

/* An open-addressing hash table, whose slots are in no particular order. It is empty if zero-initialised. */
typedef struct sg_value_counts {
    size_t values, slots; /* slots is 0 or a power of two */
    sg_value_count *slot;
} sg_value_counts;

/* Adds `rows` rows to the count of a value, which must not be NaN; -0 counts as 0. Returns false if out of memory or if
 * there are too many distinct values. */
bool sg_value_counts_add(sg_value_counts *t, double value, size_t rows);
void sg_value_counts_release(sg_value_counts *t);
