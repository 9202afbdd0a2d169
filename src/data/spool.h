/* spool.h: rows that do not fit into memory, in a file that is .npy once it is complete.
 *
 * The file has no name and is gone when it is freed, or the process ends, however that happens. It stands in the folder
 * that TMPDIR names, or /tmp. */
#ifndef SG_DATA_SPOOL_H
#define SG_DATA_SPOOL_H

#include "data/npy.h"

typedef struct sg_spool sg_spool;

/* names: of the columns of rows, or more of them than there will be at the end: room for a header. `of` is what is
 * read, for messages. beside: a path in whose folder the file shall be, so that it may get that name (cache.h), or
 * NULL. */
sg_status sg_spool_new(const char *of, const char *beside, const char *const *names, size_t columns, sg_spool **out);
void sg_spool_free(sg_spool *s);
/* How many bytes the disk has left for such a file; very many where that is not known. */
size_t sg_spool_room(const char *beside);

/* Rows of as many numbers as names. */
sg_status sg_spool_add(sg_spool *s, const double *values, size_t rows);
/* Each row becomes another one, of at most as many columns. `to` is not `row`. */
typedef void sg_spool_map(const void *arg, const double *row, double *to);
/* Shows all rows, a block at a time, until see fails. */
typedef sg_status sg_spool_see(void *arg, const double *rows, size_t n);
sg_status sg_spool_walk(const sg_spool *s, sg_spool_see *see, void *arg);
sg_status sg_spool_rewrite(sg_spool *s, sg_spool_map *map, const void *arg, size_t columns);
/* After the last row: the names that the columns have in the end. Takes s over, also on failure. */
sg_status sg_spool_finish(sg_spool *s, const char *const *names, sg_npy **out);

#endif
