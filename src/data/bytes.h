/* bytes.h: the bytes of a plain file, read where they are; or kept in memory, if they may be.
 *
 * A file that is written to or cut off after it was opened is noticed before each access of the disk. What is
 * in memory is the file as it was. All functions may be called from several threads. */
#ifndef SG_DATA_BYTES_H
#define SG_DATA_BYTES_H

#include "base/scratch.h"
#include "base/status.h"

#include <stdbool.h>

typedef struct sg_bytes sg_bytes;

sg_status sg_bytes_open(const char *path, sg_bytes **out);
/* A file that is open, which is taken over, unless it fails. name stands for it in messages. */
sg_status sg_bytes_adopt(sg_scratch file, const char *name, sg_bytes **out);
/* Such a file gets n more bytes and a name; what it held before stays what can be read. Nobody may be reading. */
sg_status sg_bytes_keep(sg_bytes *b, const char *path, const char *more, size_t n);
void sg_bytes_close(sg_bytes *b);
const char *sg_bytes_name(const sg_bytes *b);
size_t sg_bytes_size(const sg_bytes *b);

/* From now on sg_bytes_all may bring the whole file into memory. */
void sg_bytes_may_keep(sg_bytes *b);
/* The whole file, read once; NULL: it may not be kept, or there is no memory. *st then says whether reading
 * failed. */
const char *sg_bytes_all(sg_bytes *b, sg_status *st);

/* The same, if it is there already. */
const char *sg_bytes_kept(const sg_bytes *b);

/* Whether the file is still the one that was opened: to be asked before the others. */
sg_status sg_bytes_check(const sg_bytes *b);
sg_status sg_bytes_read(const sg_bytes *b, size_t at, void *to, size_t n);
/* Neither waits for the disk. want asks it for these bytes; try reads what is at hand and returns true, or asks for
 * it and returns false. So a disk works on many wishes at a time; sg_bytes_read then waits for each. */
void sg_bytes_want(const sg_bytes *b, size_t at, size_t n);
bool sg_bytes_try(const sg_bytes *b, size_t at, void *to, size_t n);

#endif
