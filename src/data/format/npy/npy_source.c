/* npy_source.c: reads rows of a .npy file in place.
 *
 * Consecutive rows are read by pread: directly into the caller's memory if the file contains native doubles, otherwise
 * through a small buffer. Scattered rows, as in a batch, are copied from memory if the file may be loaded. Otherwise,
 * rows with small gaps between them are read together with the gaps, and other rows one by one; the disk serves all
 * these requests at the same time. */
#include "data/format/npy/npy_source.h"

#include "base/memory.h"
#include "data/format/npy/npy_columns.h"
#include "data/source/source_util.h"

#include <stdlib.h>
#include <string.h>

/* Reading MAX_GAP_BYTES takes about as long as a separate request. */
enum { MAX_HEADER_BYTES = 1 << 26, BUFFER_BYTES = 1 << 16, MAX_GAP_BYTES = 1 << 13 };
_Static_assert((int)BUFFER_BYTES >= (int)SG_NPY_TEXT_MAX, "a cell must fit into the buffer");

struct sg_npy {
    sg_file_reader *reader;
    const char *path;
    size_t data_offset; /* position of row 0 */
    bool plain_doubles; /* cells are native doubles, adjacent and in column order */
    bool may_load;      /* the file may be loaded into memory */
    sg_npy_header header;
    sg_npy_columns columns;
};

void sg_npy_free(sg_npy *n)
{
    if (!n) return;
    sg_npy_header_release(&n->header);
    sg_npy_columns_release(&n->columns);
    sg_file_reader_close(n->reader);
    free(n);
}

/* --- consecutive rows --- */

/* Returns the number of bytes from the start of column `from` in one row to the end of column to - 1 in the row that is
 * rows - 1 rows later. */
static size_t byte_span(const sg_npy *n, size_t from, size_t to, size_t rows)
{
    const sg_npy_column *a = &n->columns.column[from], *b = &n->columns.column[to - 1];
    return b->offset - a->offset + (rows - 1) * b->stride + b->size;
}

static size_t cell_offset(const sg_npy *n, const sg_npy_column *c, size_t row)
{
    return n->data_offset + c->offset + row * c->stride;
}

/* Returns how many rows to read at a time, so that all their columns (in Fortran order, one column) fit into the
 * buffer. */
static size_t rows_per_buffer(const sg_npy *n, size_t max_rows)
{
    size_t to = n->header.fortran_order ? 1 : n->columns.count, one = byte_span(n, 0, to, 1);
    size_t rows = one <= BUFFER_BYTES ? 1 + (BUFFER_BYTES - one) / n->columns.column->stride : 1;
    return rows < max_rows ? rows : max_rows;
}

/* Converts columns [from, to) of rows whose bytes are in the buffer. */
static void decode_block(const sg_npy *n, size_t from, size_t to, size_t rows, const char *buffer, double *out)
{
    for (size_t k = from; k < to; k++) {
        const sg_npy_column *c = &n->columns.column[k];
        sg_npy_decode(c, buffer + (c->offset - n->columns.column[from].offset), NULL, rows, out + k, n->columns.count);
    }
}

static sg_status read_block(const sg_npy *n, size_t first, size_t rows, double *out)
{
    char buffer[BUFFER_BYTES];
    for (size_t from = 0, to; from < n->columns.count; from = to) {
        for (to = from + 1; to < n->columns.count && byte_span(n, from, to + 1, rows) <= BUFFER_BYTES;) to++;
        sg_status st = sg_file_reader_read(n->reader, cell_offset(n, &n->columns.column[from], first), buffer,
                                           byte_span(n, from, to, rows));
        if (st != SG_OK) return st;
        decode_block(n, from, to, rows, buffer, out);
    }
    return SG_OK;
}

/* Reports whether the file contains the rows exactly as they are returned. */
static bool is_contiguous(const sg_npy *n)
{
    return n->plain_doubles && n->columns.column->stride == n->columns.count * sizeof(double);
}

static void read_from_memory(const sg_npy *n, const char *all, size_t first, size_t rows, double *out)
{
    if (rows && is_contiguous(n)) {
        memcpy(out, all + cell_offset(n, n->columns.column, first), rows * n->columns.count * sizeof *out);
        return;
    }
    for (size_t k = 0; k < n->columns.count; k++) {
        const sg_npy_column *c = &n->columns.column[k];
        sg_npy_decode(c, all + cell_offset(n, c, first), NULL, rows, out + k, n->columns.count);
    }
}

