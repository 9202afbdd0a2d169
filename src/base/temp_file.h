/* temp_file.h: files that are written and read again, and have no name: whatever ends the process, nothing is left of
 * them. Where a file system knows no such files, one for scratch loses its name at once, and one that is to be
 * kept has a hidden one until then. */
#ifndef SG_BASE_TEMP_FILE_H
#define SG_BASE_TEMP_FILE_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sg_temp_file {
    int fd;     /* -1: none, and errno says why */
    char *name; /* the name that it has for now, or NULL */
} sg_temp_file;

/* In a folder, to be read and written. */
sg_temp_file sg_temp_file_open(const char *folder);
/* In the folder of that path, for sg_temp_file_persist. */
sg_temp_file sg_temp_file_open_beside(const char *path);
/* Gives it the name, in place of a file that has it. False, and errno: it could not. The descriptor stays open. */
bool sg_temp_file_persist(sg_temp_file *s, const char *path);
/* What has no name of its own by now is gone. */
void sg_temp_file_close(sg_temp_file *s);

#endif
