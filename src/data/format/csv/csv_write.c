/* csv_write.c: see csv_write.h. */
#include "data/format/csv/csv_write.h"

#include "base/text.h"
#include "data/source/source.h"

#include <math.h>
#include <string.h>

typedef struct writer {
    sg_atomic_file *out;
    const sg_source *rows;
    size_t columns;
    sg_text line;
} writer;

/* A name or a word. */
static void put_text(sg_text *line, const char *name)
{
    size_t n = strlen(name);
    bool blanks = name[0] == ' ' || name[n - 1] == ' ';
    if (!blanks && !strpbrk(name, ",;\t\"\r\n")) {
        sg_text_append(line, name);
        return;
    }
    sg_text_append(line, "\"");
    for (; *name; name++) sg_text_append_bytes(line, *name == '"' ? "\"\"" : name, *name == '"' ? 2 : 1);
    sg_text_append(line, "\"");
}

static sg_status end_line(writer *w)
{
    sg_text_append(&w->line, "\n");
    if (w->line.failed) return sg_fail(SG_ENOMEM, "out of memory for a line of text");
    sg_status st = sg_atomic_file_write(w->out, w->line.bytes, w->line.length);
    w->line.length = 0;
    return st;
}

static sg_status put_header(writer *w, const char *const *names)
{
    for (size_t i = 0; i < w->columns; i++) {
        if (i) sg_text_append(&w->line, ",");
        put_text(&w->line, names[i]);
    }
    return end_line(w);
}

static void put_cell(writer *w, size_t column, double value)
{
    const char *word = sg_source_cell_level(w->rows, column, value);
    if (word) put_text(&w->line, word);
    else if (!isnan(value)) sg_text_append_number(&w->line, value);
    else if (w->columns == 1) sg_text_append(&w->line, "\"\""); /* a missing value, no blank line */
}

static sg_status put_rows(void *arg, const double *values, size_t rows)
{
    writer *w = arg;
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < rows; i++, values += w->columns) {
        for (size_t k = 0; k < w->columns; k++) {
            if (k) sg_text_append(&w->line, ",");
            put_cell(w, k, values[k]);
        }
        st = end_line(w);
    }
    return st;
}

sg_status sg_csv_save(const sg_source *rows, const char *path)
{
    writer w = {.rows = rows, .columns = rows->columns};
    sg_status st = sg_atomic_file_open(path, &w.out);
    if (st != SG_OK) return st;
    st = put_header(&w, rows->names);
    if (st == SG_OK) st = sg_source_for_each_block(rows, put_rows, &w);
    sg_text_release(&w.line);
    if (st == SG_OK) return sg_atomic_file_commit(w.out);
    sg_atomic_file_free(w.out);
    return st;
}
