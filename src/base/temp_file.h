/* temp_file.h: temporary files without a name, which disappear however the process ends.
 *
 * If the file system does not support unnamed files, a scratch file is unlinked at once, and a file to be persisted has
 * a hidden name until then. */
#pragma once

#include <stdbool.h>
#include <stddef.h>

typedef struct sg_temp_file {
    int fd;     /* -1 if it could not be opened; errno is set */
    char *name; /* its temporary name, or NULL */
} sg_temp_file;

/* Opens a scratch file in a folder for reading and writing. */
sg_temp_file sg_temp_file_open(const char *folder);
/* Opens a file in the folder of the path, for sg_temp_file_persist. */
sg_temp_file sg_temp_file_open_beside(const char *path);
/* Renames the file to the path and replaces an existing file. Returns false and sets errno on failure. The descriptor
 * stays open. */
bool sg_temp_file_persist(sg_temp_file *s, const char *path);
/* Closes the file. It is deleted unless it was persisted. */
void sg_temp_file_close(sg_temp_file *s);
