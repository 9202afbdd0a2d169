/* npy.c: the rows of a .npy file, in place.
 *
 * Neighbouring rows are read by pread into a small buffer. Rows that lie anywhere, as a batch asks for
 * them, come from a mapping of the file: a call of the system for each of them would take ten times as
 * long as the training step that needs them. Before each of its accesses the file is looked at: one that
 * was cut off or written to gives a sentence (see docs/decisions.md for what is left of SIGBUS). */
#include "data/npy.h"

#include "base/memory.h"
#include "data/npy_columns.h"
#include "data/npy_text.h"

#include <errno.h>
#include <fcntl.h>
#include <stdlib.h>
#include <string.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>

enum { LONGEST_HEADER = 1 << 26, BUFFER = 16384 };
_Static_assert((int)BUFFER >= (int)SG_NPY_TEXT, "a cell must fit");

struct sg_npy {
    char *file; /* the path */
    int fd;
    size_t size; /* of the file, when it was opened */
    struct timespec changed;
    const char *map; /* of the whole file; NULL: it could not be mapped */
    size_t data;     /* where the numbers begin                         */
    sg_npy_header header;
    sg_npy_columns columns;
};

void sg_npy_free(sg_npy *n)
{
    if (!n) return;
    if (n->map) munmap((void *)n->map, n->size);
    if (n->fd >= 0) close(n->fd);
    sg_npy_header_release(&n->header);
    sg_npy_columns_release(&n->columns);
    free(n->file);
    free(n);
}

static sg_status no_memory(const sg_npy *n)
{
    return sg_fail(SG_ENOMEM, "can't read %s: out of memory", n->file);
}

/* --- bytes --- */

static sg_status check_unchanged(const sg_npy *n)
{
    struct stat is;
    if (fstat(n->fd, &is) == 0 && (size_t)is.st_size == n->size &&
        is.st_mtim.tv_sec == n->changed.tv_sec && is.st_mtim.tv_nsec == n->changed.tv_nsec)
        return SG_OK;
    return sg_fail(SG_EIO, "%s: the file was changed while it was read", n->file);
}

static sg_status read_bytes(const sg_npy *n, size_t at, char *to, size_t bytes)
{
    while (bytes) {
        ssize_t got = pread(n->fd, to, bytes, (off_t)at);
        if (got < 0 && errno == EINTR) continue;
        if (got < 0) return sg_fail(SG_EIO, "can't read %s: %s", n->file, strerror(errno));
        if (got == 0) return sg_fail(SG_EIO, "%s: the file was cut off while it was read", n->file);
        to += got;
        at += (size_t)got;
        bytes -= (size_t)got;
    }
    return SG_OK;
}

/* --- as a source --- */

static sg_status beyond(const sg_npy *n, size_t row)
{
    return sg_fail(SG_EINVAL, "%s: row %zu of a file that has %zu", n->file, row, n->header.rows);
}

/* From the first byte of column `from` in a row to the last one of column to - 1, `rows` rows later. */
static size_t span(const sg_npy *n, size_t from, size_t to, size_t rows)
{
    const sg_npy_column *a = &n->columns.column[from], *b = &n->columns.column[to - 1];
    return b->start - a->start + (rows - 1) * b->step + b->size;
}

/* So many rows that a column of them, or better all columns, fit into the buffer. */
static size_t rows_at_once(const sg_npy *n, size_t most)
{
    size_t to = n->header.fortran ? 1 : n->columns.count, one = span(n, 0, to, 1);
    size_t rows = one <= BUFFER ? 1 + (BUFFER - one) / n->columns.column->step : 1;
    return rows < most ? rows : most;
}

static sg_status read_block(const sg_npy *n, size_t first, size_t rows, double *out)
{
    char buffer[BUFFER];
    for (size_t from = 0, to; from < n->columns.count; from = to) {
        for (to = from + 1; to < n->columns.count && span(n, from, to + 1, rows) <= BUFFER;) to++;
        const sg_npy_column *c = &n->columns.column[from];
        size_t at = n->data + c->start + first * c->step;
        sg_status st = read_bytes(n, at, buffer, span(n, from, to, rows));
        if (st != SG_OK) return st;
        for (size_t k = from; k < to; k++)
            sg_npy_take(&n->columns.column[k], buffer + (n->columns.column[k].start - c->start), NULL, rows, out + k,
                        n->columns.count);
    }
    return SG_OK;
}

static sg_status read_rows(void *self, size_t first, size_t rows, double *out)
{
    const sg_npy *n = self;
    if (first > n->header.rows || rows > n->header.rows - first) return beyond(n, first + rows);
    sg_status st = check_unchanged(n);
    for (size_t done = 0, some; st == SG_OK && done < rows; done += some) {
        some = rows_at_once(n, rows - done);
        st = read_block(n, first + done, some, out + done * n->columns.count);
    }
    return st;
}

static sg_status gather_rows(void *self, const size_t *row, size_t rows, double *out)
{
    const sg_npy *n = self;
    for (size_t i = 0; i < rows; i++)
        if (row[i] >= n->header.rows) return beyond(n, row[i]);
    sg_status st = check_unchanged(n);
    if (st != SG_OK) return st;
    for (size_t i = 0; !n->map && st == SG_OK && i < rows; i++)
        st = read_block(n, row[i], 1, out + i * n->columns.count);
    for (size_t k = 0; n->map && k < n->columns.count; k++)
        sg_npy_take(&n->columns.column[k], n->map + n->data + n->columns.column[k].start, row, rows, out + k, n->columns.count);
    return st;
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_npy *n = self;
    bool words = column < n->columns.count && n->columns.column[column].levels;
    return words ? sg_levels_text(n->columns.column[column].levels, i) : NULL;
}

