/* tally.h: which numbers a column holds, and how often: the levels of a category. */
#ifndef SG_PREP_TALLY_H
#define SG_PREP_TALLY_H

#include <stdbool.h>
#include <stddef.h>

/* Different numbers, at most: more are no categories. */
enum { SG_TALLY_MOST = 1 << 20 };

typedef struct sg_tallied {
    double value;
    size_t rows; /* 0: this place is free */
} sg_tallied;

/* Zeroed it is empty. A hash table: the order of its places says nothing. */
typedef struct sg_tally {
    size_t values, places; /* places: 0, or a power of two */
    sg_tallied *place;
} sg_tally;

/* So many more rows hold the value, which is no NaN; -0 is 0. False without memory, or where there are too many
 * different ones. What several parts of the rows counted adds up, value by value. */
bool sg_tally_add(sg_tally *t, double value, size_t rows);
void sg_tally_release(sg_tally *t);

#endif
