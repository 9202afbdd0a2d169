/* source_util.h: helpers for readers and implementations of sg_source. */
#pragma once

#include "base/status.h"

#include <stdbool.h>
#include <string.h>

/* Reads rows by index with the source's gather function, or with reads of consecutive rows if it has none. Allocates
 * nothing. */
sg_status sg_source_gather(const sg_source *s, const size_t *rows, size_t n, double *out);

/* Calls fn for all local rows, block by block, until fn fails. */
typedef sg_status sg_block_fn(void *arg, const double *values, size_t rows);
sg_status sg_source_for_each_block(const sg_source *s, sg_block_fn *fn, void *arg);
/* Returns how many rows fit into a buffer of `doubles` values, but at least 1. */
static inline size_t sg_rows_per_block(size_t columns, size_t doubles)
{
    return columns < doubles ? doubles / columns : 1;
}

/* Copies a row, which need not be aligned. Rows are short, so a call of memcpy would cost more than the copy. */
static inline void sg_copy_row(const void *from, size_t columns, double *to)
{
    const char *cell = from;
    size_t k = 0;
    for (; k + 4 <= columns; k += 4) memcpy(to + k, cell + k * sizeof *to, 4 * sizeof *to);
    for (; k < columns; k++) memcpy(to + k, cell + k * sizeof *to, sizeof *to);
}

/* Gets the range of rows that this process can read: [*first, *last). */
void sg_source_local_range(const sg_source *s, size_t *first, size_t *last);
/* Sets bound[ranks + 1] to the first row of each rank and the total, or to {0, rows} if the rows are not distributed.
 * Collective. Fails if the ranges of the ranks are not adjacent. */
sg_status sg_source_shard_bounds(const sg_source *s, size_t *bound);

bool sg_source_is_categorical(const sg_source *s, size_t column);
/* Returns level i of a column, or NULL if there is none. */
const char *sg_source_level(const sg_source *s, size_t column, size_t i);
/* Returns the level of a cell, or NULL if the cell is missing or the column is numeric. */
const char *sg_source_cell_level(const sg_source *s, size_t column, double cell);
/* Fails if the column is categorical. */
sg_status sg_source_require_numeric(const sg_source *s, size_t column);

/* Implements sg_source.level for a wrapper whose self begins with the sg_source that it wraps. */
const char *sg_source_wrapped_level(void *self, size_t column, size_t i);

/* Returns the name of the source for messages. */
const char *sg_source_name(const sg_source *s);

/* Fails because the source `name` has only `rows` rows and thus no row `row`. */
sg_status sg_fail_row(const char *name, size_t row, size_t rows);
/* Fails unless [first, first + n) is within [0, rows). */
sg_status sg_check_row_range(const char *name, size_t rows, size_t first, size_t n);
