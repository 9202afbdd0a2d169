/* file_reader.h: the bytes of a plain file, read where they are; or kept in memory, if they may be.
 *
 * A file that is written to or cut off after it was opened is noticed before each access of the disk. What is
 * in memory is the file as it was. All functions may be called from several threads. */
#ifndef SG_DATA_INGEST_FILE_READER_H
#define SG_DATA_INGEST_FILE_READER_H

#include "base/status.h"
#include "base/temp_file.h"

#include <stdbool.h>

typedef struct sg_file_reader sg_file_reader;

sg_status sg_file_reader_open(const char *path, sg_file_reader **out);
/* A file that is open, which is taken over, unless it fails. name stands for it in messages. */
sg_status sg_file_reader_adopt(sg_temp_file file, const char *name, sg_file_reader **out);
void sg_file_reader_close(sg_file_reader *b);
const char *sg_file_reader_name(const sg_file_reader *b);
size_t sg_file_reader_size(const sg_file_reader *b);

/* From now on sg_file_reader_load may bring the whole file into memory. */
void sg_file_reader_allow_load(sg_file_reader *b);
/* The whole file, read once; NULL: it may not be kept, or there is no memory. *st then says whether reading
 * failed. */
const char *sg_file_reader_load(sg_file_reader *b, sg_status *st);

/* The same, if it is there already. */
const char *sg_file_reader_loaded(const sg_file_reader *b);

/* Whether the file is still the one that was opened: to be asked before the others. */
sg_status sg_file_reader_check_unchanged(const sg_file_reader *b);
sg_status sg_file_reader_read(const sg_file_reader *b, size_t at, void *to, size_t n);
/* Neither waits for the disk. want asks it for these bytes; try reads what is at hand and returns true, or asks for
 * it and returns false. So a disk works on many wishes at a time; sg_file_reader_read then waits for each. */
void sg_file_reader_prefetch(const sg_file_reader *b, size_t at, size_t n);
bool sg_file_reader_try_read(const sg_file_reader *b, size_t at, void *to, size_t n);

#endif
