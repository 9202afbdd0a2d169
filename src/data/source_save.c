/* source_save.c: writes all rows of a source to a file, in the format that its suffix names. The text formats are
 * implemented here, .npy files in npy_write.c.
 *
 * Numbers are written in the shortest form that reads back as the same double. */
#include "base/status.h"
#include "base/text.h"
#include "data/format/npy/npy_source.h"
#include "data/source/source_util.h"

#include <math.h>
#include <string.h>
#include <strings.h>

typedef struct text_file_writer text_file_writer;

/* The parts in which the text formats differ. */
typedef struct text_format {
    void (*put_header)(text_file_writer *w);
    sg_status (*put_row)(text_file_writer *w, const double *row);
    void (*put_text)(sg_text *t, const char *text); /* appends a name or level, quoted if necessary */
    const char *number_type, *missing;              /* words used in ARFF and KEEL files; NULL for other formats */
} text_format;

struct text_file_writer {
    const text_format *format;
    const sg_source *rows;
    sg_atomic_file *out;
    sg_text text; /* text that is not yet written */
};

static sg_status flush(text_file_writer *w)
{
    if (w->text.failed) return sg_fail_out_of_memory("a line of text");
    sg_status st = sg_atomic_file_write(w->out, w->text.bytes, w->text.length);
    w->text.length = 0;
    return st;
}

static sg_status put_rows(void *arg, const double *values, size_t rows)
{
    text_file_writer *w = arg;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < rows; i++, values += w->rows->columns) {
        st = w->format->put_row(w, values);
        sg_text_append(&w->text, "\n");
        if (st == SG_OK) st = flush(w);
    }
    return st;
}

static sg_status save_text(const sg_source *rows, const char *path, const text_format *format)
{
    text_file_writer w = {.format = format, .rows = rows};
    sg_status st = sg_atomic_file_open(path, &w.out);
    if (st != SG_OK) return st;
    if (format->put_header) {
        format->put_header(&w);
        st = flush(&w);
    }
    if (st == SG_OK) st = sg_source_for_each_block(rows, put_rows, &w);
    sg_text_release(&w.text);
    if (st == SG_OK) return sg_atomic_file_commit(w.out);
    sg_atomic_file_free(w.out);
    return st;
}

/* Appends a row as comma-separated cells, in all formats but LIBSVM. */
static sg_status put_cells(text_file_writer *w, const double *row)
{
    for (size_t k = 0; k < w->rows->columns; k++) {
        const char *level = sg_source_cell_level(w->rows, k, row[k]);
        if (k) sg_text_append(&w->text, ",");
        if (level) w->format->put_text(&w->text, level);
        else if (!isnan(row[k])) sg_text_append_number(&w->text, row[k]);
        else if (w->format->missing) sg_text_append(&w->text, w->format->missing);
        else if (w->rows->columns == 1) sg_text_append(&w->text, "\"\""); /* readers would skip a blank line */
    }
    return SG_OK;
}

/* --- CSV --- */

static void put_csv_text(sg_text *t, const char *text)
{
    bool blanks = text[0] == ' ' || text[strlen(text) - 1] == ' ';
    if (!blanks && !strpbrk(text, ",;\t\"\r\n")) {
        sg_text_append(t, text);
        return;
    }
    sg_text_append(t, "\"");
    for (; *text; text++) sg_text_append_bytes(t, *text == '"' ? "\"\"" : text, *text == '"' ? 2 : 1);
    sg_text_append(t, "\"");
}

static void put_csv_header(text_file_writer *w)
{
    for (size_t i = 0; i < w->rows->columns; i++) {
        if (i) sg_text_append(&w->text, ",");
        put_csv_text(&w->text, w->rows->names[i]);
    }
    sg_text_append(&w->text, "\n");
}

static sg_status save_csv(const sg_source *rows, const char *path)
{
    return save_text(rows, path, &(text_format){put_csv_header, put_cells, put_csv_text, NULL, NULL});
}

sg_status sg_table_save(const sg_table *t, const char *path)
{
    sg_source rows = sg_table_source(t);
    return save_csv(&rows, path);
}

/* --- ARFF and KEEL --- */

static void put_arff_text(sg_text *t, const char *text)
{
    if (*text && !strpbrk(text, " \t,{}[]%'\"\\?") && strcmp(text, "<null>") != 0) {
        sg_text_append(t, text);
        return;
    }
    sg_text_append(t, "'");
    for (; *text; text++) {
        if (*text == '\'' || *text == '\\') sg_text_append(t, "\\");
        sg_text_append_bytes(t, text, 1);
    }
    sg_text_append(t, "'");
}

