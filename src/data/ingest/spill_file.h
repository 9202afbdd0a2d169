/* spill_file.h: a temporary file for rows that do not fit into memory. When complete, it is a .npy file.
 *
 * The file has no name, lies in the folder $TMPDIR or /tmp, and disappears when it is closed or the process ends. */
#pragma once

#include "data/format/npy/npy_source.h"

typedef struct sg_spill_file sg_spill_file;

/* Creates a file for rows with the columns `names`, which must include those of the final file, because space for its
 * header is reserved. `source_name` says in messages where the rows come from. */
sg_status sg_spill_file_new(const char *source_name, const char *const *names, size_t columns, sg_spill_file **out);
void sg_spill_file_free(sg_spill_file *s);
/* Returns the free disk space for a temporary file, or SIZE_MAX if it is unknown. */
size_t sg_spill_disk_free(void);

/* Appends rows of `columns` cells, as given to sg_spill_file_new. */
sg_status sg_spill_file_append(sg_spill_file *s, const double *values, size_t rows);
/* Converts a row to one with at most as many columns. `to` may be `row` or precede it, so it is filled in order. */
typedef void sg_spill_map_fn(const void *arg, const double *row, double *to);
/* Calls fn for all rows, block by block, until fn fails. */
typedef sg_status sg_spill_visit_fn(void *arg, double *rows, size_t n);
sg_status sg_spill_file_for_each_block(const sg_spill_file *s, sg_spill_visit_fn *fn, void *arg);
/* Replaces each row with the result of `map`, which has `columns` cells. */
sg_status sg_spill_file_rewrite(sg_spill_file *s, sg_spill_map_fn *map, const void *arg, size_t columns);
/* Completes the file with the final column names. Takes ownership of s, even on failure. */
sg_status sg_spill_file_finish(sg_spill_file *s, const char *const *names, sg_npy **out);
