/* random_access_file.h: random access to the bytes of a regular file, on disk or loaded into memory.
 *
 * Callers detect changes to an open file with sg_file_reader_check_unchanged. Changes do not affect a loaded file. All
 * functions but sg_file_reader_allow_load and sg_file_reader_close are thread-safe. */
#pragma once

#include "base/status.h"
#include "base/temp_file.h"

#include <stdbool.h>

typedef struct sg_file_reader sg_file_reader;

sg_status sg_file_reader_open(const char *path, sg_file_reader **out);
/* Takes ownership of an open file, except on failure. name is used in messages. */
sg_status sg_file_reader_adopt(sg_temp_file file, const char *name, sg_file_reader **out);
void sg_file_reader_close(sg_file_reader *b);
const char *sg_file_reader_name(const sg_file_reader *b);
size_t sg_file_reader_size(const sg_file_reader *b);

/* Permits sg_file_reader_load to load the file. */
void sg_file_reader_allow_load(sg_file_reader *b);
/* Loads the file on the first call. Returns its bytes, or NULL if it may not be loaded, memory is exhausted, or reading
 * failed; *st is an error only if reading failed. */
const char *sg_file_reader_load(sg_file_reader *b, sg_status *st);

/* Returns the bytes of the file if it is already loaded, or NULL. */
const char *sg_file_reader_loaded(const sg_file_reader *b);

/* Fails if the file was changed since it was opened. Call it before the following functions. */
sg_status sg_file_reader_check_unchanged(const sg_file_reader *b);
sg_status sg_file_reader_read(const sg_file_reader *b, size_t at, void *to, size_t n);
/* These functions do not wait for the disk: prefetch requests bytes; try_read reads them if they are cached, and
 * otherwise requests them and returns false. The disk then serves many requests at a time, before sg_file_reader_read
 * waits for each. */
void sg_file_reader_prefetch(const sg_file_reader *b, size_t at, size_t n);
bool sg_file_reader_try_read(const sg_file_reader *b, size_t at, void *to, size_t n);
