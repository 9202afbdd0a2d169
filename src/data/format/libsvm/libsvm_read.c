/* libsvm_read.c: reads LIBSVM files in two passes. The first pass determines the number of columns. */
#include "data/format/libsvm/libsvm_read.h"

#include "base/memory.h"
#include "data/ingest/line_reader.h"
#include "data/ingest/table_builder.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NONE ((size_t)-1)

enum { MAX_FEATURES = SG_COLUMNS_MAX - 1 }; /* the label is also a column */

/* What a pass over the files has found. */
typedef struct extent {
    size_t rows, features; /* features: the largest index ... */
    const char *file;      /* ... which occurs here first */
    size_t line;
} extent;

typedef struct libsvm_reader {
    const sg_read_options *options;
    extent pass;     /* what this pass has found so far */
    size_t features; /* number of features, including wanted ones; known after the first pass */
    bool first;      /* this is the first pass */
    size_t *slot;    /* (features + 1) index of the feature in the columns to read, or NONE; the label is last */
    sg_table_builder builder;
    const char *path; /* path of the current file */
    sg_line line;
    size_t fields; /* number of fields of the line that have been read */
    double *row;
} libsvm_reader;

/* --- tokens --- */

static sg_status fail_field(const libsvm_reader *r, const char *text, size_t n, const char *what)
{
    char shown[48];
    return sg_fail(SG_EDATA, "%s:%zu:%zu: \"%s\"%s", r->line.file, r->line.number, r->fields,
                   sg_quote_excerpt(text, n, shown, sizeof shown), what);
}

/* Gets the next token, which ends at a blank, a tab or '#'. Returns false at the end of the line or at a comment. */
static bool next_token(libsvm_reader *r, sg_field *token)
{
    sg_line *l = &r->line;
    if (!sg_line_skip_blanks(l) || *l->at == '#') return false;
    token->text = l->at;
    while (l->at < l->end && *l->at != ' ' && *l->at != '\t' && *l->at != '#') l->at++;
    token->length = (size_t)(l->at - token->text);
    token->line = l->number;
    r->fields++;
    return true;
}

/* Splits index:value. Sets *index, and removes it and the colon from *token. */
static sg_status split_pair(const libsvm_reader *r, sg_field *token, size_t *index)
{
    const char *colon = memchr(token->text, ':', token->length);
    size_t n = colon ? (size_t)(colon - token->text) : 0, digits = 0;
    *index = 0;
    for (; digits < n && token->text[digits] >= '0' && token->text[digits] <= '9' && *index <= MAX_FEATURES; digits++)
        *index = *index * 10 + (size_t)(token->text[digits] - '0');
    if (!colon || (*index <= MAX_FEATURES && digits < n))
        return fail_field(r, token->text, token->length, " is not of the form index:value");
    if (*index < 1 || *index > MAX_FEATURES)
        return fail_field(r, token->text, n, " is not a valid index; expected 1 to 999999");
    token->text += n + 1;
    token->length -= n + 1;
    return SG_OK;
}

/* Sets cell k of the row. Invalid numbers are reported here, because the builder does not know their field. */
static sg_status set_cell(libsvm_reader *r, size_t k, const sg_field *cell)
{
    char what[96];
    const sg_column_selection *c = &r->builder.selection;
    sg_cell_class class = sg_number_parse(cell->text, cell->length, &r->row[k]) == SG_NUMBER_OK
                              ? SG_CELL_NUMBER
                              : sg_cell_classify(cell, r->options->missing);
    if (class == SG_CELL_NUMBER) return SG_OK;
    if (class == SG_CELL_MISSING || sg_table_builder_spec(&r->builder, k) != SG_SPEC_NUMERIC)
        return sg_table_builder_put_text(&r->builder, k, cell, r->row);
    snprintf(what, sizeof what, " is %s (column \"%s\")",
             class == SG_CELL_OUT_OF_RANGE ? "out of range" : "not a number", c->names[c->read_index[k]]);
    return fail_field(r, cell->text, cell->length, what);
}

