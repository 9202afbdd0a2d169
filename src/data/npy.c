/* npy.c: the rows of a .npy file, in place.
 *
 * Neighbouring rows are read by pread: into the caller's memory where the file has doubles as the machine has
 * them, else through a small buffer. Rows that lie anywhere, as a batch asks for them, come from memory where
 * the whole file may be kept there. From a larger file those that follow each other at short distances are read at
 * once, with what lies between them, the others row by row, without waiting for one before the next is asked for. */
#include "data/npy.h"

#include "base/memory.h"
#include "data/bytes.h"
#include "data/npy_columns.h"
#include "data/npy_text.h"

#include <stdlib.h>
#include <string.h>

/* NEAR: so many bytes are read in the time that asking for them takes. */
enum { LONGEST_HEADER = 1 << 26, BUFFER = 1 << 16, NEAR = 1 << 13 };
_Static_assert((int)BUFFER >= (int)SG_NPY_TEXT, "a cell must fit");

struct sg_npy {
    sg_bytes *bytes;
    const char *file; /* the path */
    size_t data;      /* where the numbers begin */
    bool plain;       /* a row's cells are doubles of this machine, side by side, in the order of columns */
    bool kept;        /* its rows may stay in memory */
    sg_npy_header header;
    sg_npy_columns columns;
};

void sg_npy_free(sg_npy *n)
{
    if (!n) return;
    sg_npy_header_release(&n->header);
    sg_npy_columns_release(&n->columns);
    sg_bytes_close(n->bytes);
    free(n);
}

/* --- neighbouring rows --- */

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

static size_t place(const sg_npy *n, const sg_npy_column *c, size_t row) { return n->data + c->start + row * c->step; }

/* So many rows that a column of them, or better all columns, fit into the buffer. */
static size_t rows_at_once(const sg_npy *n, size_t most)
{
    size_t to = n->header.fortran ? 1 : n->columns.count, one = span(n, 0, to, 1);
    size_t rows = one <= BUFFER ? 1 + (BUFFER - one) / n->columns.column->step : 1;
    return rows < most ? rows : most;
}

/* Columns from..to of rows whose bytes, from the first column's on, are in the buffer. */
static void take(const sg_npy *n, size_t from, size_t to, size_t rows, const char *buffer, double *out)
{
    for (size_t k = from; k < to; k++) {
        const sg_npy_column *c = &n->columns.column[k];
        sg_npy_take(c, buffer + (c->start - n->columns.column[from].start), NULL, rows, out + k, n->columns.count);
    }
}

static sg_status read_block(const sg_npy *n, size_t first, size_t rows, double *out)
{
    char buffer[BUFFER];
    for (size_t from = 0, to; from < n->columns.count; from = to) {
        for (to = from + 1; to < n->columns.count && span(n, from, to + 1, rows) <= BUFFER;) to++;
        sg_status st =
            sg_bytes_read(n->bytes, place(n, &n->columns.column[from], first), buffer, span(n, from, to, rows));
        if (st != SG_OK) return st;
        take(n, from, to, rows, buffer, out);
    }
    return SG_OK;
}

/* Whether all cells of the file, in its order, are what is asked for. */
static bool is_whole(const sg_npy *n)
{
    return n->plain && n->columns.column->step == n->columns.count * sizeof(double);
}

static void take_kept(const sg_npy *n, const char *all, size_t first, size_t rows, double *out)
{
    if (rows && is_whole(n)) {
        memcpy(out, all + place(n, n->columns.column, first), rows * n->columns.count * sizeof *out);
        return;
    }
    for (size_t k = 0; k < n->columns.count; k++) {
        const sg_npy_column *c = &n->columns.column[k];
        sg_npy_take(c, all + place(n, c, first), NULL, rows, out + k, n->columns.count);
    }
}

static sg_status read_pieces(const sg_npy *n, size_t first, size_t rows, double *out)
{
    sg_status st = SG_OK;
    if (is_whole(n))
        return sg_bytes_read(n->bytes, place(n, n->columns.column, first), out, rows * n->columns.count * sizeof *out);
    for (size_t done = 0, some; st == SG_OK && done < rows; done += some) {
        some = rows_at_once(n, rows - done);
        st = read_block(n, first + done, some, out + done * n->columns.count);
    }
    return st;
}

static sg_status read_rows(void *self, size_t first, size_t rows, double *out)
{
    const sg_npy *n = self;
    if (first > n->header.rows || rows > n->header.rows - first) return beyond(n, first + rows);
    const char *all = sg_bytes_kept(n->bytes);
    if (all) {
        take_kept(n, all, first, rows, out);
        return SG_OK;
    }
    sg_status st = sg_bytes_check(n->bytes);
    return st == SG_OK ? read_pieces(n, first, rows, out) : st;
}

/* --- rows anywhere --- */

