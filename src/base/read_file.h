/* read_file.h: whole files, read at once. Files are written through sg_atomic_file (sugeno.h). */
#ifndef SG_BASE_READ_FILE_H
#define SG_BASE_READ_FILE_H

#include "base/status.h"
#include "base/text.h"

/* The whole file; "-" is standard input. */
sg_status sg_file_read(const char *path, sg_text *out);

/* The whole text through an sg_atomic_file. */
sg_status sg_file_write(const char *path, const char *bytes, size_t n);

#endif
