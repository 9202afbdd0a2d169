/* frame.c: columns that lie in somebody else's memory, each with a type and a distance of its own.
 *
 * Doubles that lie side by side, as in a matrix row by row, are copied together: a run. Infinities, which no other
 * source can hold, are refused while rows are read and still in the cache, so that whoever has large arrays need not
 * look through them before. */
#include "base/memory.h"
#include "base/status.h"
#include "data/column_names.h"
#include "data/format/npy/npy_type.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* A column's levels, each once, and which of them each of its numbers is: texts that differ may be the same as they are
 * kept. */
typedef struct level_codes {
    size_t count;
    uint32_t *code; /* (count) */
    sg_string_table levels;
} level_codes;

/* Columns of doubles that lie side by side, or one column of any type. */
typedef struct run {
    size_t first, columns;
    const char *from; /* row 0 */
    sg_npy_column type;
    const level_codes *level_codes; /* or NULL: numbers */
} run;

struct sg_frame {
    size_t rows, columns, runs;
    run *run;
    const char **names;       /* (columns)                               */
    level_codes *level_codes; /* (columns): empty for those of numbers   */
    sg_text name_text;        /* of the names                            */
};

void sg_frame_free(sg_frame *f)
{
    if (!f) return;
    for (size_t i = 0; f->level_codes && i < f->columns; i++) {
        free(f->level_codes[i].code);
        sg_string_table_release(&f->level_codes[i].levels);
    }
    free(f->level_codes);
    free(f->names);
    free(f->run);
    sg_text_release(&f->name_text);
    free(f);
}

/* --- making one --- */

static sg_status no_memory(void) { return sg_fail(SG_ENOMEM, "out of memory for a frame"); }

static bool extends_run(const run *r, const run *next)
{
    return sg_npy_is_double(&r->type) && sg_npy_is_double(&next->type) && !r->level_codes && !next->level_codes &&
           r->type.stride == next->type.stride && next->from == r->from + r->columns * sizeof(double);
}

static sg_status add_level(const sg_column *c, const char *text, level_codes *w)
{
    sg_text plain = {0};
    sg_level_sanitize(&plain, text, strlen(text));
    sg_intern_result added = plain.failed ? SG_INTERN_NO_MEMORY
                                          : sg_string_table_intern(&w->levels, plain.bytes ? plain.bytes : "",
                                                                   plain.length, &w->code[w->count]);
    sg_text_release(&plain);
    if (added == SG_INTERN_NO_MEMORY) return no_memory();
    if (added == SG_INTERN_FULL) return sg_fail(SG_EDATA, "column \"%s\" has too many levels for a category", c->name);
    w->count++;
    return SG_OK;
}

static sg_status add_levels(const sg_column *c, level_codes *w)
{
    size_t n = 0;
    while (c->levels[n]) n++;
    if (!(w->code = sg_calloc(n, sizeof *w->code))) return no_memory();
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++) st = add_level(c, c->levels[i], w);
    return st;
}

static sg_status check_column(const sg_frame *f, const sg_column *c, size_t i, const sg_npy_type *type)
{
    if (!c->name || !sg_column_name_is_valid(c->name))
        return sg_fail(SG_EINVAL, "the name of column %zu is empty or not UTF-8", i + 1);
    if (!type) return sg_fail(SG_EINVAL, "column \"%s\": expected one of the types %s", c->name, sg_npy_type_names());
    return c->values || !f->rows ? SG_OK : sg_fail(SG_EINVAL, "column \"%s\" has no values", c->name);
}

static sg_status add_column(sg_frame *f, const sg_column *c)
{
    size_t i = f->columns++;
    const sg_npy_type *type = c->type ? sg_npy_type_find(c->type, strlen(c->type)) : NULL;
    sg_status st = check_column(f, c, i, type);
    if (st == SG_OK && c->levels) st = add_levels(c, &f->level_codes[i]);
    if (st != SG_OK) return st;
    run now = {.first = i,
               .columns = 1,
               .from = c->values,
               .level_codes = c->levels ? &f->level_codes[i] : NULL,
               .type = {.type = type,
                        .big_endian = __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__,
                        .stride = c->stride,
                        .size = type->size}};
    run *last = f->runs ? &f->run[f->runs - 1] : NULL;
    if (last && extends_run(last, &now)) last->columns++;
    else f->run[f->runs++] = now;
    return SG_OK;
}

