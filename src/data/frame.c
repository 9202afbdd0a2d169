/* frame.c: a source that reads columns in the caller's memory; each column has its own type and stride.
 *
 * Adjacent columns of doubles, as in a row-major matrix, are copied together as a run. Infinities are rejected while
 * rows are copied and still in the cache, so that callers need not scan large arrays first. */
#include "base/memory.h"
#include "base/status.h"
#include "data/column_names.h"
#include "data/format/number_type.h"
#include "data/source/source_util.h"
#include "data/string_table.h"

#include <math.h>
#include <stdint.h>
#include <stdlib.h>
#include <string.h>

/* The distinct levels of a column. code[i] is the code of the caller's level i; two of these may have the same text. */
typedef struct level_codes {
    size_t count;
    uint32_t *code; /* (count) */
    sg_string_table levels;
} level_codes;

/* Adjacent columns of doubles, or one column of any type. */
typedef struct column_run {
    size_t first, columns;
    const char *from; /* the first cell of row 0 */
    size_t stride;
    const sg_number_type *type;
    const level_codes *level_codes; /* NULL for a numeric column */
} column_run;

struct sg_frame {
    size_t rows, columns, runs;
    column_run *run;
    const char **names;       /* (columns)                           */
    level_codes *level_codes; /* (columns) empty for numeric columns */
    sg_text name_text;        /* storage of the names                */
};

void sg_frame_free(sg_frame *f)
{
    if (!f) return;
    for (size_t i = 0; f->level_codes && i < f->columns; i++) {
        free(f->level_codes[i].code);
        sg_string_table_release(&f->level_codes[i].levels);
    }
    sg_free_all(f->level_codes, f->names, f->run);
    sg_text_release(&f->name_text);
    free(f);
}

/* --- creation --- */

static bool is_double_run(const column_run *r)
{
    return sg_number_type_is_double(r->type, __BYTE_ORDER__ == __ORDER_BIG_ENDIAN__) && !r->level_codes;
}

static bool extends_run(const column_run *r, const column_run *next)
{
    return is_double_run(r) && is_double_run(next) && r->stride == next->stride &&
           next->from == r->from + r->columns * sizeof(double);
}

static sg_status add_level(const sg_column *c, const char *text, level_codes *w)
{
    sg_text plain = {0};
    sg_level_sanitize(&plain, text, strlen(text));
    sg_intern_result added = plain.failed ? SG_INTERN_NO_MEMORY
                                          : sg_string_table_intern(&w->levels, plain.bytes ? plain.bytes : "",
                                                                   plain.length, &w->code[w->count]);
    sg_text_release(&plain);
    if (added == SG_INTERN_NO_MEMORY) return sg_fail_out_of_memory("a frame");
    if (added == SG_INTERN_FULL)
        return sg_fail(SG_EDATA, "column \"%s\" has too many levels for a categorical column", c->name);
    w->count++;
    return SG_OK;
}

static sg_status add_levels(const sg_column *c, level_codes *w)
{
    size_t n = 0;
    while (c->levels[n]) n++;
    if (!(w->code = sg_calloc(n, sizeof *w->code))) return sg_fail_out_of_memory("a frame");
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < n; i++) st = add_level(c, c->levels[i], w);
    return st;
}

static sg_status check_column(const sg_frame *f, const sg_column *c, size_t i, const sg_number_type *type)
{
    if (!c->name) return sg_fail(SG_EINVAL, "column %zu has no name", i + 1);
    if (!type)
        return sg_fail(SG_EINVAL, "column \"%s\": unknown type; expected one of %s", c->name, sg_number_type_names());
    return c->values || !f->rows ? SG_OK : sg_fail(SG_EINVAL, "column \"%s\" has no values", c->name);
}

static sg_status add_column(sg_frame *f, const sg_column *c)
{
    size_t i = f->columns++;
    const sg_number_type *type = c->type ? sg_number_type_find(c->type, strlen(c->type)) : NULL;
    sg_status st = check_column(f, c, i, type);
    if (st == SG_OK && c->levels) st = add_levels(c, &f->level_codes[i]);
    if (st != SG_OK) return st;
    column_run now = {.first = i,
                      .columns = 1,
                      .from = c->values,
                      .stride = c->stride,
                      .type = type,
                      .level_codes = c->levels ? &f->level_codes[i] : NULL};
    column_run *last = f->runs ? &f->run[f->runs - 1] : NULL;
    if (last && extends_run(last, &now)) last->columns++;
    else f->run[f->runs++] = now;
    return SG_OK;
}

static sg_status copy_names(sg_frame *f, const sg_column *column)
{
    for (size_t i = 0; i < f->columns; i++)
        sg_text_append_bytes(&f->name_text, column[i].name, strlen(column[i].name) + 1);
    if (f->name_text.failed) return sg_fail_out_of_memory("a frame");
    const char *at = f->name_text.bytes;
    for (size_t i = 0; i < f->columns; i++, at += strlen(at) + 1) f->names[i] = at;
    return SG_OK;
}

