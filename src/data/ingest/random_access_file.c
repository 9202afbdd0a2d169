/* random_access_file.c: reads a regular file with pread, or loads it into memory.
 *
 * mmap is not used: mapped pages count as memory of the process, and sixteen pages are loaded for each that is touched;
 * releasing them costs ten times as much as pread; and a truncated file would raise SIGBUS (docs/decisions.md). */
#include "data/ingest/random_access_file.h"

#include "base/memory.h"
#include "data/read_options.h"

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

struct sg_file_reader {
    char *name; /* name for messages */
    sg_temp_file file;
    size_t size; /* size when it was opened */
    struct timespec modified;
    pthread_mutex_t lock; /* held while the file is loaded */
    bool may_load;
    _Atomic(char *) loaded; /* all bytes of the file; NULL if they are not in memory */
};

void sg_file_reader_close(sg_file_reader *b)
{
    if (!b) return;
    sg_temp_file_close(&b->file);
    pthread_mutex_destroy(&b->lock);
    sg_free_all(atomic_load(&b->loaded), b->name, b);
}

/* Records size and modification time, to detect changes. Fails unless the file is regular. */
static sg_status record_stat(sg_file_reader *b)
{
    struct stat is;
    if (fstat(b->file.fd, &is) != 0) return sg_fail(SG_EIO, "can't read %s: %s", b->name, strerror(errno));
    if (!S_ISREG(is.st_mode)) return sg_fail(SG_EIO, "can't read %s: it is not a regular file", b->name);
    if ((uintmax_t)is.st_size > SIZE_MAX) return sg_fail(SG_EIO, "can't read %s: the file is too large", b->name);
    b->size = (size_t)is.st_size;
    b->modified = is.st_mtim;
    return SG_OK;
}

sg_status sg_file_reader_adopt(sg_temp_file file, const char *name, sg_file_reader **out)
{
    sg_file_reader *b = sg_calloc(1, sizeof *b);
    if (!b || !(b->name = sg_strdup(name))) {
        free(b);
        return sg_fail_read_memory(name);
    }
    pthread_mutex_init(&b->lock, NULL);
    b->file = file;
    sg_status st = record_stat(b);
    if (st == SG_OK) *out = b;
    else b->file = (sg_temp_file){.fd = -1};
    if (st != SG_OK) sg_file_reader_close(b);
    return st;
}

sg_status sg_file_reader_open(const char *path, sg_file_reader **out)
{
    int fd = open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return sg_fail(SG_EIO, "can't read %s: %s", path, strerror(errno));
    sg_status st = sg_file_reader_adopt((sg_temp_file){.fd = fd}, path, out);
    if (st != SG_OK) close(fd);
    return st;
}

const char *sg_file_reader_name(const sg_file_reader *b) { return b->name; }
size_t sg_file_reader_size(const sg_file_reader *b) { return b->size; }
void sg_file_reader_allow_load(sg_file_reader *b) { b->may_load = true; }

sg_status sg_file_reader_check_unchanged(const sg_file_reader *b)
{
    struct stat is;
    if (fstat(b->file.fd, &is) == 0 && (size_t)is.st_size == b->size && is.st_mtim.tv_sec == b->modified.tv_sec &&
        is.st_mtim.tv_nsec == b->modified.tv_nsec)
        return SG_OK;
    return sg_fail(SG_EIO, "%s: the file was changed while it was read", b->name);
}

sg_status sg_file_reader_read(const sg_file_reader *b, size_t at, void *to, size_t n)
{
    while (n) {
        ssize_t got = pread(b->file.fd, to, n, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return sg_fail(SG_EIO, "can't read %s: %s", b->name, strerror(errno));
        if (got == 0) return sg_fail(SG_EIO, "%s: the file was truncated while it was read", b->name);
        to = (char *)to + got;
        at += (size_t)got;
        n -= (size_t)got;
    }
    return SG_OK;
}

void sg_file_reader_prefetch(const sg_file_reader *b, size_t at, size_t n)
{
    (void)posix_fadvise(b->file.fd, (off_t)at, (off_t)n, POSIX_FADV_WILLNEED);
}

/* If the file system does not support non-blocking reads, this always prefetches and returns false. */
bool sg_file_reader_try_read(const sg_file_reader *b, size_t at, void *to, size_t n)
{
    struct iovec whole = {.iov_base = to, .iov_len = n};
    if (preadv2(b->file.fd, &whole, 1, (off_t)at, RWF_NOWAIT) == (ssize_t)n) return true;
    sg_file_reader_prefetch(b, at, n);
    return false;
}

/* Loads the file if there is enough memory. Checks before and after reading that it is unchanged. */
static sg_status load_file(sg_file_reader *b)
{
    char *all = sg_alloc_cache_aligned(b->size);
    b->may_load = false; /* try only once */
    if (!all) return SG_OK;
    sg_status st = sg_file_reader_check_unchanged(b);
    if (st == SG_OK) st = sg_file_reader_read(b, 0, all, b->size);
    if (st == SG_OK) st = sg_file_reader_check_unchanged(b);
    if (st == SG_OK) atomic_store(&b->loaded, all);
    else free(all);
    return st;
}

const char *sg_file_reader_loaded(const sg_file_reader *b)
{
    return atomic_load_explicit(&b->loaded, memory_order_acquire);
}

const char *sg_file_reader_load(sg_file_reader *b, sg_status *st)
{
    const char *all = sg_file_reader_loaded(b);
    *st = SG_OK;
    if (all) return all;
    pthread_mutex_lock(&b->lock);
    if (b->may_load) *st = load_file(b);
    pthread_mutex_unlock(&b->lock);
    return atomic_load(&b->loaded);
}
