/* output.c: files that appear whole or not at all. Written to a file in the target's folder that has no name as
 * yet, synced, named. What is no regular file (a device, a pipe) is written directly. */
#include "base/output.h"

#include "base/memory.h"
#include "base/scratch.h"

#include <errno.h>
#include <fcntl.h>
#include <limits.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>

struct sg_output {
    int fd;
    bool standard;       /* standard output: not ours to close                  */
    mode_t mode;         /* of the file that is replaced, 0 where there is none */
    char *shown;         /* the path as the user gave it, for messages          */
    bool beside;         /* it is not the target yet, but:                      */
    sg_scratch file;     /* a file in its folder, whose descriptor is fd        */
    char real[PATH_MAX]; /* the target behind symbolic links                    */
    size_t filled;
    char buffer[65536];
};

static sg_status failed(const sg_output *o) { return sg_fail(SG_EIO, "can't write %s: %s", o->shown, strerror(errno)); }

static sg_status open_direct(sg_output *o)
{
    o->fd = open(o->real, O_WRONLY | O_CLOEXEC);
    return o->fd < 0 ? failed(o) : SG_OK;
}

static sg_status open_beside(sg_output *o)
{
    o->file = sg_scratch_beside(o->real);
    o->fd = o->file.fd;
    o->beside = o->fd >= 0;
    return o->beside ? SG_OK : failed(o);
}

/* The stream that already leads to this file (/dev/stdout and the like), or -1. */
static int stream_of(const struct stat *is)
{
    struct stat stream;
    for (int fd = STDOUT_FILENO; fd <= STDERR_FILENO; fd++)
        if (fstat(fd, &stream) == 0 && stream.st_dev == is->st_dev && stream.st_ino == is->st_ino) return fd;
    return -1;
}

static sg_status open_target(sg_output *o, const char *path)
{
    struct stat is;
    size_t length = strlen(path);
    if (length == 0 || length >= sizeof o->real) {
        errno = length ? ENAMETOOLONG : ENOENT;
        return failed(o);
    }
    if (strcmp(path, "-") == 0) {
        o->fd = STDOUT_FILENO;
        o->standard = true;
        return SG_OK;
    }
    memcpy(o->real, path, length + 1);
    if (stat(path, &is) != 0) return open_beside(o);
    if (S_ISDIR(is.st_mode)) {
        errno = EISDIR;
        return failed(o);
    }
    if (!S_ISREG(is.st_mode)) return open_direct(o);
    int stream = stream_of(&is);
    if (stream >= 0) { /* where the caller's own text goes, too: a rename would lose it */
        o->fd = dup(stream);
        return o->fd < 0 ? failed(o) : SG_OK;
    }
    if (faccessat(AT_FDCWD, path, W_OK, AT_EACCESS) != 0) return failed(o); /* rename would not ask */
    char *real = realpath(path, NULL);                                      /* a symbolic link stays one */
    if (!real || strlen(real) >= sizeof o->real) {
        free(real);
        return failed(o);
    }
    memcpy(o->real, real, strlen(real) + 1);
    free(real);
    o->mode = is.st_mode & 07777;
    return open_beside(o);
}

sg_status sg_output_open(const char *path, sg_output **out)
{
    sg_output *o = sg_alloc(1, sizeof *o);
    if (o) o->shown = sg_copy(strcmp(path, "-") == 0 ? "standard output" : path);
    if (!o || !o->shown) {
        free(o);
        return sg_fail(SG_ENOMEM, "can't write %s: out of memory", path);
    }
    o->fd = -1;
    sg_status st = open_target(o, path);
    if (st != SG_OK) {
        sg_output_free(o);
        return st;
    }
    *out = o;
    return SG_OK;
}

static sg_status write_all(sg_output *o, const char *bytes, size_t n)
{
    while (n) {
        ssize_t put = write(o->fd, bytes, n);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return failed(o);
        bytes += put;
        n -= (size_t)put;
    }
    return SG_OK;
}

static sg_status flush(sg_output *o)
{
    size_t n = o->filled;
    o->filled = 0;
    return write_all(o, o->buffer, n);
}

sg_status sg_output_write(sg_output *o, const char *bytes, size_t n)
{
    if (n > sizeof o->buffer - o->filled) {
        sg_status st = flush(o);
        if (st != SG_OK) return st;
    }
    if (n > sizeof o->buffer) return write_all(o, bytes, n);
    memcpy(o->buffer + o->filled, bytes, n);
    o->filled += n;
    return SG_OK;
}

sg_status sg_output_rewrite(sg_output *o, size_t at, const char *bytes, size_t n)
{
    if (!o->beside)
        return sg_fail(SG_EIO, "can't write %s: it has to be a file, of which parts are written twice", o->shown);
    sg_status st = flush(o);
    while (st == SG_OK && n) {
        ssize_t put = pwrite(o->fd, bytes, n, (off_t)at);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return failed(o);
        bytes += put;
        at += (size_t)put;
        n -= (size_t)put;
    }
    return st;
}

/* The rename is on disk only once the folder is. Some file systems can't sync one: no failure. */
static void sync_folder(sg_output *o)
{
    char *slash = strrchr(o->real, '/');
    if (slash && slash != o->real) *slash = '\0';
    else memcpy(o->real, slash ? "/" : ".", 2);
    int fd = open(o->real, O_RDONLY | O_DIRECTORY | O_CLOEXEC);
    if (fd < 0) return;
    (void)fsync(fd);
    close(fd);
}

static sg_status finish(sg_output *o)
{
    sg_status st = flush(o);
    if (st != SG_OK || !o->beside) return st;
    if (o->mode && fchmod(o->fd, o->mode) != 0) return failed(o);
    if (fsync(o->fd) != 0 || !sg_scratch_keep(&o->file, o->real)) return failed(o);
    sync_folder(o);
    return SG_OK;
}

sg_status sg_output_commit(sg_output *o)
{
    sg_status st = finish(o);
    sg_output_free(o);
    return st;
}

void sg_output_free(sg_output *o)
{
    if (!o) return;
    if (o->beside) sg_scratch_close(&o->file);
    else if (o->fd >= 0 && !o->standard) close(o->fd);
    free(o->shown);
    free(o);
}
