/* input.c: one stream of bytes, wherever they come from. zlib reads gzip and plain files alike. */
#include "data/input.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

struct sg_input {
    char *name;
    gzFile file;        /* NULL: from memory */
    int fd;             /* the file's own */
    struct stat was;    /* what the file was like when it was opened */
    size_t size;        /* of the file; 0: not known */
    const char *memory; /* what is left of it */
    size_t left;
    size_t taken;
    size_t head_at, head_end;
    char head[SG_INPUT_HEAD + 1];
};

const char *sg_input_name(const sg_input *in) { return in->name; }

void sg_input_close(sg_input *in)
{
    if (!in) return;
    if (in->file) gzclose_r(in->file);
    free(in->name);
    free(in);
}

static sg_status no_memory(const char *name) { return sg_fail(SG_ENOMEM, "can't read %s: out of memory", name); }

static sg_input *make(const char *name)
{
    sg_input *in = sg_alloc(1, sizeof *in);
    if (in) in->name = sg_copy(name);
    if (in && in->name) return in;
    sg_input_close(in);
    return NULL;
}

sg_status sg_input_memory(const char *bytes, size_t n, const char *name, sg_input **out)
{
    sg_input *in = make(name);
    if (!in) return no_memory(name);
    in->memory = bytes;
    in->left = n;
    *out = in;
    return SG_OK;
}

static sg_status cannot(const sg_input *in) { return sg_fail(SG_EIO, "can't read %s: %s", in->name, strerror(errno)); }

/* Standard input is duplicated, so that closing the input leaves it open. */
static sg_status open_path(sg_input *in, const char *path)
{
    int fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return cannot(in);
    if (fstat(fd, &in->was) == 0 && S_ISDIR(in->was.st_mode)) {
        close(fd);
        return sg_fail(SG_EIO, "can't read %s: it is a folder; expected a file", in->name);
    }
    in->file = gzdopen(fd, "rb");
    if (!in->file) {
        close(fd);
        return no_memory(in->name);
    }
    gzbuffer(in->file, 1 << 15); /* what is read at a time is far more, so not copied through it */
    if (S_ISREG(in->was.st_mode) && in->was.st_size > 0) in->size = (size_t)in->was.st_size;
    in->fd = fd;
    return SG_OK;
}

sg_status sg_input_open(const char *path, sg_input **out)
{
    sg_input *in = make(strcmp(path, "-") == 0 ? "standard input" : path);
    if (!in) return no_memory(path);
    sg_status st = open_path(in, path);
    if (st != SG_OK) {
        sg_input_close(in);
        return st;
    }
    *out = in;
    return SG_OK;
}

/* At the end: rows of a file as it never was are no rows. What the kernel makes up (/proc) has no size, and the time
 * of whoever looks at it. */
static sg_status check_unchanged(const sg_input *in)
{
    struct stat is;
    const struct timespec *was = &in->was.st_mtim;
    if (!S_ISREG(in->was.st_mode) || fstat(in->fd, &is) != 0) return SG_OK;
    bool same_time = in->size == 0 || (is.st_mtim.tv_sec == was->tv_sec && is.st_mtim.tv_nsec == was->tv_nsec);
    if (is.st_size == in->was.st_size && same_time) return SG_OK;
    return sg_fail(SG_EIO, "%s: the file was changed while it was read", in->name);
}

/* zlib hands out what it could unpack before it says that the rest is missing or damaged. */
static sg_status check_end(const sg_input *in)
{
    int error;
    const char *why = gzerror(in->file, &error);
    sg_status st = check_unchanged(in);
    if (st != SG_OK) return st;
    switch (error) {
    case Z_OK:
    case Z_STREAM_END:
        return SG_OK;
    case Z_ERRNO:
        return cannot(in);
    case Z_MEM_ERROR:
        return no_memory(in->name);
    case Z_BUF_ERROR:
        return sg_fail(SG_EDATA, "%s: the gzip data is cut off", in->name);
    default:
        return sg_fail(SG_EDATA, "%s: damaged gzip data (%s)", in->name, why);
    }
}

static sg_status read_file(sg_input *in, char *to, size_t room, size_t *got)
{
    for (*got = 0; *got < room;) {
        size_t want = room - *got < 1 << 20 ? room - *got : 1 << 20; /* zlib counts in int */
        int n = gzread(in->file, to + *got, (unsigned)want);
        sg_status st = n < 0 || (size_t)n < want ? check_end(in) : SG_OK;
        if (st != SG_OK) return st;
        if (n == 0) break;
        *got += (size_t)n;
    }
    return SG_OK;
}

static sg_status read_memory(sg_input *in, char *to, size_t room, size_t *got)
{
    *got = room < in->left ? room : in->left;
    if (*got) memcpy(to, in->memory, *got);
    if (*got) in->memory += *got;
    in->left -= *got;
    return SG_OK;
}

static sg_status read_raw(sg_input *in, char *to, size_t room, size_t *got)
{
    return in->file ? read_file(in, to, room, got) : read_memory(in, to, room, got);
}

sg_status sg_input_head(sg_input *in, const char **bytes, size_t *n, bool *whole)
{
    if (in->head_end == 0) {
        sg_status st = read_raw(in, in->head, SG_INPUT_HEAD, &in->head_end);
        if (st != SG_OK) return st;
        in->head[in->head_end] = '\n';
    }
    *bytes = in->head + in->head_at;
    *n = in->head_end - in->head_at;
    *whole = in->head_end < SG_INPUT_HEAD;
    return SG_OK;
}

/* Behind the first `read` bytes of it. The rest of a packed file is taken to be as it was so far. */
static size_t file_left(const sg_input *in, size_t read)
{
    if (gzdirect(in->file)) return read < in->size ? in->size - read : 0;
    z_off_t at = gzoffset(in->file);
    if (at <= 0 || (size_t)at >= in->size) return 0;
    return (size_t)((double)(in->size - (size_t)at) * (double)read / (double)at);
}

size_t sg_input_taken(const sg_input *in) { return in->taken; }

size_t sg_input_left(const sg_input *in)
{
    size_t shown = in->head_end - in->head_at;
    return shown + (in->file ? file_left(in, in->taken + shown) : in->left);
}

void sg_input_skip(sg_input *in, size_t n)
{
    in->head_at += n;
    in->taken += n;
}

sg_status sg_input_read(sg_input *in, char *to, size_t room, size_t *got)
{
    size_t shown = in->head_end - in->head_at, first = room < shown ? room : shown, rest = 0;
    if (first) memcpy(to, in->head + in->head_at, first);
    in->head_at += first;
    sg_status st = first < room ? read_raw(in, to + first, room - first, &rest) : SG_OK;
    *got = first + rest;
    in->taken += *got;
    return st;
}
