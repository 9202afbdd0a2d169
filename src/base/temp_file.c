/* temp_file.c: unnamed temporary files that can be given a name later. */
#include "base/temp_file.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <unistd.h>

/* Returns the path ".sugeno-PID-N.tmp" in the folder of `path`, or NULL; the caller frees it. It does not contain the
 * name of the target, which may already have the maximum length. */
static char *temp_name_beside(const char *path, int i)
{
    const char *slash = strrchr(path, '/');
    size_t folder = slash ? (size_t)(slash - path) + 1 : 0, size = folder + 48;
    char *name = sg_calloc(size, 1);
    if (name) snprintf(name, size, "%.*s.sugeno-%ld-%d.tmp", (int)folder, path, (long)getpid(), i);
    else errno = ENOMEM;
    return name;
}

enum { MAX_TRIES = 1000 };

/* Creates a named file. A name in use belongs to another thread, or to a killed process that had the same ID. */
static sg_temp_file open_named(const char *path)
{
    for (int i = 0; i < MAX_TRIES; i++) {
        sg_temp_file s = {.fd = -1, .name = temp_name_beside(path, i)};
        if (s.name) s.fd = open(s.name, O_RDWR | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
        if (s.fd >= 0) return s;
        int error = errno;
        free(s.name);
        errno = error;
        if (error != EEXIST) break;
    }
    return (sg_temp_file){.fd = -1};
}

/* Gives an unnamed file a temporary name in the folder of `path`. Returns false and sets errno on failure. */
static bool link_beside(sg_temp_file *s, const char *path)
{
    char self[64];
    snprintf(self, sizeof self, "/proc/self/fd/%d", s->fd);
    for (int i = 0; i < MAX_TRIES; i++) {
        char *name = temp_name_beside(path, i);
        if (!name) return false;
        if (linkat(AT_FDCWD, self, AT_FDCWD, name, AT_SYMLINK_FOLLOW) == 0) {
            s->name = name;
            return true;
        }
        int error = errno;
        free(name);
        errno = error;
        if (error != EEXIST) return false;
    }
    return false;
}

static int open_tmpfile(const char *folder) { return open(folder, O_TMPFILE | O_RDWR | O_CLOEXEC, 0666); }

static char *directory_of(const char *path)
{
    const char *slash = strrchr(path, '/');
    char *folder = sg_strdup(slash ? path : ".");
    if (folder && slash) folder[slash == path ? 1 : slash - path] = '\0';
    return folder;
}

/* Linking an unnamed file requires /proc. Without /proc, the file has a name from the start. */
sg_temp_file sg_temp_file_open_beside(const char *path)
{
    char *folder = directory_of(path);
    sg_temp_file s = {.fd = folder && access("/proc/self/fd", X_OK) == 0 ? open_tmpfile(folder) : -1};
    free(folder);
    return s.fd >= 0 ? s : open_named(path);
}

sg_temp_file sg_temp_file_open(const char *folder)
{
    sg_temp_file s = {.fd = open_tmpfile(folder)};
    if (s.fd >= 0) return s;
    size_t size = strlen(folder) + 3;
    char *inside = sg_calloc(size, 1);
    if (!inside) return s;
    snprintf(inside, size, "%s/x", folder);
    s = open_named(inside);
    int error = errno;
    free(inside);
    if (s.name) unlink(s.name);
    free(s.name);
    s.name = NULL;
    errno = error;
    return s;
}

bool sg_temp_file_persist(sg_temp_file *s, const char *path)
{
    if (!s->name && !link_beside(s, path)) return false;
    if (rename(s->name, path) != 0) return false;
    free(s->name);
    s->name = NULL;
    return true;
}

void sg_temp_file_close(sg_temp_file *s)
{
    if (s->fd >= 0) close(s->fd);
    if (s->name) unlink(s->name);
    free(s->name);
    *s = (sg_temp_file){.fd = -1};
}