static sg_status read_chunks(const sg_npy *n, size_t first, size_t rows, double *out)
{
    sg_status st = SG_OK;
    if (is_contiguous(n))
        return sg_file_reader_read(n->reader, cell_offset(n, n->columns.column, first), out,
                                   rows * n->columns.count * sizeof *out);
    for (size_t done = 0, some; st == SG_OK && done < rows; done += some) {
        some = rows_per_buffer(n, rows - done);
        st = read_block(n, first + done, some, out + done * n->columns.count);
    }
    return st;
}

static sg_status read_rows(void *self, size_t first, size_t rows, double *out)
{
    const sg_npy *n = self;
    sg_status st = sg_check_row_range(n->path, n->header.rows, first, rows);
    if (st != SG_OK) return st;
    const char *all = sg_file_reader_loaded(n->reader);
    if (all) {
        read_from_memory(n, all, first, rows, out);
        return SG_OK;
    }
    st = sg_file_reader_check_unchanged(n->reader);
    return st == SG_OK ? read_chunks(n, first, rows, out) : st;
}

/* --- scattered rows --- */

static void gather_doubles(const sg_npy *n, const char *from, const size_t *row, size_t rows, double *out)
{
    enum { PREFETCH_ROWS = 8 };
    const size_t count = n->columns.count, step = n->columns.column->stride;
    for (size_t i = 0; i < rows; i++, out += count) {
        if (i + PREFETCH_ROWS < rows) __builtin_prefetch(from + row[i + PREFETCH_ROWS] * step);
        sg_copy_row(from + row[i] * step, count, out);
    }
}

/* Converts rows that are in memory. `from` points to the first column of row 0. */
static void gather_cells(const sg_npy *n, const char *from, const size_t *row, size_t rows, double *out)
{
    if (n->plain_doubles) {
        gather_doubles(n, from, row, rows, out);
        return;
    }
    for (size_t k = 0; k < n->columns.count; k++) {
        const sg_npy_column *c = &n->columns.column[k];
        sg_npy_decode(c, from + (c->offset - n->columns.column->offset), row, rows, out + k, n->columns.count);
    }
}

/* Rows that are read together. */
typedef struct row_run {
    const size_t *row; /* (rows) indices in ascending order */
    size_t rows;
    bool dense; /* there are no gaps */
    bool wait;  /* the rows have not been read yet */
} row_run;

enum { MAX_RUNS = 64, MAX_RUN_ROWS = 512 };

/* Returns how many rows of the file a run may span to fit into the buffer, or 0 if a row is not contiguous or is too
 * long. */
static size_t max_run_rows(const sg_npy *n)
{
    size_t one = byte_span(n, 0, n->columns.count, 1);
    return n->header.fortran_order || one > BUFFER_BYTES ? 0 : 1 + (BUFFER_BYTES - one) / n->columns.column->stride;
}

static row_run next_run(const sg_npy *n, const size_t *row, size_t rows)
{
    const size_t within = max_run_rows(n), gap = MAX_GAP_BYTES / n->columns.column->stride;
    size_t dense = 1;
    while (dense < rows && row[dense] == row[0] + dense) dense++;
    size_t near = dense, max_rows = rows < MAX_RUN_ROWS ? rows : MAX_RUN_ROWS;
    while (near < max_rows && row[near] >= row[near - 1] && row[near] - row[near - 1] <= gap &&
           row[near] - row[0] < within)
        near++;
    return (row_run){.row = row, .rows = near, .dense = near == dense, .wait = true};
}

static size_t run_bytes(const sg_npy *n, const row_run *r)
{
    return byte_span(n, 0, n->columns.count, r->row[r->rows - 1] - r->row[0] + 1);
}

/* Converts the rows of a run, which is in the buffer. */
static void decode_run(const sg_npy *n, const row_run *r, const char *buffer, double *out)
{
    size_t within[MAX_RUN_ROWS];
    for (size_t i = 0; i < r->rows; i++) within[i] = r->row[i] - r->row[0];
    gather_cells(n, buffer, within, r->rows, out);
}

