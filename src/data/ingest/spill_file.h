/* spill_file.h: a temporary file for rows that do not fit into memory. When complete, it is a .npy file.
 *
 * The file is unnamed, in the folder $TMPDIR or /tmp, and disappears when it is closed or the process ends. */
#pragma once

#include "data/format/npy/npy_source.h"

typedef struct sg_spill_file sg_spill_file;

/* names: of the columns of the appended rows, at least as many as the final file has; they determine the size of the
 * header. source_name: what the rows are read from, for messages. */
sg_status sg_spill_file_new(const char *source_name, const char *const *names, size_t columns, sg_spill_file **out);
void sg_spill_file_free(sg_spill_file *s);
/* Returns the free disk space for such a file, or SIZE_MAX if it is unknown. */
size_t sg_spill_disk_free(void);

/* Appends rows with as many cells as there are names. */
sg_status sg_spill_file_append(sg_spill_file *s, const double *values, size_t rows);
/* Converts a row to one of at most as many columns. `to` may be `row` or before it, so cells are written in order. */
typedef void sg_spill_map_fn(const void *arg, const double *row, double *to);
/* Calls fn for all rows, block by block, until it fails. */
typedef sg_status sg_spill_visit_fn(void *arg, double *rows, size_t n);
sg_status sg_spill_file_for_each_block(const sg_spill_file *s, sg_spill_visit_fn *fn, void *arg);
sg_status sg_spill_file_rewrite(sg_spill_file *s, sg_spill_map_fn *map, const void *arg, size_t columns);
/* Completes the file with the final column names. Takes ownership of s, even on failure. */
sg_status sg_spill_file_finish(sg_spill_file *s, const char *const *names, sg_npy **out);