static void gather_plain(const sg_npy *n, const char *from, const size_t *row, size_t rows, double *out)
{
    enum { AHEAD = 8 };
    const size_t count = n->columns.count, step = n->columns.column->step;
    for (size_t i = 0; i < rows; i++, out += count) {
        const char *cell = from + row[i] * step;
        size_t k = 0;
        if (i + AHEAD < rows) __builtin_prefetch(from + row[i + AHEAD] * step);
        for (; k + 4 <= count; k += 4) memcpy(out + k, cell + k * sizeof *out, 4 * sizeof *out);
        for (; k < count; k++) memcpy(out + k, cell + k * sizeof *out, sizeof *out);
    }
}

/* Rows in memory, where the first column of row 0 is at `from`. */
static void gather_cells(const sg_npy *n, const char *from, const size_t *row, size_t rows, double *out)
{
    if (n->plain) {
        gather_plain(n, from, row, rows, out);
        return;
    }
    for (size_t k = 0; k < n->columns.count; k++) {
        const sg_npy_column *c = &n->columns.column[k];
        sg_npy_take(c, from + (c->start - n->columns.column->start), row, rows, out + k, n->columns.count);
    }
}

/* Rows that are read together. */
typedef struct run {
    const size_t *row; /* (rows), ascending */
    size_t rows;
    bool dense; /* they follow each other without a gap */
    bool wait;  /* for the disk */
} run;

enum { RUNS = 64, MOST_NEAR = 512 };

/* Rows, from the first of some on, that lie in the buffer together; 0: a row is not in one piece, or too long. */
static size_t reach(const sg_npy *n)
{
    size_t one = span(n, 0, n->columns.count, 1);
    return n->header.fortran || one > BUFFER ? 0 : 1 + (BUFFER - one) / n->columns.column->step;
}

static run cut_run(const sg_npy *n, const size_t *row, size_t rows)
{
    const size_t within = reach(n), gap = NEAR / n->columns.column->step;
    size_t dense = 1;
    while (dense < rows && row[dense] == row[0] + dense) dense++;
    size_t near = dense, most = rows < MOST_NEAR ? rows : MOST_NEAR;
    while (near < most && row[near] >= row[near - 1] && row[near] - row[near - 1] <= gap && row[near] - row[0] < within)
        near++;
    return (run){.row = row, .rows = near, .dense = near == dense, .wait = true};
}

static size_t bytes_of_run(const sg_npy *n, const run *r)
{
    return span(n, 0, n->columns.count, r->row[r->rows - 1] - r->row[0] + 1);
}

/* What a buffer holds of a run. */
static void take_run(const sg_npy *n, const run *r, const char *buffer, double *out)
{
    size_t within[MOST_NEAR];
    for (size_t i = 0; i < r->rows; i++) within[i] = r->row[i] - r->row[0];
    gather_cells(n, buffer, within, r->rows, out);
}

/* A run that fits into the buffer; what is not at hand is asked for, and r->wait says so. */
static void try_run(const sg_npy *n, run *r, char *buffer, double *out)
{
    bool in_place = n->plain && r->rows == 1;
    r->wait = !sg_bytes_try(n->bytes, place(n, n->columns.column, r->row[0]), in_place ? (char *)out : buffer,
                            bytes_of_run(n, r));
    if (!r->wait && !in_place) take_run(n, r, buffer, out);
}

static sg_status read_run(const sg_npy *n, const run *r, char *buffer, double *out)
{
    if (r->dense) return read_pieces(n, r->row[0], r->rows, out);
    sg_status st = sg_bytes_read(n->bytes, place(n, n->columns.column, r->row[0]), buffer, bytes_of_run(n, r));
    if (st == SG_OK) take_run(n, r, buffer, out);
    return st;
}