/* Reads a run, which must fit into the buffer, if it is cached. Otherwise requests it and sets r->wait. */
static void read_run_if_cached(const sg_npy *n, row_run *r, char *buffer, double *out)
{
    bool in_place = n->plain_doubles && r->rows == 1;
    r->wait = !sg_file_reader_try_read(n->reader, cell_offset(n, n->columns.column, r->row[0]),
                                       in_place ? (char *)out : buffer, run_bytes(n, r));
    if (!r->wait && !in_place) decode_run(n, r, buffer, out);
}

static sg_status read_run(const sg_npy *n, const row_run *r, char *buffer, double *out)
{
    if (r->dense) return read_chunks(n, r->row[0], r->rows, out);
    sg_status st =
        sg_file_reader_read(n->reader, cell_offset(n, n->columns.column, r->row[0]), buffer, run_bytes(n, r));
    if (st == SG_OK) decode_run(n, r, buffer, out);
    return st;
}

/* Reads the runs that are cached and requests the others, then waits for the requested ones. */
static sg_status gather_runs(const sg_npy *n, row_run *r, size_t runs, double *out)
{
    char buffer[BUFFER_BYTES];
    const size_t within = max_run_rows(n);
    double *to = out;
    sg_status st = SG_OK;
    for (size_t i = 0; i < runs; to += r[i++].rows * n->columns.count) {
        if (within && (!r[i].dense || r[i].rows == 1)) read_run_if_cached(n, &r[i], buffer, to);
        else if (!n->header.fortran_order)
            sg_file_reader_prefetch(n->reader, cell_offset(n, n->columns.column, r[i].row[0]), run_bytes(n, &r[i]));
    }
    for (size_t i = 0; st == SG_OK && i < runs; out += r[i++].rows * n->columns.count)
        if (r[i].wait) st = read_run(n, &r[i], buffer, out);
    return st;
}

static sg_status gather_rows(void *self, const size_t *row, size_t rows, double *out)
{
    const sg_npy *n = self;
    sg_status st = SG_OK;
    for (size_t i = 0; i < rows; i++)
        if (row[i] >= n->header.rows) return sg_fail_row(n->path, row[i], n->header.rows);
    const char *all = n->may_load ? sg_file_reader_load(n->reader, &st) : NULL;
    if (st != SG_OK) return st;
    if (all) {
        gather_cells(n, all + cell_offset(n, n->columns.column, 0), row, rows, out);
        return SG_OK;
    }
    st = sg_file_reader_check_unchanged(n->reader);
    for (size_t i = 0, done = 0; st == SG_OK && i < rows; i = done) {
        row_run r[MAX_RUNS];
        size_t runs = 0;
        for (; runs < MAX_RUNS && done < rows; done += r[runs++].rows) r[runs] = next_run(n, row + done, rows - done);
        st = gather_runs(n, r, runs, out + i * n->columns.count);
    }
    return st;
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_npy *n = self;
    bool has_levels = column < n->columns.count && n->columns.column[column].levels;
    return has_levels ? sg_string_table_get(n->columns.column[column].levels, i) : NULL;
}

sg_source sg_npy_source(const sg_npy *n)
{
    return (sg_source){.self = (void *)n,
                       .name = n->path,
                       .rows = n->header.rows,
                       .columns = n->columns.count,
                       .names = n->columns.names,
                       .read = read_rows,
                       .gather = gather_rows,
                       .level = n->columns.text_columns ? level : NULL,
                       .slow_gather = !n->may_load,
                       .resident_bytes = sg_npy_resident_bytes(n)};
}

const char *sg_npy_dropped_column(const sg_npy *n, size_t i)
{
    return i < n->columns.dropped ? n->columns.names[n->columns.count + i] : NULL;
}

size_t sg_npy_allow_load(sg_npy *n, size_t max_bytes)
{
    if (sg_file_reader_size(n->reader) > max_bytes) return 0;
    n->may_load = true;
    sg_file_reader_allow_load(n->reader);
    return sg_npy_resident_bytes(n);
}

size_t sg_npy_resident_bytes(const sg_npy *n) { return n->may_load ? sg_file_reader_size(n->reader) : 0; }

/* --- opening --- */

