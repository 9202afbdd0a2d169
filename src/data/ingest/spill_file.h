/* spill_file.h: rows that do not fit into memory, in a file that is .npy once it is complete.
 *
 * The file has no name and is gone when it is freed, or the process ends, however that happens. It stands in the folder
 * that TMPDIR names, or /tmp. */
#ifndef SG_DATA_INGEST_SPILL_FILE_H
#define SG_DATA_INGEST_SPILL_FILE_H

#include "data/format/npy/npy.h"

typedef struct sg_spill_file sg_spill_file;

/* names: of the columns of rows, or more of them than there will be at the end: room for a header. `of` is what is
 * read, for messages. */
sg_status sg_spill_file_new(const char *of, const char *const *names, size_t columns, sg_spill_file **out);
void sg_spill_file_free(sg_spill_file *s);
/* How many bytes the disk has left for such a file; very many where that is not known. */
size_t sg_spill_disk_free(void);

/* Rows of as many numbers as names. */
sg_status sg_spill_file_append(sg_spill_file *s, const double *values, size_t rows);
/* Each row becomes another one, of at most as many columns. `to` is not `row`. */
typedef void sg_spill_map_fn(const void *arg, const double *row, double *to);
/* Shows all rows, a block at a time, until see fails. */
typedef sg_status sg_spill_visit_fn(void *arg, const double *rows, size_t n);
sg_status sg_spill_file_for_each_block(const sg_spill_file *s, sg_spill_visit_fn *see, void *arg);
sg_status sg_spill_file_rewrite(sg_spill_file *s, sg_spill_map_fn *map, const void *arg, size_t columns);
/* After the last row: the names that the columns have in the end. Takes s over, also on failure. */
sg_status sg_spill_file_finish(sg_spill_file *s, const char *const *names, sg_npy **out);

#endif
