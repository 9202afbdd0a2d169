/* spill_file.c: see spill_file.h. */
#include "data/ingest/spill_file.h"

#include "base/memory.h"
#include "base/temp_file.h"
#include "data/format/npy/npy_header.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct sg_spill_file {
    sg_temp_file file;
    char *source_name;
    char *location;      /* "a temporary file in /tmp" */
    size_t header_bytes; /* bytes before the first row */
    size_t columns, rows;
};

void sg_spill_file_free(sg_spill_file *s)
{
    if (!s) return;
    sg_temp_file_close(&s->file);
    free(s->source_name);
    free(s->location);
    free(s);
}

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for rows"); }

static sg_status failed(const sg_spill_file *s, const char *what)
{
    return sg_fail(SG_EIO, "can't %s the rows of %s in %s: %s", what, s->source_name, s->location, strerror(errno));
}

static sg_status write_at(const sg_spill_file *s, size_t at, const void *bytes, size_t n)
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

static sg_status read_at(const sg_spill_file *s, size_t at, void *to, size_t n)
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

static const char *temp_dir(void)
{
    const char *folder = getenv("TMPDIR");
    return folder && *folder ? folder : "/tmp";
}

size_t sg_spill_disk_free(void)
{
    struct statvfs is;
    size_t bytes = SIZE_MAX;
    sg_temp_file file = sg_temp_file_open(temp_dir());
    if (file.fd >= 0 && fstatvfs(file.fd, &is) == 0 && !sg_checked_mul(is.f_bavail, is.f_frsize, &bytes))
        bytes = SIZE_MAX;
    sg_temp_file_close(&file);
    return bytes;
}

static sg_status open_file(sg_spill_file *s)
{
    sg_text place = {0};
    sg_text_append_format(&place, "a temporary file in %s", temp_dir());
    s->location = place.bytes;
    if (place.failed) return no_memory();
    s->file = sg_temp_file_open(temp_dir());
    return s->file.fd < 0 ? failed(s, "keep") : SG_OK;
}

sg_status sg_spill_file_new(const char *of, const char *const *names, size_t columns, sg_spill_file **out)
{
    sg_text header = {0};
    sg_spill_file *s = sg_calloc(1, sizeof *s);
    if (!s) return no_memory();
    *s = (sg_spill_file){.file = {.fd = -1}, .source_name = sg_strdup(of), .columns = columns};
    sg_status st = s->source_name ? open_file(s) : no_memory();
    if (st == SG_OK) st = sg_npy_header_format(names, columns, SIZE_MAX, 0, &header);
    s->header_bytes = header.length;
    sg_text_release(&header);
    if (st != SG_OK) sg_spill_file_free(s);
    else *out = s;
    return st;
}

static size_t row_bytes(const sg_spill_file *s) { return s->columns * sizeof(double); }

sg_status sg_spill_file_append(sg_spill_file *s, const double *values, size_t rows)
{
    sg_status st = write_at(s, s->header_bytes + s->rows * row_bytes(s), values, rows * row_bytes(s));
    if (st == SG_OK) s->rows += rows;
    return st;
}

/* In place, from the first row on: what is written is never longer than what was read. */
static sg_status rewrite_rows(const sg_spill_file *s, sg_spill_map_fn *map, const void *arg, size_t columns,
                              size_t block_rows, double *from, double *to)
{
    size_t bytes = columns * sizeof *to;
    sg_status st = SG_OK;
    for (size_t first = 0, n; st == SG_OK && first < s->rows; first += n) {
        n = s->rows - first < block_rows ? s->rows - first : block_rows;
        st = read_at(s, s->header_bytes + first * row_bytes(s), from, n * row_bytes(s));
        for (size_t i = 0; st == SG_OK && i < n; i++) map(arg, from + i * s->columns, to + i * columns);
        if (st == SG_OK) st = write_at(s, s->header_bytes + first * bytes, to, n * bytes);
    }
    return st;
}

sg_status sg_spill_file_for_each_block(const sg_spill_file *s, sg_spill_visit_fn *see, void *arg)
{
    enum { BLOCK_DOUBLES = 1 << 16 };
    size_t block_rows = s->columns < BLOCK_DOUBLES ? BLOCK_DOUBLES / s->columns : 1;
    double *rows = sg_calloc(s->columns, block_rows * sizeof *rows);
    sg_status st = rows ? SG_OK : no_memory();
    for (size_t first = 0, n; st == SG_OK && first < s->rows; first += n) {
        n = s->rows - first < block_rows ? s->rows - first : block_rows;
        st = read_at(s, s->header_bytes + first * row_bytes(s), rows, n * row_bytes(s));
        if (st == SG_OK) st = see(arg, rows, n);
    }
    free(rows);
    return st;
}

sg_status sg_spill_file_rewrite(sg_spill_file *s, sg_spill_map_fn *map, const void *arg, size_t columns)
{
    enum { BLOCK_DOUBLES = 1 << 16 }; /* in a block, unless one row has more */
    size_t block_rows = s->columns < BLOCK_DOUBLES ? BLOCK_DOUBLES / s->columns : 1;
    double *from = sg_calloc(s->columns, block_rows * sizeof *from),
           *to = sg_calloc(s->columns, block_rows * sizeof *to);
    sg_status st = from && to ? rewrite_rows(s, map, arg, columns, block_rows, from, to) : no_memory();
    free(from);
    free(to);
    s->columns = columns;
    if (st == SG_OK && ftruncate(s->file.fd, (off_t)(s->header_bytes + s->rows * row_bytes(s))) != 0)
        st = failed(s, "keep");
    return st;
}

static sg_status write_header(const sg_spill_file *s, const char *const *names)
{
    sg_text header = {0};
    sg_status st = sg_npy_header_format(names, s->columns, s->rows, s->header_bytes, &header);
    if (st == SG_OK) st = write_at(s, 0, header.bytes, header.length);
    sg_text_release(&header);
    return st;
}

/* The file goes on under the care of whoever reads it. */
sg_status sg_spill_file_finish(sg_spill_file *s, const char *const *names, sg_npy **out)
{
    sg_file_reader *bytes;
    sg_status st = write_header(s, names);
    if (st == SG_OK) st = sg_file_reader_adopt(s->file, s->location, &bytes);
    if (st == SG_OK) {
        s->file = (sg_temp_file){.fd = -1};
        st = sg_npy_adopt(bytes, &(sg_read_options){0}, out);
    }
    sg_spill_file_free(s);
    return st;
}
