/* spill_file.c: stores rows that do not fit into memory in a temporary .npy file. */
#include "data/ingest/spill_file.h"

#include "base/memory.h"
#include "base/temp_file.h"
#include "data/source/source_util.h"

#include <errno.h>
#include <stdlib.h>
#include <string.h>
#include <sys/statvfs.h>
#include <unistd.h>

struct sg_spill_file {
    sg_temp_file file;
    char *source_name;
    char *location;      /* "a temporary file in /tmp", for messages */
    size_t header_bytes; /* bytes before the first row */
    size_t columns, rows;
};

void sg_spill_file_free(sg_spill_file *s)
{
    if (!s) return;
    sg_temp_file_close(&s->file);
    sg_free_all(s->source_name, s->location, s);
}

static sg_status fail_out_of_memory(void) { return sg_fail(SG_ENOMEM, "out of memory while reading rows"); }

static sg_status fail_errno(const sg_spill_file *s, const char *what)
{
    return sg_fail(SG_EIO, "can't %s the rows of %s in %s: %s", what, s->source_name, s->location, strerror(errno));
}

static sg_status write_at(const sg_spill_file *s, size_t at, const void *bytes, size_t n)
{
    const char *from = bytes;
    while (n) {
        ssize_t done = pwrite(s->file.fd, from, n, (off_t)at);
        if (done < 0 && errno == EINTR) continue;
        if (done < 0) return fail_errno(s, "store");
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
        if (done <= 0) return fail_errno(s, "read");
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
    sg_text location = {0};
    sg_text_append_format(&location, "a temporary file in %s", temp_dir());
    s->location = location.bytes;
    if (location.failed) return fail_out_of_memory();
    s->file = sg_temp_file_open(temp_dir());
    return s->file.fd < 0 ? fail_errno(s, "store") : SG_OK;
}

static sg_status format_header(const char *const *names, size_t columns, size_t rows, size_t least, sg_text *out)
{
    sg_npy_layout layout = {.names = names, .columns = columns, .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__};
    return sg_npy_header_format(&layout, rows, least, out);
}

sg_status sg_spill_file_new(const char *source_name, const char *const *names, size_t columns, sg_spill_file **out)
{
    sg_text header = {0};
    sg_spill_file *s = sg_calloc(1, sizeof *s);
    if (!s) return fail_out_of_memory();
    *s = (sg_spill_file){.file = {.fd = -1}, .source_name = sg_strdup(source_name), .columns = columns};
    sg_status st = s->source_name ? open_file(s) : fail_out_of_memory();
    if (st == SG_OK) st = format_header(names, columns, 0, 0, &header);
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

sg_status sg_spill_file_for_each_block(const sg_spill_file *s, sg_spill_visit_fn *fn, void *arg)
{
    size_t block_rows = sg_rows_per_block(s->columns, 1 << 16);
    double *rows = sg_calloc(s->columns, block_rows * sizeof *rows);
    sg_status st = rows ? SG_OK : fail_out_of_memory();
    for (size_t first = 0, n; st == SG_OK && first < s->rows; first += n) {
        n = s->rows - first < block_rows ? s->rows - first : block_rows;
        st = read_at(s, s->header_bytes + first * row_bytes(s), rows, n * row_bytes(s));
        if (st == SG_OK) st = fn(arg, rows, n);
    }
    free(rows);
    return st;
}

typedef struct rewrite {
    const sg_spill_file *file;
    sg_spill_map_fn *map;
    const void *arg;
    size_t columns, rows; /* rows rewritten so far */
} rewrite;

/* Neither in the block nor in the file does a mapped row extend beyond the row that it is made from. */
static sg_status rewrite_block(void *arg, double *values, size_t rows)
{
    rewrite *r = arg;
    const sg_spill_file *s = r->file;
    size_t bytes = r->columns * sizeof *values, at = s->header_bytes + r->rows * bytes;
    for (size_t i = 0; i < rows; i++) r->map(r->arg, values + i * s->columns, values + i * r->columns);
    r->rows += rows;
    return write_at(s, at, values, rows * bytes);
}

sg_status sg_spill_file_rewrite(sg_spill_file *s, sg_spill_map_fn *map, const void *arg, size_t columns)
{
    rewrite r = {.file = s, .map = map, .arg = arg, .columns = columns};
    sg_status st = sg_spill_file_for_each_block(s, rewrite_block, &r);
    s->columns = columns;
    if (st == SG_OK && ftruncate(s->file.fd, (off_t)(s->header_bytes + s->rows * row_bytes(s))) != 0)
        st = fail_errno(s, "store");
    return st;
}

static sg_status write_header(const sg_spill_file *s, const char *const *names)
{
    sg_text header = {0};
    sg_status st = format_header(names, s->columns, s->rows, s->header_bytes, &header);
    if (st == SG_OK) st = write_at(s, 0, header.bytes, header.length);
    sg_text_release(&header);
    return st;
}

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
