/* value_counts.h: which numbers a column holds, and how often: the levels of a category. */
#ifndef SG_PREP_VALUE_COUNTS_H
#define SG_PREP_VALUE_COUNTS_H

#include <stdbool.h>
#include <stddef.h>

/* Different numbers, at most: more are no categories. */
enum { SG_VALUE_COUNTS_MAX = 1 << 20 };

typedef struct sg_value_count {
    double value;
    size_t rows; /* 0: this place is free */
} sg_value_count;

/* Zeroed it is empty. A hash table: the order of its places says nothing. */
typedef struct sg_value_counts {
    size_t values, slots; /* places: 0, or a power of two */
    sg_value_count *slot;
} sg_value_counts;

/* So many more rows hold the value, which is no NaN; -0 is 0. False without memory, or where there are too many
 * different ones. What several parts of the rows counted adds up, value by value. */
bool sg_value_counts_add(sg_value_counts *t, double value, size_t rows);
void sg_value_counts_release(sg_value_counts *t);

#endif
