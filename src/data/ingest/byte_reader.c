/* byte_reader.c: reads a stream of bytes from a file, gzip file, standard input or memory. */
#include "data/ingest/byte_reader.h"

#include "base/memory.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

struct sg_byte_reader {
    char *name;
    gzFile file;             /* NULL if bytes are read from memory */
    int fd;                  /* owned by file */
    struct stat opened_stat; /* state of the file when it was opened */
    size_t size;             /* size of the file, or 0 if it is unknown */
    const char *memory;      /* unread bytes */
    size_t memory_left;
    size_t consumed;
    size_t peek_at, peek_end;
    char peek[SG_BYTE_READER_PEEK + 1];
};

const char *sg_byte_reader_name(const sg_byte_reader *in) { return in->name; }

void sg_byte_reader_close(sg_byte_reader *in)
{
    if (!in) return;
    if (in->file) gzclose_r(in->file);
    free(in->name);
    free(in);
}

static sg_byte_reader *new_reader(const char *name)
{
    sg_byte_reader *in = sg_calloc(1, sizeof *in);
    if (in) in->name = sg_strdup(name);
    if (in && in->name) return in;
    sg_byte_reader_close(in);
    return NULL;
}

sg_status sg_byte_reader_open_memory(const char *bytes, size_t n, const char *name, sg_byte_reader **out)
{
    sg_byte_reader *in = new_reader(name);
    if (!in) return sg_fail_read_memory(name);
    in->memory = bytes;
    in->memory_left = n;
    *out = in;
    return SG_OK;
}

static sg_status fail_errno(const sg_byte_reader *in)
{
    return sg_fail(SG_EIO, "can't read %s: %s", in->name, strerror(errno));
}

/* Opens a file. Standard input is duplicated, so that it stays open when the reader is closed. */
static sg_status open_path(sg_byte_reader *in, const char *path)
{
    int fd = strcmp(path, "-") == 0 ? fcntl(STDIN_FILENO, F_DUPFD_CLOEXEC, 3) : open(path, O_RDONLY | O_CLOEXEC);
    if (fd < 0) return fail_errno(in);
    if (fstat(fd, &in->opened_stat) == 0 && S_ISDIR(in->opened_stat.st_mode)) {
        close(fd);
        return sg_fail(SG_EIO, "can't read %s: it is a folder; expected a file", in->name);
    }
    in->file = gzdopen(fd, "rb");
    if (!in->file) {
        close(fd);
        return sg_fail_read_memory(in->name);
    }
    gzbuffer(in->file, 1 << 15); /* reads are larger than this buffer and bypass it */
    if (S_ISREG(in->opened_stat.st_mode) && in->opened_stat.st_size > 0) in->size = (size_t)in->opened_stat.st_size;
    in->fd = fd;
    return SG_OK;
}

sg_status sg_byte_reader_open(const char *path, sg_byte_reader **out)
{
    sg_byte_reader *in = new_reader(strcmp(path, "-") == 0 ? "standard input" : path);
    if (!in) return sg_fail_read_memory(path);
    sg_status st = open_path(in, path);
    if (st == SG_OK) *out = in;
    else sg_byte_reader_close(in);
    return st;
}

/* Fails if the file was changed while it was read, because its rows may be inconsistent. The modification time is
 * ignored for files of size 0, such as those in /proc, where it changes on every access. */
static sg_status check_unchanged(const sg_byte_reader *in)
{
    struct stat is;
    const struct timespec *was = &in->opened_stat.st_mtim;
    if (!S_ISREG(in->opened_stat.st_mode) || fstat(in->fd, &is) != 0) return SG_OK;
    bool same_time = in->size == 0 || (is.st_mtim.tv_sec == was->tv_sec && is.st_mtim.tv_nsec == was->tv_nsec);
    if (is.st_size == in->opened_stat.st_size && same_time) return SG_OK;
    return sg_fail(SG_EIO, "%s: the file was changed while it was read", in->name);
}

/* Checks why a read was short: zlib returns the bytes that it could decompress before it reports an error. */
static sg_status check_end(const sg_byte_reader *in)
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
        return fail_errno(in);
    case Z_MEM_ERROR:
        return sg_fail_read_memory(in->name);
    case Z_BUF_ERROR:
        return sg_fail(SG_EDATA, "%s: the gzip data is truncated", in->name);
    default:
        return sg_fail(SG_EDATA, "%s: the gzip data is damaged (%s)", in->name, why);
    }
}

static sg_status read_file(sg_byte_reader *in, char *to, size_t room, size_t *got)
{
    for (*got = 0; *got < room;) {
        size_t want = room - *got < 1 << 20 ? room - *got : 1 << 20; /* gzread returns an int */
        int n = gzread(in->file, to + *got, (unsigned)want);
        sg_status st = n < 0 || (size_t)n < want ? check_end(in) : SG_OK;
        if (st != SG_OK) return st;
        if (n == 0) break;
        *got += (size_t)n;
    }
    return SG_OK;
}

