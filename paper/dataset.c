/* dataset.c: see dataset.h. */
#include "dataset.h"

#include "sha256.h"
#include "words.h"

#include <stdlib.h>
#include <string.h>
#include <unistd.h>

enum { MOST_COLUMNS = 64, MOST_WORDS = 8 };

/* --- as it is --- */

/* Copies a list of words into one of pointers, which *copy owns. */
static size_t split(const char *list, char **copy, const char *word[MOST_COLUMNS])
{
    size_t n = 0;
    *copy = strdup(list);
    for (char *save, *w = *copy ? strtok_r(*copy, " ", &save) : NULL; w && n < MOST_COLUMNS;
         w = strtok_r(NULL, " ", &save))
        word[n++] = w;
    return n;
}

static sg_status missing(const dataset *d, const char *folder)
{
    return fail(SG_EIO,
                "%s/%s is missing. Source: %s. Wanted: a CSV file with a header, %zu rows and the "
                "columns %s%s%s, %s; the last one is the target",
                folder, d->file, d->source, d->rows, d->features, *d->words ? " " : "", d->words, d->target);
}

static size_t left_out(const sg_table *t)
{
    size_t n = 0;
    while (sg_table_dropped_column(t, n)) n++;
    return n;
}

static sg_status open_as_it_is(dataset *d, const char *path)
{
    const char *wanted[MOST_COLUMNS];
    char *copy;
    sg_table *t = NULL;
    size_t n = split(d->features, &copy, wanted);
    if (!copy) return fail(SG_ENOMEM, "out of memory");
    if (n == MOST_COLUMNS) {
        free(copy);
        return fail(SG_EDATA, "%s: datasets.csv names more than %d features", path, MOST_COLUMNS - 1);
    }
    wanted[n] = d->target;
    sg_status st = sg_table_read(path, NULL, wanted, n + 1, &t);
    free(copy);
    if (st != SG_OK) return st;
    if (sg_table_columns(t) != n + 1 || strcmp(sg_table_name(t, n), d->target) != 0)
        st = fail(SG_EDATA, "%s: the target %s is not its last column", path, d->target);
    else if (sg_table_rows(t) != d->rows)
        st = fail(SG_EDATA, "%s: it has %zu rows, not %zu", path, sg_table_rows(t), d->rows);
    if (st != SG_OK) {
        sg_table_free(t);
        return st;
    }
    d->raw_features = n + left_out(t);
    d->table[AS_IT_IS] = t;
    return SG_OK;
}

/* --- changed --- */

static sg_status like(const sg_table *t, size_t extra, const char *const *extra_names, const double *values,
                      size_t rows, sg_table **out)
{
    const char *names[MOST_COLUMNS + MOST_WORDS];
    size_t columns = sg_table_columns(t);
    for (size_t i = 0; i < extra; i++) names[i] = extra_names[i];
    for (size_t i = 0; i < columns; i++) names[extra + i] = sg_table_name(t, i);
    return sg_table_new(names, extra + columns, values, rows, out);
}

typedef struct row_ref {
    const double *row;
    size_t size;
} row_ref;

static int by_bytes_then_place(const void *a, const void *b)
{
    const row_ref *x = a, *y = b;
    int c = memcmp(x->row, y->row, x->size);
    return c ? c : (x->row > y->row) - (x->row < y->row);
}

static int by_place(const void *a, const void *b)
{
    const row_ref *x = a, *y = b;
    return (x->row > y->row) - (x->row < y->row);
}

/* The first of each group of equal rows, in the order of the file. */
static sg_status make_unique(const sg_table *t, sg_table **out)
{
    size_t rows = sg_table_rows(t), columns = sg_table_columns(t), n = 0;
    size_t size = columns * sizeof(double);
    row_ref *ref = calloc(rows, sizeof *ref);
    double *values = calloc(rows, size);
    sg_status st = ref && values ? SG_OK : fail(SG_ENOMEM, "out of memory");
    if (st == SG_OK) {
        for (size_t i = 0; i < rows; i++) ref[i] = (row_ref){sg_table_values(t) + i * columns, size};
        qsort(ref, rows, sizeof *ref, by_bytes_then_place);
        for (size_t i = 0; i < rows; i++)
            if (n == 0 || memcmp(ref[n - 1].row, ref[i].row, size) != 0) ref[n++] = ref[i];
        qsort(ref, n, sizeof *ref, by_place);
        for (size_t i = 0; i < n; i++) memcpy(values + i * columns, ref[i].row, size);
        st = like(t, 0, NULL, values, n, out);
    }
    free(ref);
    free(values);
    return st;
}

/* Which of the words found so far the field is; a new one is appended. */
static size_t word_index(const char **word, size_t *n, const char *field)
{
    size_t i = 0;
    while (i < *n && strcmp(word[i], field) != 0) i++;
    if (i == *n && i < MOST_WORDS) word[(*n)++] = field;
    return i;
}

static sg_status one_hot_rows(const dataset *d, const sheet *s, sg_table **out)
{
    const sg_table *t = d->table[AS_IT_IS];
    const char *word[MOST_WORDS];
    size_t rows = sg_table_rows(t), columns = sg_table_columns(t), n = 0;
    if (s->rows != rows) return fail(SG_EDATA, "%s: it has other rows as words", s->path);
    for (size_t i = 0; i < rows; i++)
        if (word_index(word, &n, sheet_get(s, i, d->words)) == MOST_WORDS)
            return fail(SG_EDATA, "%s: column %s has more than %d words", s->path, d->words, MOST_WORDS);
    double *values = calloc(rows, (n + columns) * sizeof *values);
    if (!values) return fail(SG_ENOMEM, "out of memory");
    for (size_t i = 0; i < rows; i++) {
        double *row = values + i * (n + columns);
        row[word_index(word, &n, sheet_get(s, i, d->words))] = 1;
        memcpy(row + n, sg_table_values(t) + i * columns, columns * sizeof *row);
    }
    sg_status st = like(t, n, word, values, rows, out);
    free(values);
    return st;
}

static sg_status make_one_hot(const dataset *d, const char *path, sg_table **out)
{
    sheet s = {0};
    if (!*d->words) return fail(SG_EDATA, "%s has no column of words", d->name);
    sg_status st = sheet_read(path, &s);
    if (st == SG_OK) st = sheet_expect(&s, d->words);
    if (st == SG_OK) st = one_hot_rows(d, &s, out);
    sheet_free(&s);
    return st;
}

/* --- */

static sg_status open_all(dataset *d, const char *path, const int wanted[VARIANTS])
{
    sg_status st = open_as_it_is(d, path);
    if (st == SG_OK) st = sha256_file(path, d->found);
    if (st == SG_OK && wanted[UNIQUE]) st = make_unique(d->table[AS_IT_IS], &d->table[UNIQUE]);
    if (st == SG_OK && wanted[ONE_HOT]) st = make_one_hot(d, path, &d->table[ONE_HOT]);
    for (size_t v = 0; st != SG_OK && v < VARIANTS; v++) {
        sg_table_free(d->table[v]);
        d->table[v] = NULL;
    }
    return st;
}

sg_status dataset_open(dataset *d, const char *folder, const int wanted[VARIANTS])
{
    text path = {0};
    text_add(&path, "%s/%s", folder, d->file);
    if (path.failed) return fail(SG_ENOMEM, "out of memory");
    sg_status st = access(path.bytes, F_OK) == 0 ? open_all(d, path.bytes, wanted) : missing(d, folder);
    text_free(&path);
    return st;
}
