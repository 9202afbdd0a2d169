/* atomic_file.c: writes files that appear complete or not at all.
 *
 * Data is written to an unnamed file in the folder of the target. At commit, this file is synced and takes the name of
 * the target. A target that is not a regular file (a device, a pipe) is written directly. */
#include "base/memory.h"
#include "base/status.h"
#include "base/temp_file.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sg_atomic_file {
    int fd;
    bool is_stdout;           /* fd is standard output, which is never closed */
    mode_t mode;              /* permissions of the file to be replaced, or 0 */
    char *display_path;       /* name of the target in messages */
    bool is_temporary;        /* fd is a temporary file, not the target */
    sg_temp_file temp;        /* the temporary file; temp.fd == fd */
    char real_path[PATH_MAX]; /* path of the target, with symbolic links resolved */
    size_t buffered;
    char buffer[65536];
};

static sg_status fail_write(const sg_atomic_file *o)
{
    return sg_fail(SG_EIO, "can't write %s: %s", o->display_path, strerror(errno));
}

static sg_status open_direct(sg_atomic_file *o)
{
    o->fd = open(o->real_path, O_WRONLY | O_CLOEXEC);
    return o->fd < 0 ? fail_write(o) : SG_OK;
}

static sg_status open_temporary(sg_atomic_file *o)
{
    o->temp = sg_temp_file_open_beside(o->real_path);
    o->fd = o->temp.fd;
    o->is_temporary = o->fd >= 0;
    return o->is_temporary ? SG_OK : fail_write(o);
}

/* Returns the standard stream (output or error) that refers to this file, or -1 if neither does. */
static int find_standard_stream(const struct stat *is)
{
    struct stat stream;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &stream) == 0 && stream.st_dev == is->st_dev && stream.st_ino == is->st_ino) return fd;
    return -1;
}

static sg_status open_target(sg_atomic_file *o, const char *path)
{
    struct stat is;
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof o->real_path) {
        errno = length ? ENAMETOOLONG : ENOENT;
        return fail_write(o);
    }
    if (strcmp(path, "-") == 0) {
        o->fd = STDOUT_FILENO;
        o->is_stdout = true;
        return SG_OK;
    }
    memcpy(o->real_path, path, length + 1);
    if (stat(path, &is) != 0) return open_temporary(o);
    if (S_ISDIR(is.st_mode)) {
        errno = EISDIR;
        return fail_write(o);
    }
    if (!S_ISREG(is.st_mode)) return open_direct(o);
    int stream = find_standard_stream(&is);
    if (stream >= 0) { /* the caller may also write to this stream; a rename would lose that output */
        o->fd = dup(stream);
        return o->fd < 0 ? fail_write(o) : SG_OK;
    }
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0)
        return fail_write(o);          /* rename would ignore the file's permissions */
    char *real = realpath(path, NULL); /* otherwise, rename would replace a symbolic link */
    if (!real || strlen(real) >= sizeof o->real_path) {
        free(real);
        return fail_write(o);
    }
    memcpy(o->real_path, real, strlen(real) + 1);
    free(real);
    o->mode = is.st_mode & 07777;
    return open_temporary(o);
}

sg_status sg_atomic_file_open(const char *path, sg_atomic_file **out)
{
    sg_atomic_file *o = sg_calloc(1, sizeof *o);
    if (o) o->display_path = sg_strdup(strcmp(path, "-") == 0 ? "standard output" : path);
    if (!o || !o->display_path) {
        free(o);
        return sg_fail(SG_ENOMEM, "can't write %s: out of memory", path);
    }
    o->fd = -1;
    sg_status st = open_target(o, path);
    if (st == SG_OK) *out = o;
    else sg_atomic_file_free(o);
    return st;
}

static sg_status write_all(sg_atomic_file *o, const char *bytes, size_t n)
{
    while (n) {
        ssize_t written = write(o->fd, bytes, n);
        if (written < 0 && errno == EINTR) continue;
        if (written < 0) return fail_write(o);
        bytes += written;
        n -= (size_t)written;
    }
    return SG_OK;
}

static sg_status flush(sg_atomic_file *o)
{
    size_t n = o->buffered;
    o->buffered = 0;
    return write_all(o, o->buffer, n);
}

sg_status sg_atomic_file_write(sg_atomic_file *o, const char *bytes, size_t n)
{
    if (n > sizeof o->buffer - o->buffered) {
        sg_status st = flush(o);
        if (st != SG_OK) return st;
    }
    if (n > sizeof o->buffer) return write_all(o, bytes, n);
    memcpy(o->buffer + o->buffered, bytes, n);
    o->buffered += n;
    return SG_OK;
}

/* Makes the rename durable. Some file systems cannot sync a directory; that is not an error. */
static void sync_directory(sg_atomic_file *o)
{
    char *slash = strrchr(o->real_path, '/');
    if (slash && slash != o->real_path) *slash = '\0';
    else memcpy(o->real_path, slash ? "/" : ".", 2);
    int fd = open(o->real_path, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    (void)fsync(fd);
    close(fd);
}

static sg_status flush_and_rename(sg_atomic_file *o)
{
    sg_status st = flush(o);
    if (st != SG_OK || !o->is_temporary) return st;
    if (o->mode && fchmod(o->fd, o->mode) != 0) return fail_write(o);
    if (fsync(o->fd) != 0 || !sg_temp_file_persist(&o->temp, o->real_path)) return fail_write(o);
    sync_directory(o);
    return SG_OK;
}

sg_status sg_atomic_file_commit(sg_atomic_file *o)
{
    sg_status st = flush_and_rename(o);
    sg_atomic_file_free(o);
    return st;
}

void sg_atomic_file_free(sg_atomic_file *o)
{
    if (!o) return;
    if (o->is_temporary) sg_temp_file_close(&o->temp);
    else if (o->fd >= 0 && !o->is_stdout) close(o->fd);
    free(o->display_path);
    free(o);
}