/* First what is at hand; the disk is asked for the rest; then it is waited for. */
static sg_status gather_runs(const sg_npy *n, run *r, size_t runs, double *out)
{
    char buffer[BUFFER];
    const size_t within = reach(n);
    double *to = out;
    sg_status st = SG_OK;
    for (size_t i = 0; i < runs; to += r[i++].rows * n->columns.count) {
        if (within && (!r[i].dense || r[i].rows == 1)) try_run(n, &r[i], buffer, to);
        else if (!n->header.fortran)
            sg_bytes_want(n->bytes, place(n, n->columns.column, r[i].row[0]), bytes_of_run(n, &r[i]));
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
        if (row[i] >= n->header.rows) return beyond(n, row[i]);
    const char *all = n->kept ? sg_bytes_all(n->bytes, &st) : NULL;
    if (st != SG_OK) return st;
    if (all) {
        gather_cells(n, all + place(n, n->columns.column, 0), row, rows, out);
        return SG_OK;
    }
    st = sg_bytes_check(n->bytes);
    for (size_t i = 0, done = 0; st == SG_OK && i < rows; i = done) {
        run r[RUNS];
        size_t runs = 0;
        for (; runs < RUNS && done < rows; done += r[runs++].rows) r[runs] = cut_run(n, row + done, rows - done);
        st = gather_runs(n, r, runs, out + i * n->columns.count);
    }
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
    return (sg_source){.self = (void *)n,
                       .name = n->file,
                       .rows = n->header.rows,
                       .columns = n->columns.count,
                       .names = n->columns.names,
                       .read = read_rows,
                       .gather = gather_rows,
                       .level = n->columns.texts ? level : NULL,
                       .slow = !n->kept,
                       .held = sg_npy_kept(n)};
}

const char *sg_npy_left_out(const sg_npy *n, size_t i)
{
    return i < n->columns.left_out ? n->columns.names[n->columns.count + i] : NULL;
}

size_t sg_npy_keep(sg_npy *n, size_t most)
{
    if (sg_bytes_size(n->bytes) > most) return 0;
    n->kept = true;
    sg_bytes_may_keep(n->bytes);
    return sg_npy_kept(n);
}

size_t sg_npy_kept(const sg_npy *n) { return n->kept ? sg_bytes_size(n->bytes) : 0; }

sg_bytes *sg_npy_bytes(const sg_npy *n) { return n->bytes; }

/* --- opening --- */

static sg_status read_header(sg_npy *n)
{
    char fixed[SG_NPY_FIXED];
    size_t begin, length;
    bool utf8;
    if (sg_bytes_size(n->bytes) < SG_NPY_FIXED) return sg_fail(SG_EDATA, "%s: too short for a .npy file", n->file);
    sg_status st = sg_bytes_read(n->bytes, 0, fixed, sizeof fixed);
    if (st == SG_OK) st = sg_npy_preamble(fixed, sizeof fixed, n->file, &begin, &length, &utf8);
    if (st != SG_OK) return st;
    if (length > LONGEST_HEADER || length > sg_bytes_size(n->bytes) - begin)
        return sg_fail(SG_EDATA, "%s: damaged, or cut off: a header of %zu bytes", n->file, length);
    char *text = sg_alloc(length, 1);
    st = text ? sg_bytes_read(n->bytes, begin, text, length)
              : sg_fail(SG_ENOMEM, "can't read %s: out of memory", n->file);
    if (st == SG_OK) st = sg_npy_header_parse(text, length, utf8, n->file, &n->header);
    n->data = begin + length;
    free(text);
    return st;
}

/* In Fortran order nothing tells where a file was cut off. */
static sg_status check_size(const sg_npy *n)
{
    const sg_npy_header *h = &n->header;
    size_t there = sg_bytes_size(n->bytes) - n->data, rows = there / h->row_bytes;
    if (rows >= h->rows) return SG_OK;
    if (h->fortran)
        return sg_fail(SG_EDATA, "%s: cut off: %zu bytes of %zu are there", n->file, there, h->rows * h->row_bytes);
    return sg_fail(SG_EDATA, "%s: cut off: %zu rows of %zu are there", n->file, rows, h->rows);
}

static bool is_plain(const sg_npy *n)
{
    for (size_t k = 0; k < n->columns.count; k++) {
        const sg_npy_column *c = &n->columns.column[k];
        if (!sg_npy_is_double(c) || c->start != n->columns.column->start + k * sizeof(double)) return false;
    }
    return !n->header.fortran;
}

/* All texts, so that their words have codes before the first row is read. */
static sg_status read_texts(sg_npy *n)
{
    enum { BLOCK = 1 << 20 };
    const sg_npy_header *h = &n->header;
    size_t most = h->row_bytes < BLOCK ? BLOCK / h->row_bytes : 1;
    char *bytes = n->columns.texts ? sg_alloc(h->row_bytes, most) : NULL;
    if (!n->columns.texts) return SG_OK;
    sg_status st = bytes ? SG_OK : sg_fail(SG_ENOMEM, "can't read %s: out of memory", n->file);
    for (size_t first = 0, rows; st == SG_OK && first < h->rows; first += rows) {
        rows = h->rows - first < most ? h->rows - first : most;
        st = sg_bytes_read(n->bytes, n->data + first * h->row_bytes, bytes, rows * h->row_bytes);
        if (st == SG_OK) st = sg_npy_words_add(&n->columns, bytes, first, rows);
    }
    free(bytes);
    return st == SG_OK ? sg_npy_words_judge(&n->columns) : st;
}

sg_status sg_npy_adopt(sg_bytes *bytes, const sg_csv_how *how, sg_npy **out)
{
    sg_npy *n = sg_alloc(1, sizeof *n);
    if (!n) {
        sg_bytes_close(bytes);
        return sg_fail(SG_ENOMEM, "out of memory for a .npy file");
    }
    sg_csv_how asked = *how;
    if (!asked.missing) asked.missing = SG_CSV_MISSING;
    n->bytes = bytes;
    n->file = sg_bytes_name(bytes);
    sg_status st = read_header(n);
    if (st == SG_OK) st = check_size(n);
    if (st == SG_OK) st = sg_npy_columns_choose(&n->header, n->file, &asked, &n->columns);
    if (st == SG_OK) st = read_texts(n);
    n->columns.how = NULL;
    if (st != SG_OK) {
        sg_npy_free(n);
        return st;
    }
    n->plain = is_plain(n);
    *out = n;
    return SG_OK;
}

sg_status sg_npy_open(const char *path, const sg_csv_how *how, sg_npy **out)
{
    sg_bytes *bytes;
    sg_status st = sg_bytes_open(path, &bytes);
    return st == SG_OK ? sg_npy_adopt(bytes, how, out) : st;
}