static sg_status parse_label(libsvm_reader *r, const sg_field *token)
{
    double label;
    if (sg_number_parse(token->text, token->length, &label) != SG_NUMBER_OK &&
        sg_cell_classify(token, r->options->missing) != SG_CELL_MISSING)
        return fail_field(r, token->text, token->length, " is not a number; expected a numeric label");
    return !r->first && r->slot[r->features] != NONE ? set_cell(r, r->slot[r->features], token) : SG_OK;
}

static sg_status fail_changed(const char *file)
{
    return sg_fail(SG_EIO, "%s: the file was changed while it was read", file);
}

/* Parses index:value. The first pass uses only the index. */
static sg_status parse_pair(libsvm_reader *r, sg_field token, size_t *last)
{
    size_t index;
    const sg_field whole = token;
    sg_status st = split_pair(r, &token, &index);
    if (st != SG_OK) return st;
    if (index <= *last) return fail_field(r, whole.text, whole.length, " is out of order; expected increasing indices");
    *last = index;
    if (index > r->pass.features) {
        r->pass.features = index;
        r->pass.file = r->path;
        r->pass.line = r->line.number;
    }
    if (r->first) return SG_OK;
    if (index > r->features) return fail_changed(r->line.file);
    return r->slot[index - 1] != NONE ? set_cell(r, r->slot[index - 1], &token) : SG_OK;
}

static bool is_query(const sg_field *token) { return token->length > 4 && memcmp(token->text, "qid:", 4) == 0; }

/* --- lines --- */

static sg_status parse_line(libsvm_reader *r)
{
    sg_field token = {0};
    size_t last = 0;
    r->fields = 0;
    if (!next_token(r, &token)) return SG_OK;
    sg_status st = r->first ? SG_OK : sg_table_builder_next_row(&r->builder, 0, &r->row);
    for (size_t k = 0; !r->first && st == SG_OK && k < r->builder.selection.read_count; k++) r->row[k] = 0;
    if (st == SG_OK) st = parse_label(r, &token);
    while (st == SG_OK && next_token(r, &token))
        if (r->fields != 2 || !is_query(&token)) st = parse_pair(r, token, &last);
    if (st != SG_OK) return st;
    r->pass.rows++;
    if (!r->first) sg_table_builder_commit_row(&r->builder, r->row);
    return SG_OK;
}

static sg_status read_file(libsvm_reader *r, const char *path)
{
    sg_byte_reader *in;
    sg_line_reader *lines = NULL;
    bool got = true;
    sg_status st = sg_byte_reader_open(path, &in);
    if (st != SG_OK) return st;
    r->path = path;
    r->builder.selection.file = sg_byte_reader_name(in);
    st = sg_line_reader_new(in, r->options->block_bytes, &lines);
    while (st == SG_OK && got) {
        st = sg_line_reader_next(lines, &r->line, &got);
        if (st == SG_OK && got) st = parse_line(r);
    }
    sg_line_reader_free(lines);
    sg_byte_reader_close(in);
    return st;
}

static sg_status check_regular_file(const char *path)
{
    struct stat is;
    if (strcmp(path, "-") != 0 && (stat(path, &is) != 0 || S_ISREG(is.st_mode))) return SG_OK;
    return sg_fail(SG_EIO, "can't read %s: expected a regular file, because a LIBSVM file is read twice", path);
}

/* --- columns --- */

/* Adds the wanted features that have larger indices than all those in the files: they are 0 in all rows. */
static void extend_to_wanted(libsvm_reader *r)
{
    for (size_t i = 0; r->options->wanted && i < r->options->wanted_count; i++) {
        const char *name = r->options->wanted[i];
        size_t n = name[0] == 'f' ? strspn(name + 1, "0123456789") : 0;
        if (n == 0 || n > 6 || name[1 + n] || name[1] == '0') continue;
        size_t index = strtoul(name + 1, NULL, 10);
        if (index > r->features) r->features = index;
    }
}

