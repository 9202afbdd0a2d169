/* scratch.h: files that are written and read again, and have no name: whatever ends the process, nothing is left of
 * them. Where a file system knows no such files, one for scratch loses its name at once, and one that is to be
 * kept has a hidden one until then. */
#ifndef SG_BASE_SCRATCH_H
#define SG_BASE_SCRATCH_H

#include <stdbool.h>
#include <stddef.h>

typedef struct sg_scratch {
    int fd;          /* -1: none, and errno says why */
    char *temporary; /* the name that it has for now, or NULL */
} sg_scratch;

/* In a folder, to be read and written. */
sg_scratch sg_scratch_open(const char *folder);
/* In the folder of that path, for sg_scratch_keep. */
sg_scratch sg_scratch_beside(const char *path);
/* Gives it the name, in place of a file that has it. False, and errno: it could not. The descriptor stays open. */
bool sg_scratch_keep(sg_scratch *s, const char *path);
/* What has no name of its own by now is gone. */
void sg_scratch_close(sg_scratch *s);

#endif
