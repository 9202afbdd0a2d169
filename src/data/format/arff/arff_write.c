/* arff_write.c: rows as an ARFF file, or one for KEEL. See arff.h. */
#include "data/format/arff/arff.h"

#include "base/text.h"
#include "data/source/source.h"

#include <math.h>
#include <string.h>

/* What the two differ in. */
typedef struct dialect {
    const char *number, *missing;
    bool roles; /* lines @inputs and @outputs */
} dialect;

typedef struct writer {
    sg_atomic_file *out;
    const sg_source *rows;
    const dialect *as;
    sg_text text;
} writer;

/* A name or a value, in quotes where it could be taken for something else. */
static void put_quoted(sg_text *t, const char *word)
{
    if (*word && !strpbrk(word, " \t,{}[]%'\"\\?") && strcmp(word, "<null>") != 0) {
        sg_text_append(t, word);
        return;
    }
    sg_text_append(t, "'");
    for (; *word; word++) {
        if (*word == '\'' || *word == '\\') sg_text_append(t, "\\");
        sg_text_append_bytes(t, word, 1);
    }
    sg_text_append(t, "'");
}

static void put_attribute(writer *w, size_t column)
{
    const sg_source *s = w->rows;
    const char *level;
    sg_text_append(&w->text, "@attribute ");
    put_quoted(&w->text, s->names[column]);
    if (!sg_source_is_categorical(s, column)) sg_text_append_format(&w->text, " %s", w->as->number);
    for (size_t i = 0; s->level && (level = s->level(s->self, column, i)); i++) {
        sg_text_append(&w->text, i ? "," : " {");
        put_quoted(&w->text, level);
    }
    sg_text_append(&w->text, sg_source_is_categorical(s, column) ? "}\n" : "\n");
}

/* The last column of numbers is what a training would predict. */
static size_t target_column(const sg_source *s)
{
    size_t i = s->columns - 1;
    while (i > 0 && sg_source_is_categorical(s, i)) i--;
    return i;
}

static void put_roles(writer *w)
{
    size_t output = target_column(w->rows), inputs = 0;
    for (size_t i = 0; i < w->rows->columns; i++) {
        if (i == output) continue;
        sg_text_append(&w->text, inputs++ ? ", " : "@inputs ");
        put_quoted(&w->text, w->rows->names[i]);
    }
    sg_text_append(&w->text, inputs ? "\n@outputs " : "@outputs ");
    put_quoted(&w->text, w->rows->names[output]);
    sg_text_append(&w->text, "\n");
}

static sg_status flush(writer *w)
{
    if (w->text.failed) return sg_fail(SG_ENOMEM, "out of memory for a line of text");
    sg_status st = sg_atomic_file_write(w->out, w->text.bytes, w->text.length);
    w->text.length = 0;
    return st;
}

static sg_status put_header(writer *w)
{
    sg_text_append(&w->text, "@relation data\n");
    for (size_t i = 0; i < w->rows->columns; i++) put_attribute(w, i);
    if (w->as->roles) put_roles(w);
    sg_text_append(&w->text, "@data\n");
    return flush(w);
}

static void put_cell(writer *w, size_t column, double value)
{
    const char *word = sg_source_cell_level(w->rows, column, value);
    if (word) put_quoted(&w->text, word);
    else if (isnan(value)) sg_text_append(&w->text, w->as->missing);
    else sg_text_append_number(&w->text, value);
}

static sg_status put_rows(void *arg, const double *values, size_t rows)
{
    writer *w = arg;
    sg_status st = SG_OK;
    size_t columns = w->rows->columns;
    for (size_t i = 0; st == SG_OK && i < rows; i++, values += columns) {
        for (size_t k = 0; k < columns; k++) {
            if (k) sg_text_append(&w->text, ",");
            put_cell(w, k, values[k]);
        }
        sg_text_append(&w->text, "\n");
        st = flush(w);
    }
    return st;
}

static sg_status save(const sg_source *rows, const char *path, const dialect *as)
{
    writer w = {.rows = rows, .as = as};
    sg_status st = sg_atomic_file_open(path, &w.out);
    if (st != SG_OK) return st;
    st = put_header(&w);
    if (st == SG_OK) st = sg_source_for_each_block(rows, put_rows, &w);
    sg_text_release(&w.text);
    if (st == SG_OK) return sg_atomic_file_commit(w.out);
    sg_atomic_file_free(w.out);
    return st;
}

sg_status sg_arff_save(const sg_source *rows, const char *path)
{
    return save(rows, path, &(dialect){.number = "numeric", .missing = "?"});
}

sg_status sg_keel_save(const sg_source *rows, const char *path)
{
    return save(rows, path, &(dialect){.number = "real", .missing = "<null>", .roles = true});
}
