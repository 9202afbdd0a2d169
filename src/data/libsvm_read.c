/* libsvm_read.c: see libsvm.h. */
#include "data/libsvm.h"

#include "base/memory.h"
#include "data/csv_records.h"
#include "data/lines.h"
#include "data/store.h"

#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <sys/stat.h>

#define NONE ((size_t)-1)

enum { MOST = SG_CSV_COLUMNS - 1 }; /* features, beside the label */

/* What a pass found. */
typedef struct extent {
    size_t rows, features; /* features: the largest index ... */
    const char *file;      /* ... and where it stands          */
    size_t line;
} extent;

typedef struct reader {
    const sg_csv_how *how;
    extent seen;     /* in this pass so far                      */
    size_t features; /* after the first pass, with those wanted  */
    bool first;      /* it is the first pass                     */
    size_t *slot;    /* (features + 1) which of the columns that are read it is, or NONE; the label last */
    sg_store store;
    const char *path; /* of the file that is read                 */
    sg_line line;
    size_t fields; /* of the line so far                       */
    double *row;
} reader;

/* --- the pieces of a line --- */

static sg_status fault(const reader *r, const char *text, size_t n, const char *what)
{
    char shown[48];
    return sg_fail(SG_EDATA, "%s:%zu:%zu: \"%s\"%s", r->line.file, r->line.number, r->fields,
                   sg_quotable(text, n, shown, sizeof shown), what);
}

/* What is up to the next blank; false: the line is over. */
static bool take_piece(reader *r, sg_field *piece)
{
    sg_line *l = &r->line;
    if (!sg_line_skip(l) || *l->at == '#') return false;
    piece->text = l->at;
    while (l->at < l->end && *l->at != ' ' && *l->at != '\t' && *l->at != '#') l->at++;
    piece->length = (size_t)(l->at - piece->text);
    piece->line = l->number;
    r->fields++;
    return true;
}

/* index:value; the value is left in *piece. */
static sg_status split(const reader *r, sg_field *piece, size_t *index)
{
    const char *colon = memchr(piece->text, ':', piece->length);
    size_t n = colon ? (size_t)(colon - piece->text) : 0, digits = 0;
    *index = 0;
    for (; digits < n && piece->text[digits] >= '0' && piece->text[digits] <= '9' && *index <= MOST; digits++)
        *index = *index * 10 + (size_t)(piece->text[digits] - '0');
    if (!colon || (*index <= MOST && digits < n)) return fault(r, piece->text, piece->length, "; expected index:value");
    if (*index < 1 || *index > MOST) return fault(r, piece->text, n, "; expected an index from 1 to 999999");
    piece->text += n + 1;
    piece->length -= n + 1;
    return SG_OK;
}

/* The sentence is this reader's own, since a value's place in its line is not that of its column. */
static sg_status set_cell(reader *r, size_t k, const sg_field *cell)
{
    char what[96];
    const sg_columns *c = &r->store.columns;
    sg_cell kind = sg_number_parse(cell->text, cell->length, &r->row[k]) == SG_NUMBER_OK
                       ? SG_CELL_NUMBER
                       : sg_cell_kind(cell, r->how->missing);
    if (kind == SG_CELL_NUMBER) return SG_OK;
    if (kind == SG_CELL_MISSING || c->kind[c->reads[k]] != SG_KIND_NUMBERS)
        return sg_store_odd(&r->store, k, cell, r->row);
    snprintf(what, sizeof what, " is %s (column \"%s\")", kind == SG_CELL_RANGE ? "out of range" : "not a number",
             c->names[c->reads[k]]);
    return fault(r, cell->text, cell->length, what);
}

static sg_status take_label(reader *r, const sg_field *piece)
{
    double label;
    if (sg_number_parse(piece->text, piece->length, &label) != SG_NUMBER_OK &&
        sg_cell_kind(piece, r->how->missing) != SG_CELL_MISSING)
        return fault(r, piece->text, piece->length, " is not a number (the label)");
    return !r->first && r->slot[r->features] != NONE ? set_cell(r, r->slot[r->features], piece) : SG_OK;
}

static sg_status changed(const char *file)
{
    return sg_fail(SG_EIO, "%s: the file was changed while it was read", file);
}

/* In the first pass just its index counts. */
static sg_status take_pair(reader *r, sg_field piece, size_t *last)
{
    size_t index;
    const sg_field whole = piece;
    sg_status st = split(r, &piece, &index);
    if (st != SG_OK) return st;
    if (index <= *last) return fault(r, whole.text, whole.length, "; expected indices that rise");
    *last = index;
    if (index > r->seen.features) {
        r->seen.features = index;
        r->seen.file = r->path;
        r->seen.line = r->line.number;
    }
    if (r->first) return SG_OK;
    if (index > r->features) return changed(r->line.file);
    return r->slot[index - 1] != NONE ? set_cell(r, r->slot[index - 1], &piece) : SG_OK;
}

static bool is_query(const sg_field *piece) { return piece->length > 4 && memcmp(piece->text, "qid:", 4) == 0; }

/* --- lines --- */

static sg_status take_line(reader *r)
{
    sg_field piece = {0};
    size_t last = 0;
    r->fields = 0;
    if (!take_piece(r, &piece)) return SG_OK;
    sg_status st = r->first ? SG_OK : sg_store_row(&r->store, 0, &r->row);
    for (size_t k = 0; !r->first && st == SG_OK && k < r->store.columns.read_count; k++) r->row[k] = 0;
    if (st == SG_OK) st = take_label(r, &piece);
    while (st == SG_OK && take_piece(r, &piece))
        if (r->fields != 2 || !is_query(&piece)) st = take_pair(r, piece, &last);
    if (st != SG_OK) return st;
    r->seen.rows++;
    if (!r->first) sg_store_take(&r->store, r->row);
    return SG_OK;
}

