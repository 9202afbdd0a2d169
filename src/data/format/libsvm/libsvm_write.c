/* libsvm_write.c: rows as a LIBSVM file. See libsvm.h. */
#include "data/format/libsvm/libsvm.h"

#include "base/text.h"
#include "data/source/source.h"

#include <math.h>
#include <string.h>

typedef struct writer {
    sg_atomic_file *out;
    const sg_source *rows;
    sg_text line;
} writer;

static sg_status fail_unsupported(const sg_source *s, size_t column, const char *what)
{
    char shown[64];
    return sg_fail(SG_EDATA, "%s: column \"%s\" %s, which LIBSVM files can't hold", sg_source_name(s),
                   sg_quote_excerpt(s->names[column], strlen(s->names[column]), shown, sizeof shown), what);
}

static sg_status put_row(writer *w, const double *row)
{
    size_t label = w->rows->columns - 1;
    w->line.length = 0;
    for (size_t k = 0; k <= label; k++)
        if (isnan(row[k])) return fail_unsupported(w->rows, k, "has missing values");
    sg_text_append_number(&w->line, row[label]);
    for (size_t k = 0; k < label; k++) {
        if (row[k] == 0) continue;
        sg_text_append_format(&w->line, " %zu:", k + 1);
        sg_text_append_number(&w->line, row[k]);
    }
    sg_text_append(&w->line, "\n");
    if (w->line.failed) return sg_fail(SG_ENOMEM, "out of memory for a line of text");
    return sg_atomic_file_write(w->out, w->line.bytes, w->line.length);
}

static sg_status put_rows(void *arg, const double *values, size_t rows)
{
    writer *w = arg;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < rows; i++) st = put_row(w, values + i * w->rows->columns);
    return st;
}

sg_status sg_libsvm_save(const sg_source *rows, const char *path)
{
    writer w = {.rows = rows};
    for (size_t k = 0; k < rows->columns; k++)
        if (sg_source_is_categorical(rows, k)) return fail_unsupported(rows, k, "holds categories");
    sg_status st = sg_atomic_file_open(path, &w.out);
    if (st != SG_OK) return st;
    st = sg_source_for_each_block(rows, put_rows, &w);
    sg_text_release(&w.line);
    if (st == SG_OK) return sg_atomic_file_commit(w.out);
    sg_atomic_file_free(w.out);
    return st;
}
