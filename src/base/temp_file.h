/* temp_file.h: temporary files without a name, which disappear however the process ends.
 *
 * If the file system does not support unnamed files, a scratch file is unlinked as soon as it is open, and a file that
 * may be persisted has a hidden name until it is persisted. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct sg_temp_file {
    int fd;     /* -1 if the file could not be opened; errno is set */
    char *name; /* temporary name of the file, or NULL */
} sg_temp_file;

/* Opens a scratch file in a folder for reading and writing. */
sg_temp_file sg_temp_file_open(const char *folder);
/* Opens a file in the folder of `path`, which sg_temp_file_persist can rename to `path`. */
sg_temp_file sg_temp_file_open_beside(const char *path);
/* Renames the file to `path`, replacing any existing file. Returns false and sets errno on failure. The descriptor
 * stays open. */
bool sg_temp_file_persist(sg_temp_file *s, const char *path);
/* Closes the file and deletes it, unless it was persisted. */
void sg_temp_file_close(sg_temp_file *s);