static void put_attribute(text_file_writer *w, size_t column)
{
    const char *level;
    sg_text_append(&w->text, "@attribute ");
    put_arff_text(&w->text, w->rows->names[column]);
    if (!sg_source_is_categorical(w->rows, column)) {
        sg_text_append_format(&w->text, " %s\n", w->format->number_type);
        return;
    }
    for (size_t i = 0; (level = sg_source_level(w->rows, column, i)); i++) {
        sg_text_append(&w->text, i ? "," : " {");
        put_arff_text(&w->text, level);
    }
    sg_text_append(&w->text, "}\n");
}

static void put_arff_header(text_file_writer *w)
{
    sg_text_append(&w->text, "@relation data\n");
    for (size_t i = 0; i < w->rows->columns; i++) put_attribute(w, i);
    sg_text_append(&w->text, "@data\n");
}

/* Appends the header. The output is the last numeric column, which is the default target in training. */
static void put_keel_header(text_file_writer *w)
{
    size_t output = w->rows->columns - 1, inputs = 0;
    while (output > 0 && sg_source_is_categorical(w->rows, output)) output--;
    sg_text_append(&w->text, "@relation data\n");
    for (size_t i = 0; i < w->rows->columns; i++) put_attribute(w, i);
    for (size_t i = 0; i < w->rows->columns; i++) {
        if (i == output) continue;
        sg_text_append(&w->text, inputs++ ? ", " : "@inputs ");
        put_arff_text(&w->text, w->rows->names[i]);
    }
    sg_text_append(&w->text, inputs ? "\n@outputs " : "@outputs ");
    put_arff_text(&w->text, w->rows->names[output]);
    sg_text_append(&w->text, "\n@data\n");
}

static sg_status save_arff(const sg_source *rows, const char *path)
{
    return save_text(rows, path, &(text_format){put_arff_header, put_cells, put_arff_text, "numeric", "?"});
}

static sg_status save_keel(const sg_source *rows, const char *path)
{
    return save_text(rows, path, &(text_format){put_keel_header, put_cells, put_arff_text, "real", "<null>"});
}

/* --- LIBSVM --- */

static sg_status fail_libsvm(const sg_source *s, size_t column, const char *what)
{
    return sg_fail(SG_EDATA, "%s: column \"%s\" %s, which LIBSVM files can't hold", sg_source_name(s),
                   SG_EXCERPT(s->names[column]), what);
}

/* Appends a row: the last column is the label, and zeros are omitted. */
static sg_status put_libsvm_row(text_file_writer *w, const double *row)
{
    size_t label = w->rows->columns - 1;
    for (size_t k = 0; k <= label; k++)
        if (isnan(row[k])) return fail_libsvm(w->rows, k, "has missing values");
    sg_text_append_number(&w->text, row[label]);
    for (size_t k = 0; k < label; k++) {
        if (row[k] == 0) continue;
        sg_text_append_format(&w->text, " %zu:", k + 1);
        sg_text_append_number(&w->text, row[k]);
    }
    return SG_OK;
}

static sg_status save_libsvm(const sg_source *rows, const char *path)
{
    for (size_t k = 0; k < rows->columns; k++)
        if (sg_source_is_categorical(rows, k)) return fail_libsvm(rows, k, "holds categories");
    return save_text(rows, path, &(text_format){NULL, put_libsvm_row, NULL, NULL, NULL});
}

/* --- by suffix --- */

static const struct {
    const char *suffix;
    sg_status (*save)(const sg_source *rows, const char *path);
    bool listed; /* named in the error message */
} formats[] = {
    {".npy", sg_npy_save, true}, {".arff", save_arff, true},      {".dat", save_keel, true},
    {".svm", save_libsvm, true}, {".libsvm", save_libsvm, false}, {".csv", save_csv, true},
};

enum { FORMATS = sizeof formats / sizeof *formats, CSV = FORMATS - 1 };

/* Returns the index of the format, or FORMATS if the suffix is unknown. */
static size_t find_format(const char *path)
{
    size_t i = 0, n = strlen(path);
    if (strcmp(path, "-") == 0) return CSV;
    for (; i < FORMATS; i++) {
        size_t m = strlen(formats[i].suffix);
        if (n > m && strcasecmp(path + n - m, formats[i].suffix) == 0) break;
    }
    return i;
}

sg_status sg_source_can_save(const char *path)
{
    sg_text known = {0};
    if (find_format(path) < FORMATS) return SG_OK;
    for (size_t i = 0; i < FORMATS; i++)
        if (formats[i].listed) sg_text_append_format(&known, "%s%s", i ? ", " : "", formats[i].suffix);
    sg_status st = sg_fail(SG_EINVAL, "%s: unknown file format; expected a name that ends in one of %s", path,
                           known.failed ? "the known suffixes" : known.bytes);
    sg_text_release(&known);
    return st;
}

sg_status sg_source_save(const sg_source *rows, const char *path)
{
    size_t i = find_format(path);
    return i < FORMATS ? formats[i].save(rows, path) : sg_source_can_save(path);
}