static sg_status make_names(const libsvm_reader *r, sg_text *text, sg_field *names)
{
    for (size_t i = 0; i < r->features; i++) {
        sg_text_append_format(text, "f%zu", i + 1);
        sg_text_append_bytes(text, "", 1);
    }
    sg_text_append(text, "y");
    if (text->failed) return sg_fail(SG_ENOMEM, "out of memory while naming %zu columns", r->features);
    const char *at = text->bytes;
    for (size_t i = 0; i <= r->features; i++) {
        names[i] = (sg_field){.text = at, .length = strlen(at), .line = 1};
        at += names[i].length + 1;
    }
    return SG_OK;
}

/* Fails before any row is stored if there is no space for all rows: one wrong index can cause a huge number of
 * columns. */
static sg_status check_disk_space(const libsvm_reader *r)
{
    const extent *e = &r->pass;
    size_t columns = r->builder.selection.read_count, bytes, space = SIZE_MAX;
    bool fits = sg_checked_mul(e->rows, columns * sizeof *r->row, &bytes) && bytes <= PTRDIFF_MAX;
    if (fits && r->options->memory_limit && bytes > r->options->memory_limit / 2) space = sg_spill_disk_free();
    if (fits && bytes <= space) return SG_OK;
    return sg_fail(SG_EIO, "%s:%zu: there is no space for %zu rows of %zu columns; check the largest index, %zu",
                   e->file ? e->file : r->path, e->line, e->rows, columns, e->features);
}

static sg_status init_builder(libsvm_reader *r, const char *file)
{
    sg_text text = {0};
    size_t count;
    r->features = r->pass.features;
    extend_to_wanted(r);
    count = r->features + 1;
    if (r->pass.rows == 0)
        return sg_fail(SG_EDATA, "%s: there are no rows; expected rows of the form label index:value ...", file);
    r->slot = sg_calloc(count, sizeof *r->slot);
    sg_field *names = sg_calloc(count, sizeof *names);
    sg_status st = r->slot && names ? make_names(r, &text, names) : sg_fail_read_memory(file);
    if (st == SG_OK) st = sg_table_builder_init(&r->builder, file, r->options, names, count);
    sg_text_release(&text);
    free(names);
    if (st != SG_OK) return st;
    sg_column_selection *c = &r->builder.selection;
    for (size_t i = 0; i < count; i++) r->slot[i] = NONE;
    for (size_t k = 0; k < c->read_count; k++) {
        r->slot[c->read_index[k]] = k;
        if (c->spec[c->read_index[k]] != SG_SPEC_CATEGORICAL) c->spec[c->read_index[k]] = SG_SPEC_NUMERIC;
    }
    return check_disk_space(r);
}

/* --- files --- */

static sg_status run_pass(libsvm_reader *r, const char *const *paths, size_t count, bool first)
{
    sg_status st = SG_OK;
    r->pass = (extent){0};
    r->first = first;
    for (size_t i = 0; st == SG_OK && i < count; i++) st = read_file(r, paths[i]);
    return st;
}

static sg_status read_files(libsvm_reader *r, const char *const *paths, size_t count, sg_table **out)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < count; i++) st = check_regular_file(paths[i]);
    if (st == SG_OK) st = run_pass(r, paths, count, true);
    if (st == SG_OK) st = init_builder(r, *paths);
    if (st != SG_OK) return st;
    const extent before = r->pass;
    st = run_pass(r, paths, count, false);
    if (st == SG_OK && (r->pass.rows != before.rows || r->pass.features != before.features)) st = fail_changed(r->path);
    return st == SG_OK ? sg_table_builder_finish(&r->builder, *paths, out) : st;
}

sg_status sg_libsvm_read_files(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out)
{
    libsvm_reader r = {.options = options};
    sg_status st = read_files(&r, paths, count, out);
    free(r.slot);
    sg_table_builder_release(&r.builder);
    return st;
}