/* The text moves while it grows. */
static sg_status copy_names(sg_frame *f, const sg_column *column)
{
    for (size_t i = 0; i < f->columns; i++)
        sg_text_append_bytes(&f->name_text, column[i].name, strlen(column[i].name) + 1);
    if (f->name_text.failed) return no_memory();
    const char *at = f->name_text.bytes;
    for (size_t i = 0; i < f->columns; i++, at += strlen(at) + 1) f->names[i] = at;
    return SG_OK;
}

static sg_status check_names(const sg_frame *f)
{
    sg_named_column *sorted;
    const sg_named_column *twin, *second;
    sg_status st = sg_column_names_sort(f->names, f->columns, &sorted);
    if (st != SG_OK) return st;
    second = sg_column_names_find_duplicate(sorted, f->columns, NULL, &twin);
    if (second)
        st = sg_fail(SG_EINVAL, "columns %zu and %zu are both named \"%s\"", twin->column + 1, second->column + 1,
                     twin->name);
    free(sorted);
    return st;
}

sg_status sg_frame_new(const sg_column *column, size_t columns, size_t rows, sg_frame **out)
{
    size_t cells;
    if (columns == 0) return sg_fail(SG_EINVAL, "a frame needs at least one column");
    if (!sg_checked_mul(rows, columns, &cells))
        return sg_fail(SG_ENOMEM, "%zu rows of %zu columns are too many", rows, columns);
    sg_frame *f = sg_calloc(1, sizeof *f);
    if (!f) return no_memory();
    f->rows = rows;
    f->run = sg_calloc(columns, sizeof *f->run);
    f->names = sg_calloc(columns, sizeof *f->names);
    f->level_codes = sg_calloc(columns, sizeof *f->level_codes);
    sg_status st = f->run && f->names && f->level_codes ? SG_OK : no_memory();
    for (size_t i = 0; st == SG_OK && i < columns; i++) st = add_column(f, &column[i]);
    if (st == SG_OK) st = copy_names(f, column);
    if (st == SG_OK) st = check_names(f);
    if (st == SG_OK) *out = f;
    else sg_frame_free(f);
    return st;
}

/* --- as a source --- */

enum {
    GROUP_COLUMNS = 8,
    PREFETCH_BYTES = 2048
}; /* columns that are copied together; bytes that are called for before they are needed */

/* Columns of rows that lie `step` bytes apart. Returns a sum that is finite if all values are, which costs nothing
 * while they are waited for; that of very large ones need not be. Where `columns` is known to the compiler, a row is a
 * few instructions. */
static inline double copy_columns(const char *from, size_t step, const size_t *row, size_t n, size_t columns,
                                  double *to, size_t pitch)
{
    double sum[GROUP_COLUMNS] = {0}, all = 0;
    for (size_t i = 0; i < n; i++) {
        const char *at = from + (row ? row[i] : i) * step;
        if (!row) __builtin_prefetch(at + PREFETCH_BYTES);
        for (size_t k = 0; k < columns; k++) {
            double x;
            memcpy(&x, at + k * sizeof x, sizeof x);
            to[i * pitch + k] = x;
            sum[k] += x;
        }
    }
    for (size_t k = 0; k < columns; k++) all += sum[k];
    return all;
}

static double copy_fixed(const char *from, size_t step, const size_t *row, size_t n, size_t columns, double *to,
                         size_t pitch)
{
    switch (columns) {
    case 1:
        return copy_columns(from, step, row, n, 1, to, pitch);
    case 2:
        return copy_columns(from, step, row, n, 2, to, pitch);
    case 3:
        return copy_columns(from, step, row, n, 3, to, pitch);
    case 4:
        return copy_columns(from, step, row, n, 4, to, pitch);
    case 5:
        return copy_columns(from, step, row, n, 5, to, pitch);
    case 6:
        return copy_columns(from, step, row, n, 6, to, pitch);
    case 7:
        return copy_columns(from, step, row, n, 7, to, pitch);
    default:
        return copy_columns(from, step, row, n, GROUP_COLUMNS, to, pitch);
    }
}

static double copy_rows(const char *from, size_t step, const size_t *row, size_t n, size_t columns, double *to,
                        size_t pitch)
{
    double sum = 0;
    for (size_t k = 0; k < columns; k += GROUP_COLUMNS)
        sum += copy_fixed(from + k * sizeof *to, step, row, n,
                          columns - k < GROUP_COLUMNS ? columns - k : GROUP_COLUMNS, to + k, pitch);
    return sum;
}

static double sum_column(const double *x, size_t n, size_t pitch)
{
    double sum = 0;
    for (size_t i = 0; i < n; i++) sum += x[i * pitch];
    return sum;
}

