/* whole_file.h: reads and writes whole files. */
#pragma once

#include "base/status.h"
#include "base/text.h"

/* Appends the contents of a file to out. The path "-" means standard input. */
sg_status sg_file_read(const char *path, sg_text *out);

/* Writes n bytes to a file atomically: see sg_atomic_file. */
sg_status sg_file_write(const char *path, const char *bytes, size_t n);