static sg_status read_header(sg_npy *n)
{
    char fixed[SG_NPY_PREAMBLE_SIZE];
    size_t begin, length;
    bool utf8;
    if (sg_file_reader_size(n->reader) < SG_NPY_PREAMBLE_SIZE)
        return sg_fail(SG_EDATA, "%s: the file is too short for a .npy file", n->path);
    sg_status st = sg_file_reader_read(n->reader, 0, fixed, sizeof fixed);
    if (st == SG_OK) st = sg_npy_preamble_parse(fixed, sizeof fixed, n->path, &begin, &length, &utf8);
    if (st != SG_OK) return st;
    if (length > MAX_HEADER_BYTES || length > sg_file_reader_size(n->reader) - begin)
        return sg_fail(SG_EDATA, "%s: the file is damaged or truncated (header of %zu bytes)", n->path, length);
    char *text = sg_calloc(length, 1);
    st = text ? sg_file_reader_read(n->reader, begin, text, length) : sg_fail_read_memory(n->path);
    if (st == SG_OK) st = sg_npy_header_parse(text, length, utf8, n->path, &n->header);
    n->data_offset = begin + length;
    free(text);
    return st;
}

/* Fails if the file is truncated. In Fortran order, the number of complete rows is unknown. */
static sg_status check_size(const sg_npy *n)
{
    const sg_npy_header *h = &n->header;
    size_t there = sg_file_reader_size(n->reader) - n->data_offset, rows = there / h->row_bytes;
    if (rows >= h->rows) return SG_OK;
    if (h->fortran_order)
        return sg_fail(SG_EDATA, "%s: truncated to %zu of %zu bytes", n->path, there, h->rows * h->row_bytes);
    return sg_fail(SG_EDATA, "%s: truncated to %zu of %zu rows", n->path, rows, h->rows);
}

static bool has_plain_rows(const sg_npy *n)
{
    for (size_t k = 0; k < n->columns.count; k++) {
        const sg_npy_column *c = &n->columns.column[k];
        if (!sg_number_type_is_double(c->type, c->big_endian) ||
            c->offset != n->columns.column->offset + k * sizeof(double))
            return false;
    }
    return !n->header.fortran_order;
}

/* Reads all strings once, so that the levels have codes before the first row is read. */
static sg_status intern_texts(sg_npy *n)
{
    enum { BLOCK = 1 << 20 };
    const sg_npy_header *h = &n->header;
    size_t block_rows = h->row_bytes < BLOCK ? BLOCK / h->row_bytes : 1;
    char *bytes = n->columns.text_columns ? sg_calloc(h->row_bytes, block_rows) : NULL;
    if (!n->columns.text_columns) return SG_OK;
    sg_status st = bytes ? SG_OK : sg_fail_read_memory(n->path);
    for (size_t first = 0, rows; st == SG_OK && first < h->rows; first += rows) {
        rows = h->rows - first < block_rows ? h->rows - first : block_rows;
        st = sg_file_reader_read(n->reader, n->data_offset + first * h->row_bytes, bytes, rows * h->row_bytes);
        if (st == SG_OK) st = sg_npy_levels_add(&n->columns, bytes, first, rows);
    }
    free(bytes);
    return st == SG_OK ? sg_npy_levels_infer_types(&n->columns) : st;
}

sg_status sg_npy_adopt(sg_file_reader *bytes, const sg_read_options *options, sg_npy **out)
{
    sg_npy *n = sg_calloc(1, sizeof *n);
    if (!n) {
        sg_file_reader_close(bytes);
        return sg_fail_out_of_memory("a .npy file");
    }
    n->reader = bytes;
    n->path = sg_file_reader_name(bytes);
    sg_status st = read_header(n);
    if (st == SG_OK) st = check_size(n);
    if (st == SG_OK) st = sg_npy_columns_select(&n->header, n->path, options, &n->columns);
    if (st == SG_OK) st = intern_texts(n);
    n->columns.options = NULL;
    if (st != SG_OK) {
        sg_npy_free(n);
        return st;
    }
    n->plain_doubles = has_plain_rows(n);
    *out = n;
    return SG_OK;
}

sg_status sg_npy_open(const char *path, const sg_read_options *options, sg_npy **out)
{
    sg_file_reader *bytes;
    sg_status st = sg_file_reader_open(path, &bytes);
    return st == SG_OK ? sg_npy_adopt(bytes, options, out) : st;
}