static void map_levels(const level_codes *w, size_t n, double *out, size_t pitch)
{
    for (size_t i = 0; i < n; i++) {
        double number = out[i * pitch];
        bool known = number >= 0 && number < (double)w->count && number == floor(number);
        out[i * pitch] = known ? (double)w->code[(size_t)number] : (double)NAN;
    }
}

/* The rows `row`, or, where it is NULL, those from `first` on; the sum as of copy_columns. */
static double copy_run(const run *r, size_t columns, size_t first, const size_t *row, size_t n, double *out)
{
    const char *from = r->from + (row ? 0 : first * r->type.stride);
    if (sg_npy_is_double(&r->type) && !r->level_codes)
        return copy_rows(from, r->type.stride, row, n, r->columns, out + r->first, columns);
    sg_npy_decode(&r->type, from, row, n, out + r->first, columns);
    if (r->level_codes) map_levels(r->level_codes, n, out + r->first, columns);
    return r->level_codes ? 0 : sum_column(out + r->first, n, columns);
}

static double copy_runs(const sg_frame *f, size_t first, const size_t *row, size_t n, double *out)
{
    double sum = 0;
    for (size_t i = 0; i < f->runs; i++) sum += copy_run(&f->run[i], f->columns, first, row, n, out);
    return sum;
}

/* Eight sums, so that it is vector code. */
static double sum_values(const double *x, size_t n)
{
    double sum[8] = {0}, rest = 0;
    size_t i = 0;
    for (; i + 8 <= n; i += 8)
        for (size_t k = 0; k < 8; k++) sum[k] += x[i + k];
    for (; i < n; i++) rest += x[i];
    for (size_t k = 0; k < 8; k++) rest += sum[k];
    return rest;
}

/* A missing value, too, makes a sum that is not finite: only an infinity is an error. */
static sg_status check_finite(const sg_frame *f, double sum, size_t first, const size_t *row, size_t n,
                              const double *out)
{
    size_t i = 0, cells = n * f->columns, r;
    if (isfinite(sum)) return SG_OK;
    while (i < cells && !isinf(out[i])) i++;
    if (i == cells) return SG_OK;
    r = i / f->columns;
    return sg_fail(SG_EDATA, "row %zu, column \"%s\": infinity is not a finite number", 1 + (row ? row[r] : first + r),
                   f->names[i % f->columns]);
}

static sg_status fail_row_range(const sg_frame *f, size_t row)
{
    return sg_fail(SG_EINVAL, "row %zu of a frame that has %zu", row, f->rows);
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_frame *f = self;
    if (first > f->rows || n > f->rows - first) return fail_row_range(f, first + n);
    return check_finite(f, copy_runs(f, first, NULL, n, out), first, NULL, n, out);
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    const sg_frame *f = self;
    for (size_t i = 0; i < n; i++)
        if (rows[i] >= f->rows) return fail_row_range(f, rows[i]);
    for (size_t i = 0; i < f->runs; i++) /* rows lie anywhere: all are on their way before the first is needed */
        for (size_t k = 0; k < n; k++) __builtin_prefetch(f->run[i].from + rows[k] * f->run[i].type.stride);
    return check_finite(f, copy_runs(f, 0, rows, n, out), 0, rows, n, out);
}

/* Where all columns are one run without gaps, which is aligned. */
static sg_status view(void *self, size_t first, size_t n, const double **out)
{
    const sg_frame *f = self;
    if (first > f->rows || n > f->rows - first) return fail_row_range(f, first + n);
    *out = (const double *)(const void *)f->run[0].from + first * f->columns;
    return check_finite(f, sum_values(*out, n * f->columns), first, NULL, n, *out);
}

static bool is_contiguous(const sg_frame *f)
{
    const run *r = f->run;
    return f->runs == 1 && !r->level_codes && sg_npy_is_double(&r->type) &&
           r->type.stride == f->columns * sizeof(double) && (uintptr_t)r->from % _Alignof(double) == 0;
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_frame *f = self;
    return column < f->columns ? sg_string_table_get(&f->level_codes[column].levels, i) : NULL;
}

sg_source sg_frame_source(const sg_frame *f)
{
    return (sg_source){.self = (void *)f,
                       .rows = f->rows,
                       .columns = f->columns,
                       .names = f->names,
                       .read = read_rows,
                       .gather = gather_rows,
                       .level = level,
                       .view = is_contiguous(f) ? view : NULL};
}
