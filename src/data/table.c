/* table.c: a row-major table of doubles, in memory or in a temporary file. */
#include "data/table.h"

#include "base/memory.h"
#include "data/column_names.h"
#include "data/source/source_util.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

struct sg_table {
    size_t rows, columns;
    char *origin;       /* file name, or NULL */
    const char **names; /* (columns + dropped) the names of dropped columns come last */
    size_t dropped;
    char *name_text;           /* storage of the names                              */
    double *values;            /* (rows, columns); NULL if the rows are in the file */
    sg_npy *file;              /* NULL if the rows are in memory                    */
    sg_string_table *levels;   /* (columns), or NULL if no column is categorical    */
    const char *weight_column; /* NULL if there is none                             */
};

static void free_levels(sg_string_table *levels, size_t columns)
{
    for (size_t i = 0; levels && i < columns; i++) sg_string_table_release(&levels[i]);
    free(levels);
}

void sg_table_free(sg_table *t)
{
    if (!t) return;
    free_levels(t->levels, t->columns);
    sg_free_all(t->origin, t->names, t->name_text, t->values);
    sg_npy_free(t->file);
    free(t);
}

size_t sg_table_rows(const sg_table *t) { return t->rows; }
size_t sg_table_columns(const sg_table *t) { return t->columns; }
const double *sg_table_values(const sg_table *t) { return t->values; }

const char *sg_table_name(const sg_table *t, size_t column) { return column < t->columns ? t->names[column] : NULL; }

const char *sg_table_dropped_column(const sg_table *t, size_t i)
{
    return i < t->dropped ? t->names[t->columns + i] : NULL;
}

/* --- creation --- */

/* Copies all names into one allocation, because there may be very many. */
static bool copy_names(sg_table *t, const char *const *names)
{
    size_t length = 0, count = t->columns + t->dropped;
    for (size_t i = 0; i < count; i++) length += strlen(names[i]) + 1;
    t->names = sg_calloc(count, sizeof *t->names);
    t->name_text = sg_calloc(length, 1);
    if (!t->names || !t->name_text) return false;
    char *to = t->name_text;
    for (size_t i = 0; i < count; i++) {
        size_t n = strlen(names[i]) + 1;
        t->names[i] = memcpy(to, names[i], n);
        to += n;
    }
    return true;
}

/* Makes a table from `contents`, in which origin and names are not set yet. Takes ownership of the contents, even on
 * failure. */
static sg_status make_table(const sg_table *contents, const char *origin, const char *const *names, sg_table **out)
{
    sg_table *t = sg_calloc(1, sizeof *t);
    if (t) {
        *t = *contents;
        t->origin = origin ? sg_strdup(origin) : NULL;
        if (copy_names(t, names) && (!origin || t->origin)) {
            *out = t;
            return SG_OK;
        }
        sg_table_free(t);
    } else {
        free_levels(contents->levels, contents->columns);
        free(contents->values);
        sg_npy_free(contents->file);
    }
    return sg_fail_out_of_memory("a table");
}

/* NOLINTNEXTLINE(readability-non-const-parameter): the table takes over the values */
sg_status sg_table_adopt(const char *origin, const char *const *names, size_t columns, size_t dropped, double *values,
                         sg_string_table *levels, size_t rows, sg_table **out)
{
    sg_table t = {.rows = rows, .columns = columns, .dropped = dropped, .values = values, .levels = levels};
    return make_table(&t, origin, names, out);
}

sg_status sg_table_adopt_file(const char *origin, const char *const *names, size_t columns, size_t dropped,
                              sg_npy *file, sg_string_table *levels, sg_table **out)
{
    sg_table t = {
        .rows = sg_npy_source(file).rows, .columns = columns, .dropped = dropped, .file = file, .levels = levels};
    return make_table(&t, origin, names, out);
}

void sg_table_set_weights(sg_table *t, size_t column) { t->weight_column = t->names[column]; }

size_t sg_table_resident_bytes(const sg_table *t)
{
    return t->file ? sg_npy_resident_bytes(t->file) : t->rows * t->columns * sizeof *t->values;
}

static sg_status check_values(const char *const *names, size_t columns, const double *values, size_t rows)
{
    for (size_t i = 0; i < rows * columns; i++) {
        if (!isinf(values[i])) continue; /* NaN is a missing value */
        const char *name = names[i % columns];
        return sg_fail(SG_EDATA, "row %zu, column \"%s\": expected a finite number, got infinity", i / columns + 1,
                       SG_EXCERPT(name));
    }
    return SG_OK;
}

sg_status sg_table_new(const char *const *names, size_t columns, const double *values, size_t rows, sg_table **out)
{
    size_t count;
    if (columns == 0) return sg_fail(SG_EINVAL, "a table needs at least one column");
    if (!sg_checked_mul(rows, columns, &count))
        return sg_fail(SG_ENOMEM, "a table of %zu rows and %zu columns is too large", rows, columns);
    sg_status st = sg_column_names_check(names, columns);
    if (st == SG_OK) st = check_values(names, columns, values, rows);
    if (st != SG_OK) return st;
    double *copy = sg_calloc(count, sizeof *copy);
    if (!copy) return sg_fail(SG_ENOMEM, "out of memory while copying %zu rows", rows);
    if (count) memcpy(copy, values, count * sizeof *copy);
    return sg_table_adopt(NULL, names, columns, 0, copy, NULL, rows, out);
}

/* --- source --- */

static sg_status read_rows(void *self, size_t first, size_t n, double *out)
{
    const sg_table *t = self;
    sg_status st = sg_check_row_range("the table", t->rows, first, n);
    if (st != SG_OK) return st;
    if (n) memcpy(out, t->values + first * t->columns, n * t->columns * sizeof *out);
    return SG_OK;
}

static sg_status gather_rows(void *self, const size_t *rows, size_t n, double *out)
{
    enum { PREFETCH_ROWS = 8 };
    const sg_table *t = self;
    for (size_t i = 0; i < n; i++) {
        if (rows[i] >= t->rows) return sg_fail_row("the table", rows[i], t->rows);
        if (i + PREFETCH_ROWS < n && rows[i + PREFETCH_ROWS] < t->rows)
            __builtin_prefetch(t->values + rows[i + PREFETCH_ROWS] * t->columns);
        sg_copy_row(t->values + rows[i] * t->columns, t->columns, out + i * t->columns);
    }
    return SG_OK;
}

static const char *level(void *self, size_t column, size_t i)
{
    const sg_table *t = self;
    return column < t->columns ? sg_string_table_get(&t->levels[column], i) : NULL;
}

static sg_status read_file(void *self, size_t first, size_t n, double *out)
{
    sg_source s = sg_npy_source(((const sg_table *)self)->file);
    return s.read(s.self, first, n, out);
}

static sg_status gather_file(void *self, const size_t *rows, size_t n, double *out)
{
    sg_source s = sg_npy_source(((const sg_table *)self)->file);
    return s.gather(s.self, rows, n, out);
}

sg_source sg_table_source(const sg_table *t)
{
    return (sg_source){.self = (void *)t,
                       .name = t->origin,
                       .rows = t->rows,
                       .columns = t->columns,
                       .names = t->names,
                       .read = t->file ? read_file : read_rows,
                       .gather = t->file ? gather_file : gather_rows,
                       .level = t->levels ? level : NULL,
                       .slow_gather = t->file ? sg_npy_source(t->file).slow_gather : 0,
                       .weight_column = t->weight_column,
                       .resident_bytes = sg_table_resident_bytes(t)};
}
