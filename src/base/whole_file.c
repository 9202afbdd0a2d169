/* whole_file.c: reads and writes whole files. */
#include "base/whole_file.h"

#include <errno.h>
#include <fcntl.h>
#include <string.h>
#include <unistd.h>

static sg_status read_all(int fd, const char *path, sg_text *out)
{
    char block[65536];
    for (;;) {
        ssize_t n = read(fd, block, sizeof block);
        if (n < 0 && errno == EINTR) continue;
        if (n < 0) return sg_fail(SG_EIO, "can't read %s: %s", path, strerror(errno));
        sg_text_append_bytes(out, block, (size_t)n);
        if (out->failed) return sg_fail(SG_ENOMEM, "can't read %s: out of memory", path);
        if (n == 0) return SG_OK;
    }
}

sg_status sg_file_read(const char *path, sg_text *out)
{
    bool in = strcmp(path, "-") == 0;
    int fd = in ? STDIN_FILENO : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return sg_fail(SG_EIO, "can't read %s: %s", path, strerror(errno));
    sg_status st = read_all(fd, in ? "standard input" : path, out);
    if (!in) close(fd);
    if (st != SG_OK) sg_text_release(out);
    return st;
}

sg_status sg_file_write(const char *path, const char *bytes, size_t n)
{
    sg_atomic_file *o;
    sg_status st = sg_atomic_file_open(path, &o);
    if (st != SG_OK) return st;
    st = sg_atomic_file_write(o, bytes, n);
    if (st == SG_OK) return sg_atomic_file_commit(o);
    sg_atomic_file_free(o);
    return st;
}
