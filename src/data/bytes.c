/* bytes.c: see bytes.h.
 *
 * No mapping: the pages of one count as memory of the process, sixteen for each that is touched, and giving
 * them back costs ten times as much as reading the rows by pread; and a file that is cut off would end the
 * process with a signal (docs/decisions.md). */
#include "data/bytes.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <pthread.h>
#include <stdatomic.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <sys/uio.h>
#include <unistd.h>

struct sg_bytes {
    char *name; /* the path */
    sg_scratch file;
    size_t size; /* when it was opened */
    struct timespec changed;
    pthread_mutex_t lock; /* of reading it all */
    bool may_keep;
    _Atomic(char *) all; /* NULL: not in memory, or not yet */
};

void sg_bytes_close(sg_bytes *b)
{
    if (!b) return;
    sg_scratch_close(&b->file);
    pthread_mutex_destroy(&b->lock);
    free(atomic_load(&b->all));
    free(b->name);
    free(b);
}

/* What it is like now; it stays so, or reading fails. */
static sg_status look(sg_bytes *b)
{
    struct stat is;
    if (fstat(b->file.fd, &is) != 0) return sg_fail(SG_EIO, "can't read %s: %s", b->name, strerror(errno));
    if (!S_ISREG(is.st_mode)) return sg_fail(SG_EIO, "can't read %s: expected a plain file", b->name);
    if ((uintmax_t)is.st_size > SIZE_MAX) return sg_fail(SG_EIO, "can't read %s: too long", b->name);
    b->size = (size_t)is.st_size;
    b->changed = is.st_mtim;
    return SG_OK;
}

sg_status sg_bytes_adopt(sg_scratch file, const char *name, sg_bytes **out)
{
    sg_bytes *b = sg_alloc(1, sizeof *b);
    if (!b || !(b->name = sg_copy(name))) {
        free(b);
        return sg_fail(SG_ENOMEM, "can't read %s: out of memory", name);
    }
    pthread_mutex_init(&b->lock, NULL);
    b->file = file;
    sg_status st = look(b);
    if (st == SG_OK) *out = b;
    else b->file = (sg_scratch){.fd = -1};
    if (st != SG_OK) sg_bytes_close(b);
    return st;
}

sg_status sg_bytes_open(const char *path, sg_bytes **out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return sg_fail(SG_EIO, "can't read %s: %s", path, strerror(errno));
    sg_status st = sg_bytes_adopt((sg_scratch){.fd = fd}, path, out);
    if (st != SG_OK) close(fd);
    return st;
}

/* Synced before it has a name: so it is whole, or not there. */
sg_status sg_bytes_keep(sg_bytes *b, const char *path, const char *more, size_t n)
{
    size_t size = b->size;
    while (n) {
        ssize_t put = pwrite(b->file.fd, more, n, (off_t)size);
        if (put < 0 && errno == EINTR) continue;
        if (put < 0) return sg_fail(SG_EIO, "can't write %s: %s", path, strerror(errno));
        more += put;
        size += (size_t)put;
        n -= (size_t)put;
    }
    if (fsync(b->file.fd) != 0 || !sg_scratch_keep(&b->file, path))
        return sg_fail(SG_EIO, "can't write %s: %s", path, strerror(errno));
    return look(b);
}

const char *sg_bytes_name(const sg_bytes *b) { return b->name; }
size_t sg_bytes_size(const sg_bytes *b) { return b->size; }
void sg_bytes_may_keep(sg_bytes *b) { b->may_keep = true; }

sg_status sg_bytes_check(const sg_bytes *b)
{
    struct stat is;
    if (fstat(b->file.fd, &is) == 0 && (size_t)is.st_size == b->size && is.st_mtim.tv_sec == b->changed.tv_sec &&
        is.st_mtim.tv_nsec == b->changed.tv_nsec)
        return SG_OK;
    return sg_fail(SG_EIO, "%s: the file was changed while it was read", b->name);
}

sg_status sg_bytes_read(const sg_bytes *b, size_t at, void *to, size_t n)
{
    while (n) {
        ssize_t got = pread(b->file.fd, to, n, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return sg_fail(SG_EIO, "can't read %s: %s", b->name, strerror(errno));
        if (got == 0) return sg_fail(SG_EIO, "%s: the file was cut off while it was read", b->name);
        to = (char *)to + got;
        at += (size_t)got;
        n -= (size_t)got;
    }
    return SG_OK;
}

void sg_bytes_want(const sg_bytes *b, size_t at, size_t n)
{
    (void)posix_fadvise(b->file.fd, (off_t)at, (off_t)n, POSIX_FADV_WILLNEED);
}

/* Where a file system knows no reading without waiting, all is asked for. */
bool sg_bytes_try(const sg_bytes *b, size_t at, void *to, size_t n)
{
    struct iovec whole = {.iov_base = to, .iov_len = n};
    if (preadv2(b->file.fd, &whole, 1, (off_t)at, RWF_NOWAIT) == (ssize_t)n) return true;
    sg_bytes_want(b, at, n);
    return false;
}

/* Looked at before and after: what is kept is a file that nobody has changed in between. */
static sg_status read_all(sg_bytes *b)
{
    char *all = sg_alloc_lines(b->size);
    b->may_keep = false; /* whatever comes of it, it is tried once */
    if (!all) return SG_OK;
    sg_status st = sg_bytes_check(b);
    if (st == SG_OK) st = sg_bytes_read(b, 0, all, b->size);
    if (st == SG_OK) st = sg_bytes_check(b);
    if (st == SG_OK) atomic_store(&b->all, all);
    else free(all);
    return st;
}

const char *sg_bytes_kept(const sg_bytes *b) { return atomic_load_explicit(&b->all, memory_order_acquire); }

const char *sg_bytes_all(sg_bytes *b, sg_status *st)
{
    const char *all = sg_bytes_kept(b);
    *st = SG_OK;
    if (all) return all;
    pthread_mutex_lock(&b->lock);
    if (b->may_keep) *st = read_all(b);
    pthread_mutex_unlock(&b->lock);
    return atomic_load(&b->all);
}