sg_source sg_npy_source(const sg_npy *n)
{
    return (sg_source){.self = (void *)n, .name = n->file, .rows = n->header.rows,
                       .columns = n->columns.count, .names = n->columns.names, .read = read_rows,
                       .gather = gather_rows, .level = n->columns.texts ? level : NULL};
}

const char *sg_npy_left_out(const sg_npy *n, size_t i)
{
    return i < n->columns.left_out ? n->columns.names[n->columns.count + i] : NULL;
}

/* --- opening --- */

static sg_status open_file(sg_npy *n)
{
    struct stat is;
    n->fd = open(n->file, O_RDONLY | O_CLOEXEC);
    if (n->fd < 0 || fstat(n->fd, &is) != 0)
        return sg_fail(SG_EIO, "can't read %s: %s", n->file, strerror(errno));
    if (!S_ISREG(is.st_mode)) return sg_fail(SG_EIO, "can't read %s: expected a plain file", n->file);
    if (is.st_size < SG_NPY_FIXED || (uintmax_t)is.st_size > SIZE_MAX)
        return sg_fail(SG_EDATA, "%s: too short or too long for a .npy file", n->file);
    n->size = (size_t)is.st_size;
    n->changed = is.st_mtim;
    return SG_OK;
}

static sg_status read_header(sg_npy *n)
{
    char fixed[SG_NPY_FIXED];
    size_t begin, length;
    bool utf8;
    sg_status st = read_bytes(n, 0, fixed, sizeof fixed);
    if (st == SG_OK) st = sg_npy_preamble(fixed, sizeof fixed, n->file, &begin, &length, &utf8);
    if (st != SG_OK) return st;
    if (length > LONGEST_HEADER || length > n->size - begin)
        return sg_fail(SG_EDATA, "%s: damaged, or cut off: a header of %zu bytes", n->file, length);
    char *text = sg_alloc(length, 1);
    st = text ? read_bytes(n, begin, text, length) : no_memory(n);
    if (st == SG_OK) st = sg_npy_header_parse(text, length, utf8, n->file, &n->header);
    n->data = begin + length;
    free(text);
    return st;
}

/* In Fortran order nothing tells where a file was cut off. */
static sg_status check_size(const sg_npy *n)
{
    const sg_npy_header *h = &n->header;
    size_t there = n->size - n->data, rows = there / h->row_bytes;
    if (rows >= h->rows) return SG_OK;
    if (h->fortran)
        return sg_fail(SG_EDATA, "%s: cut off: %zu bytes of %zu are there", n->file, there,
                       h->rows * h->row_bytes);
    return sg_fail(SG_EDATA, "%s: cut off: %zu rows of %zu are there", n->file, rows, h->rows);
}

/* Rows are asked for in any order: reading on from one of them would fetch what nobody wants. */
static void map_file(sg_npy *n)
{
    void *map = mmap(NULL, n->size, PROT_READ, MAP_SHARED, n->fd, 0);
    if (map == MAP_FAILED) return;
    (void)madvise(map, n->size, MADV_RANDOM);
    n->map = map;
}

/* All texts, so that their words have codes before the first row is read. */
static sg_status read_texts(sg_npy *n)
{
    enum { BLOCK = 1 << 20 };
    const sg_npy_header *h = &n->header;
    size_t most = h->row_bytes < BLOCK ? BLOCK / h->row_bytes : 1;
    char *bytes = n->columns.texts ? sg_alloc(h->row_bytes, most) : NULL;
    if (!n->columns.texts) return SG_OK;
    sg_status st = bytes ? SG_OK : no_memory(n);
    for (size_t first = 0, rows; st == SG_OK && first < h->rows; first += rows) {
        rows = h->rows - first < most ? h->rows - first : most;
        st = read_bytes(n, n->data + first * h->row_bytes, bytes, rows * h->row_bytes);
        if (st == SG_OK) st = sg_npy_words_add(&n->columns, bytes, first, rows);
    }
    free(bytes);
    return st == SG_OK ? sg_npy_words_judge(&n->columns) : st;
}

static sg_status open_all(sg_npy *n, const sg_csv_how *how)
{
    sg_status st = open_file(n);
    if (st == SG_OK) st = read_header(n);
    if (st == SG_OK) st = check_size(n);
    if (st == SG_OK) st = sg_npy_columns_choose(&n->header, n->file, how, &n->columns);
    if (st == SG_OK) st = read_texts(n);
    if (st == SG_OK) map_file(n);
    return st;
}

sg_status sg_npy_open(const char *path, const sg_csv_how *how, sg_npy **out)
{
    sg_npy *n = sg_alloc(1, sizeof *n);
    if (n) n->fd = -1;
    if (!n || !(n->file = sg_copy(path))) {
        free(n);
        return sg_fail(SG_ENOMEM, "can't read %s: out of memory", path);
    }
    sg_csv_how asked = *how;
    if (!asked.missing) asked.missing = SG_CSV_MISSING;
    sg_status st = open_all(n, &asked);
    n->columns.how = NULL;
    if (st != SG_OK) {
        sg_npy_free(n);
        return st;
    }
    *out = n;
    return SG_OK;
}
