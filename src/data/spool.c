/* spool.c: see spool.h. */
#include "data/spool.h"

#include "base/memory.h"
#include "base/scratch.h"
#include "data/npy_header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct sg_spool {
    sg_scratch file;
    char *of;
    char *place;   /* "a temporary file in /tmp", or the path of a cache */
    size_t header; /* bytes before the first row */
    size_t columns, rows;
};

void sg_spool_free(sg_spool *s)
{
    if (!s) return;
    sg_scratch_close(&s->file);
    free(s->of);
    free(s->place);
    free(s);
}

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for rows"); }

static sg_status failed(const sg_spool *s, const char *what)
{
    return sg_fail(SG_EIO, "can't %s the rows of %s in %s: %s", what, s->of, s->place, strerror(errno));
}

static sg_status put(const sg_spool *s, size_t at, const void *bytes, size_t n)
{
    const char *from = bytes;
    while (n) {
        ssize_t done = pwrite(s->file.fd, from, n, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return failed(s, "keep");
        from += done;
        at += (size_t)done;
        n -= (size_t)done;
    }
    return SG_OK;
}

static sg_status get(const sg_spool *s, size_t at, void *to, size_t n)
{
    char *bytes = to;
    while (n) {
        ssize_t done = pread(s->file.fd, bytes, n, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done == 0) errno = EIO;
        if (done <= 0) return failed(s, "read");
        bytes += done;
        at += (size_t)done;
        n -= (size_t)done;
    }
    return SG_OK;
}

static const char *temporary_folder(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

static sg_scratch open_scratch(const char *beside)
{
    return beside ? sg_scratch_beside(beside) : sg_scratch_open(temporary_folder());
}

size_t sg_spool_room(const char *beside)
{
    struct statvfs is;
    size_t bytes = SIZE_MAX;
    sg_scratch file = open_scratch(beside);
    if (file.fd >= 0 && fstatvfs(file.fd, &is) == 0 && !sg_mul(is.f_bavail, is.f_frsize, &bytes)) bytes = SIZE_MAX;
    sg_scratch_close(&file);
    return bytes;
}

static sg_status open_file(sg_spool *s, const char *beside)
{
    sg_text place = {0};
    if (beside) sg_text_add(&place, beside);
    else sg_text_format(&place, "a temporary file in %s", temporary_folder());
    s->place = place.bytes;
    if (place.failed) return no_memory();
    s->file = open_scratch(beside);
    return s->file.fd < 0 ? failed(s, "keep") : SG_OK;
}

sg_status sg_spool_new(const char *of, const char *beside, const char *const *names, size_t columns, sg_spool **out)
{
    sg_text header = {0};
    sg_spool *s = sg_alloc(1, sizeof *s);
    if (!s) return no_memory();
    *s = (sg_spool){.file = {.fd = -1}, .of = sg_copy(of), .columns = columns};
    sg_status st = s->of ? open_file(s, beside) : no_memory();
    if (st == SG_OK) st = sg_npy_header_make(names, columns, SIZE_MAX, 0, &header);
    s->header = header.length;
    sg_text_release(&header);
    if (st != SG_OK) sg_spool_free(s);
    else *out = s;
    return st;
}

static size_t row_bytes(const sg_spool *s) { return s->columns * sizeof(double); }

sg_status sg_spool_add(sg_spool *s, const double *values, size_t rows)
{
    sg_status st = put(s, s->header + s->rows * row_bytes(s), values, rows * row_bytes(s));
    if (st == SG_OK) s->rows += rows;
    return st;
}

/* In place, from the first row on: what is written is never longer than what was read. */
static sg_status rewrite_rows(const sg_spool *s, sg_spool_map *map, const void *arg, size_t columns, size_t most,
                              double *from, double *to)
{
    size_t bytes = columns * sizeof *to;
    sg_status st = SG_OK;
    for (size_t first = 0, n; st == SG_OK && first < s->rows; first += n) {
        n = s->rows - first < most ? s->rows - first : most;
        st = get(s, s->header + first * row_bytes(s), from, n * row_bytes(s));
        for (size_t i = 0; st == SG_OK && i < n; i++) map(arg, from + i * s->columns, to + i * columns);
        if (st == SG_OK) st = put(s, s->header + first * bytes, to, n * bytes);
    }
    return st;
}

sg_status sg_spool_walk(const sg_spool *s, sg_spool_see *see, void *arg)
{
    enum { NUMBERS = 1 << 16 };
    size_t most = s->columns < NUMBERS ? NUMBERS / s->columns : 1;
    double *rows = sg_alloc(s->columns, most * sizeof *rows);
    sg_status st = rows ? SG_OK : no_memory();
    for (size_t first = 0, n; st == SG_OK && first < s->rows; first += n) {
        n = s->rows - first < most ? s->rows - first : most;
        st = get(s, s->header + first * row_bytes(s), rows, n * row_bytes(s));
        if (st == SG_OK) st = see(arg, rows, n);
    }
    free(rows);
    return st;
}

sg_status sg_spool_rewrite(sg_spool *s, sg_spool_map *map, const void *arg, size_t columns)
{
    enum { NUMBERS = 1 << 16 }; /* in a block, unless one row has more */
    size_t most = s->columns < NUMBERS ? NUMBERS / s->columns : 1;
    double *from = sg_alloc(s->columns, most * sizeof *from), *to = sg_alloc(s->columns, most * sizeof *to);
    sg_status st = from && to ? rewrite_rows(s, map, arg, columns, most, from, to) : no_memory();
    free(from);
    free(to);
    s->columns = columns;
    if (st == SG_OK && ftruncate(s->file.fd, (off_t)(s->header + s->rows * row_bytes(s))) != 0) st = failed(s, "keep");
    return st;
}

static sg_status write_header(const sg_spool *s, const char *const *names)
{
    sg_text header = {0};
    sg_status st = sg_npy_header_make(names, s->columns, s->rows, s->header, &header);
    if (st == SG_OK) st = put(s, 0, header.bytes, header.length);
    sg_text_release(&header);
    return st;
}

/* The file goes on under the care of whoever reads it. */
sg_status sg_spool_finish(sg_spool *s, const char *const *names, sg_npy **out)
{
    sg_bytes *bytes;
    sg_status st = write_header(s, names);
    if (st == SG_OK) st = sg_bytes_adopt(s->file, s->place, &bytes);
    if (st == SG_OK) {
        s->file = (sg_scratch){.fd = -1};
        st = sg_npy_adopt(bytes, &(sg_csv_how){0}, out);
    }
    sg_spool_free(s);
    return st;
}