static sg_status read_file(reader *r, const char *path)
{
    sg_input *in;
    sg_lines *lines = NULL;
    bool got = true;
    sg_status st = sg_input_open(path, &in);
    if (st != SG_OK) return st;
    r->path = path;
    r->store.columns.file = sg_input_name(in);
    st = sg_lines_new(in, r->how->block ? r->how->block : SG_CSV_BLOCK, &lines);
    while (st == SG_OK && got) {
        st = sg_lines_next(lines, &r->line, &got);
        if (st == SG_OK && got) st = take_line(r);
    }
    sg_lines_free(lines);
    sg_input_close(in);
    return st;
}

static sg_status check_plain(const char *path)
{
    struct stat is;
    if (strcmp(path, "-") != 0 && (stat(path, &is) != 0 || S_ISREG(is.st_mode))) return SG_OK;
    return sg_fail(SG_EIO, "can't read %s: a LIBSVM file is read twice; expected a plain file", path);
}

/* --- columns --- */

/* A file may well end with features that are 0 in all of its rows. */
static void count_wanted(reader *r)
{
    for (size_t i = 0; r->how->wanted && i < r->how->wanted_count; i++) {
        const char *name = r->how->wanted[i];
        size_t n = name[0] == 'f' ? strspn(name + 1, "0123456789") : 0;
        if (n == 0 || n > 6 || name[1 + n] || name[1] == '0') continue;
        size_t index = strtoul(name + 1, NULL, 10);
        if (index > r->features) r->features = index;
    }
}

static sg_status make_names(const reader *r, sg_text *text, sg_field *names)
{
    for (size_t i = 0; i < r->features; i++) {
        sg_text_format(text, "f%zu", i + 1);
        sg_text_bytes(text, "", 1);
    }
    sg_text_add(text, "y");
    if (text->failed) return sg_fail(SG_ENOMEM, "out of memory for %zu columns", r->features);
    const char *at = text->bytes;
    for (size_t i = 0; i <= r->features; i++) {
        names[i] = (sg_field){.text = at, .length = strlen(at), .line = 1};
        at += names[i].length + 1;
    }
    return SG_OK;
}

/* One index too large makes many columns: whether there is room for them is known before the first is kept. */
static sg_status check_room(const reader *r)
{
    const extent *e = &r->seen;
    size_t columns = r->store.columns.read_count, bytes, most = SIZE_MAX;
    bool fits = sg_mul(e->rows, columns * sizeof *r->row, &bytes) && bytes <= PTRDIFF_MAX;
    if (fits && (r->how->beside || (r->how->memory && bytes > r->how->memory / 2)))
        most = sg_spool_room(r->how->beside);
    if (fits && bytes <= most) return SG_OK;
    return sg_fail(SG_EIO, "%s:%zu: no room for %zu rows of %zu columns: the largest index is %zu",
                   e->file ? e->file : r->path, e->line, e->rows, columns, e->features);
}

static sg_status start(reader *r, const char *file)
{
    sg_text text = {0};
    size_t count;
    r->features = r->seen.features;
    count_wanted(r);
    count = r->features + 1;
    if (r->seen.rows == 0) return sg_fail(SG_EDATA, "%s: empty; expected rows", file);
    r->slot = sg_alloc(count, sizeof *r->slot);
    sg_field *names = sg_alloc(count, sizeof *names);
    sg_status st =
        r->slot && names ? make_names(r, &text, names) : sg_fail(SG_ENOMEM, "can't read %s: out of memory", file);
    if (st == SG_OK) st = sg_store_start(&r->store, file, r->how, names, count);
    sg_text_release(&text);
    free(names);
    if (st != SG_OK) return st;
    sg_columns *c = &r->store.columns;
    for (size_t i = 0; i < count; i++) r->slot[i] = NONE;
    for (size_t k = 0; k < c->read_count; k++) {
        r->slot[c->reads[k]] = k;
        if (c->kind[c->reads[k]] != SG_KIND_WORDS) c->kind[c->reads[k]] = SG_KIND_NUMBERS;
    }
    return check_room(r);
}

/* --- files --- */

static sg_status pass(reader *r, const char *const *paths, size_t count, bool first)
{
    sg_status st = SG_OK;
    r->seen = (extent){0};
    r->first = first;
    for (size_t i = 0; st == SG_OK && i < count; i++) st = read_file(r, paths[i]);
    return st;
}

static sg_status read_files(reader *r, const char *const *paths, size_t count, sg_table **out)
{
    sg_status st = SG_OK;
    for (size_t i = 0; st == SG_OK && i < count; i++) st = check_plain(paths[i]);
    if (st == SG_OK) st = pass(r, paths, count, true);
    if (st == SG_OK) st = start(r, *paths);
    if (st != SG_OK) return st;
    const extent before = r->seen;
    st = pass(r, paths, count, false);
    if (st == SG_OK && (r->seen.rows != before.rows || r->seen.features != before.features)) st = changed(r->path);
    return st == SG_OK ? sg_store_finish(&r->store, *paths, out) : st;
}

sg_status sg_libsvm_paths(const char *const *paths, size_t count, const sg_csv_how *how, sg_table **out)
{
    sg_csv_how asked = *how;
    if (!asked.missing) asked.missing = SG_CSV_MISSING;
    reader r = {.how = &asked};
    sg_status st = read_files(&r, paths, count, out);
    free(r.slot);
    sg_store_release(&r.store);
    return st;
}