static sg_status read_memory(sg_byte_reader *in, char *to, size_t room, size_t *got)
{
    *got = room < in->memory_left ? room : in->memory_left;
    if (*got) memcpy(to, in->memory, *got);
    if (*got) in->memory += *got;
    in->memory_left -= *got;
    return SG_OK;
}

static sg_status read_raw(sg_byte_reader *in, char *to, size_t room, size_t *got)
{
    return in->file ? read_file(in, to, room, got) : read_memory(in, to, room, got);
}

sg_status sg_byte_reader_peek(sg_byte_reader *in, const char **bytes, size_t *n, bool *whole)
{
    if (in->peek_end == 0) {
        sg_status st = read_raw(in, in->peek, SG_BYTE_READER_PEEK, &in->peek_end);
        if (st != SG_OK) return st;
        in->peek[in->peek_end] = '\n';
    }
    *bytes = in->peek + in->peek_at;
    *n = in->peek_end - in->peek_at;
    *whole = in->peek_end < SG_BYTE_READER_PEEK;
    return SG_OK;
}

/* Returns the number of bytes after the first `read` bytes; for gzip, an estimate from the compression so far. */
static size_t file_remaining(const sg_byte_reader *in, size_t read)
{
    if (gzdirect(in->file)) return read < in->size ? in->size - read : 0;
    z_off_t at = gzoffset(in->file);
    if (at <= 0 || (size_t)at >= in->size) return 0;
    return (size_t)((double)(in->size - (size_t)at) * (double)read / (double)at);
}

size_t sg_byte_reader_consumed(const sg_byte_reader *in) { return in->consumed; }

size_t sg_byte_reader_remaining(const sg_byte_reader *in)
{
    size_t shown = in->peek_end - in->peek_at;
    return shown + (in->file ? file_remaining(in, in->consumed + shown) : in->memory_left);
}

void sg_byte_reader_skip(sg_byte_reader *in, size_t n)
{
    in->peek_at += n;
    in->consumed += n;
}

sg_status sg_byte_reader_read(sg_byte_reader *in, char *to, size_t room, size_t *got)
{
    size_t shown = in->peek_end - in->peek_at, first = room < shown ? room : shown, rest = 0;
    if (first) memcpy(to, in->peek + in->peek_at, first);
    in->peek_at += first;
    sg_status st = first < room ? read_raw(in, to + first, room - first, &rest) : SG_OK;
    *got = first + rest;
    in->consumed += *got;
    return st;
}

/* --- windows --- */

/* Allocates a window with room to place the unread bytes so that the bytes read after them are aligned. */
static char *alloc_window(size_t capacity)
{
    size_t bytes = capacity + SG_BYTE_READER_ALIGN + SG_WINDOW_PADDING;
    return bytes < capacity ? NULL
                            : aligned_alloc(SG_BYTE_READER_ALIGN, (bytes + SG_BYTE_READER_ALIGN - 1) /
                                                                      SG_BYTE_READER_ALIGN * SG_BYTE_READER_ALIGN);
}

sg_status sg_byte_window_init(sg_byte_window *w, sg_byte_reader *in, size_t block)
{
    *w = (sg_byte_window){.in = in, .capacity = block ? block : SG_READ_BLOCK_BYTES};
    w->bytes = alloc_window(w->capacity);
    if (!w->bytes) return sg_fail_read_memory(in->name);
    w->at = w->end = memset(w->bytes, '\n', SG_WINDOW_PADDING);
    return SG_OK;
}

void sg_byte_window_release(sg_byte_window *w)
{
    free(w->bytes);
    w->bytes = NULL;
}

static void move_unread(sg_byte_window *w, char *bytes)
{
    size_t unread = (size_t)(w->end - w->at);
    char *to = bytes + (SG_BYTE_READER_ALIGN - unread % SG_BYTE_READER_ALIGN) % SG_BYTE_READER_ALIGN;
    w->at = memmove(to, w->at, unread);
    w->end = to + unread;
}

static sg_status grow_window(sg_byte_window *w, size_t line, size_t column)
{
    if (w->capacity >= SG_WINDOW_BYTES_MAX)
        return sg_fail(SG_EDATA, "%s:%zu:%zu: a line or cell is longer than %d MB; is a closing quote missing?",
                       w->in->name, line, column, SG_WINDOW_BYTES_MAX >> 20);
    char *wider = alloc_window(w->capacity * 2);
    if (!wider) return sg_fail_read_memory(w->in->name);
    move_unread(w, wider);
    free(w->bytes);
    w->bytes = wider;
    w->capacity *= 2;
    return SG_OK;
}

sg_status sg_byte_window_refill(sg_byte_window *w, size_t line, size_t column)
{
    size_t unread = (size_t)(w->end - w->at), got;
    sg_status st = unread == w->capacity ? grow_window(w, line, column) : SG_OK;
    if (st != SG_OK) return st;
    move_unread(w, w->bytes);
    char *end = w->bytes + (w->end - w->bytes);
    st = sg_byte_reader_read(w->in, end, w->capacity - unread, &got);
    if (st != SG_OK) return st;
    w->at_eof = got < w->capacity - unread;
    w->end = memset(end + got, '\n', SG_WINDOW_PADDING);
    return SG_OK;
}