sg_status sg_frame_new(const sg_column *column, size_t columns, size_t rows, sg_frame **out)
{
    size_t cells;
    if (columns == 0) return sg_fail(SG_EINVAL, "a frame needs at least one column");
    if (!sg_checked_mul(rows, columns, &cells))
        return sg_fail(SG_ENOMEM, "a frame of %zu rows and %zu columns is too large", rows, columns);
    sg_frame *f = sg_calloc(1, sizeof *f);
    if (!f) return sg_fail_out_of_memory("a frame");
    f->rows = rows;
    f->run = sg_calloc(columns, sizeof *f->run);
    f->names = sg_calloc(columns, sizeof *f->names);
    f->level_codes = sg_calloc(columns, sizeof *f->level_codes);
    sg_status st = f->run && f->names && f->level_codes ? SG_OK : sg_fail_out_of_memory("a frame");
    for (size_t i = 0; st == SG_OK && i < columns; i++) st = add_column(f, &column[i]);
    if (st == SG_OK) st = copy_names(f, column);
    if (st == SG_OK) st = sg_column_names_check(f->names, columns);
    if (st == SG_OK) *out = f;
    else sg_frame_free(f);
    return st;
}

/* --- as a source --- */

enum { GROUP_COLUMNS = 8, PREFETCH_BYTES = 2048 };

/* Copies up to GROUP_COLUMNS adjacent doubles of n rows. Returns their sum, which is finite only if all of them are. It
 * costs nothing, because the loop waits for memory. If `columns` is a constant, a row takes a few instructions. */
static inline double copy_columns(const char *from, size_t stride, const size_t *row, size_t n, size_t columns,
                                  double *to, size_t pitch)
{
    double sum[GROUP_COLUMNS] = {0}, all = 0;
    for (size_t i = 0; i < n; i++) {
        const char *at = from + (row ? row[i] : i) * stride;
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

/* clang-format off */
static double copy_group(const char *from, size_t stride, const size_t *row, size_t n, size_t columns, double *to,
                         size_t pitch)
{
#define COPY_COLUMNS(count) case count: return copy_columns(from, stride, row, n, count, to, pitch);
    switch (columns) {
    COPY_COLUMNS(1) COPY_COLUMNS(2) COPY_COLUMNS(3) COPY_COLUMNS(4) COPY_COLUMNS(5) COPY_COLUMNS(6) COPY_COLUMNS(7)
    default: return copy_columns(from, stride, row, n, GROUP_COLUMNS, to, pitch);
    }
#undef COPY_COLUMNS
}
/* clang-format on */

static double copy_rows(const char *from, size_t stride, const size_t *row, size_t n, size_t columns, double *to,
                        size_t pitch)
{
    double sum = 0;
    for (size_t k = 0; k < columns; k += GROUP_COLUMNS)
        sum += copy_group(from + k * sizeof *to, stride, row, n,
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

/* Copies the n rows listed in `row` or, if it is NULL, n rows from `first`. Returns a sum as copy_columns does. */
static double copy_run(const column_run *r, size_t columns, size_t first, const size_t *row, size_t n, double *out)
{
    const char *from = r->from + (row ? 0 : first * r->stride);
    if (is_double_run(r)) return copy_rows(from, r->stride, row, n, r->columns, out + r->first, columns);
    r->type->decode(from, r->stride, row, n, out + r->first, columns);
    if (r->level_codes) map_levels(r->level_codes, n, out + r->first, columns);
    return r->level_codes ? 0 : sum_column(out + r->first, n, columns);
}

static double copy_runs(const sg_frame *f, size_t first, const size_t *row, size_t n, double *out)
{
    double sum = 0;
    for (size_t i = 0; i < f->runs; i++) sum += copy_run(&f->run[i], f->columns, first, row, n, out);
    return sum;
}

/* Computes eight independent sums, so that the loop is vectorised, and adds them up. */
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

/* Fails if a value is infinite. A sum that is not finite may also be due to missing values or overflow. */
static sg_status check_finite(const sg_frame *f, double sum, size_t first, const size_t *row, size_t n,
                              const double *out)
{
    size_t i = 0, cells = n * f->columns, r;
    if (isfinite(sum)) return SG_OK;
    while (i < cells && !isinf(out[i])) i++;
    if (i == cells) return SG_OK;
    r = i / f->columns;
    return sg_fail(SG_EDATA, "row %zu, column \"%s\": expected a finite number, got infinity",
                   1 + (row ? row[r] : first + r), f->names[i % f->columns]);
}

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_frame *f = self;
    sg_status st = sg_check_row_range("the frame", f->rows, first, n);
    if (st != SG_OK) return st;
    return check_finite(f, copy_runs(f, first, NULL, n, out), first, NULL, n, out);
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    const sg_frame *f = self;
    for (size_t i = 0; i < n; i++)
        if (rows[i] >= f->rows) return sg_fail_row("the frame", rows[i], f->rows);
    for (size_t i = 0; i < f->runs; i++) /* rows are scattered: prefetch all before using the first */
        for (size_t k = 0; k < n; k++) __builtin_prefetch(f->run[i].from + rows[k] * f->run[i].stride);
    return check_finite(f, copy_runs(f, 0, rows, n, out), 0, rows, n, out);
}

/* Used only for frames that are one contiguous, aligned matrix. */
static sg_status view_rows(void *self, size_t first, size_t n, const double **out)
{
    const sg_frame *f = self;
    sg_status st = sg_check_row_range("the frame", f->rows, first, n);
    if (st != SG_OK) return st;
    *out = (const double *)(const void *)f->run[0].from + first * f->columns;
    return check_finite(f, sum_values(*out, n * f->columns), first, NULL, n, *out);
}

static bool is_contiguous(const sg_frame *f)
{
    const column_run *r = f->run;
    return f->runs == 1 && is_double_run(r) && r->stride == f->columns * sizeof(double) &&
           (uintptr_t)r->from % _Alignof(double) == 0;
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
                       .view = is_contiguous(f) ? view_rows : NULL};
}
