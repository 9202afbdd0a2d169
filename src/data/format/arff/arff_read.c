/* arff_read.c: reads an ARFF or KEEL file into a table. The header declares the columns; rows go to a table builder. */
#include "data/format/arff/arff.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/format/arff/arff_header.h"
#include "data/ingest/table_builder.h"
#include "data/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE ((size_t)-1)

typedef struct arff_reader {
    const char *file;
    sg_read_options options;
    sg_line_reader *lines;
    sg_arff_header header;
    bool weighted;        /* rows have weights, which are the first column */
    size_t columns;       /* number of columns: the weight, if any, then the attributes with outputs last */
    size_t *attribute_of; /* (columns) the attribute of a column; header.count for the weight */
    size_t *slot; /* (attributes + 1) index of the attribute in the columns to read, or NONE; the weight is last */
    size_t *set;  /* (attributes) number of the last sparse row that sets the attribute */
    sg_table_builder builder;
    sg_line line;      /* the current row ... */
    const char *start; /* ... and its beginning */
    double *row;
    sg_text unescaped;
} arff_reader;

static void release(arff_reader *r)
{
    sg_line_reader_free(r->lines);
    sg_arff_header_release(&r->header);
    sg_free_all(r->attribute_of, r->slot, r->set);
    sg_table_builder_release(&r->builder);
    sg_text_release(&r->unescaped);
}

/* --- columns --- */

/* Orders the columns with outputs last, because the last column is the default target. */
static void order_columns(arff_reader *r)
{
    const sg_arff_header *h = &r->header;
    size_t n = 0;
    if (r->weighted) r->attribute_of[n++] = h->count;
    for (int outputs = 0; outputs < 2; outputs++)
        for (size_t i = 0; i < h->count; i++) {
            sg_arff_role role = h->attribute[i].role;
            bool last = role == SG_ARFF_ROLE_OUTPUT || (role == SG_ARFF_ROLE_NONE && h->has_inputs && !h->has_outputs);
            if (last == (outputs == 1)) r->attribute_of[n++] = i;
        }
}

static sg_column_spec resolve_spec(const sg_arff_header *h, const sg_arff_attribute *a, sg_column_spec asked)
{
    if (asked == SG_SPEC_NUMERIC || (asked == SG_SPEC_CATEGORICAL && a->spec != SG_SPEC_FIXED_LEVELS)) return asked;
    if (asked == SG_SPEC_INFER && h->has_inputs && h->has_outputs && a->role == SG_ARFF_ROLE_NONE)
        return SG_SPEC_UNUSED;
    bool inferred = a->spec == SG_SPEC_INFER || a->spec == SG_SPEC_DATE;
    return asked == SG_SPEC_INFER_KEEP && inferred ? asked : a->spec;
}

/* Applies the declared types, unless the caller requested others. Declared levels are set before any row is read. */
static void apply_specs(arff_reader *r)
{
    sg_column_selection *c = &r->builder.selection;
    for (size_t i = 0; i < c->count; i++)
        if (r->attribute_of[i] == r->header.count) c->spec[i] = SG_SPEC_NUMERIC;
        else c->spec[i] = resolve_spec(&r->header, &r->header.attribute[r->attribute_of[i]], c->spec[i]);
    for (size_t j = 0; j <= r->header.count; j++) r->slot[j] = NONE;
    for (size_t k = 0; k < c->read_count; k++) {
        size_t j = r->attribute_of[c->read_index[k]];
        r->slot[j] = k;
        if (c->spec[c->read_index[k]] != SG_SPEC_FIXED_LEVELS) continue;
        r->builder.column[k].levels = r->header.attribute[j].levels;
        r->builder.column[k].levels.shared_bytes = NULL; /* the header has counted them */
        r->header.attribute[j].levels = (sg_string_table){0};
    }
    c->file_position = r->attribute_of;
}

static sg_status init_builder(arff_reader *r)
{
    const sg_arff_header *h = &r->header;
    r->columns = h->count + r->weighted;
    r->options.read_first_column = r->options.read_weights && r->weighted;
    r->attribute_of = sg_calloc(r->columns, sizeof *r->attribute_of);
    r->slot = sg_calloc(h->count + 1, sizeof *r->slot);
    r->set = sg_calloc(h->count, sizeof *r->set);
    sg_field *names = sg_calloc(r->columns, sizeof *names);
    sg_status st = r->attribute_of && r->slot && r->set && names ? SG_OK : sg_fail_read_memory(r->file);
    if (st == SG_OK) order_columns(r);
    for (size_t i = 0; st == SG_OK && i < r->columns; i++) {
        size_t j = r->attribute_of[i];
        if (j == h->count) names[i] = (sg_field){.text = "weight", .length = 6, .line = r->line.number};
        else
            names[i] = (sg_field){.text = h->names.bytes + h->attribute[j].name,
                                  .length = h->attribute[j].name_length,
                                  .line = h->attribute[j].line};
    }
    if (st == SG_OK) st = sg_table_builder_init(&r->builder, r->file, &r->options, names, r->columns);
    free(names);
    if (st == SG_OK) apply_specs(r);
    return st;
}

/* --- cells --- */

static void set_missing(arff_reader *r, size_t k)
{
    r->row[k] = NAN;
    r->builder.column[k].missing_count++;
}

static void set_level(arff_reader *r, size_t k, uint32_t code)
{
    r->row[k] = sg_nanbox_pack(code);
    r->builder.column[k].non_number_count++;
}

static bool is_missing_token(const sg_arff_token *w)
{
    if (w->quoted) return w->length == 0;
    return w->length == 0 || (w->length == 1 && *w->text == '?') || (w->length == 6 && !memcmp(w->text, "<null>", 6));
}

static sg_status fail_undeclared(const arff_reader *r, size_t j, size_t k, const sg_arff_token *w)
{
    char shown[48], name[64];
    sg_text known = {0};
    const sg_string_table *l = &r->builder.column[k].levels;
    const sg_arff_attribute *a = &r->header.attribute[j];
    for (size_t i = 0; i < l->count && i < 10; i++)
        sg_text_append_format(&known, "%s%s", i ? ", " : "", sg_string_table_get(l, i));
    sg_status st =
        sg_fail(SG_EDATA, "%s:%zu:%zu: \"%s\" is not a value of attribute \"%s\"; expected %s%s", r->file,
                r->line.number, j + 1, sg_quote_excerpt(w->text, w->length, shown, sizeof shown),
                sg_quote_excerpt(r->header.names.bytes + a->name, a->name_length, name, sizeof name),
                known.bytes && !known.failed ? known.bytes : "a declared value", l->count > 10 ? ", ..." : "");
    sg_text_release(&known);
    return st;
}

/* Sets the cell of attribute j. */
static sg_status set_cell(arff_reader *r, size_t j, const sg_arff_token *w)
{
    size_t k = r->slot[j];
    sg_field cell = {.text = w->text, .length = w->length, .line = r->line.number, .quoted = w->quoted};
    uint32_t code;
    if (k == NONE) return SG_OK;
    if (is_missing_token(w)) {
        set_missing(r, k);
        return SG_OK;
    }
    if (sg_table_builder_spec(&r->builder, k) != SG_SPEC_FIXED_LEVELS)
        return sg_number_parse(w->text, w->length, &r->row[k]) == SG_NUMBER_OK
                   ? SG_OK
                   : sg_table_builder_put_text(&r->builder, k, &cell, r->row);
    if (sg_arff_level_find(&r->builder.column[k].levels, w->text, w->length, &code)) set_level(r, k, code);
    else if (sg_cell_classify(&cell, r->options.missing) == SG_CELL_MISSING) set_missing(r, k);
    else return fail_undeclared(r, j, k, w);
    return SG_OK;
}

/* Sets the cell of an attribute that a sparse row omits. */
static void set_omitted_cell(arff_reader *r, size_t j)
{
    size_t k = r->slot[j];
    if (k == NONE) return;
    sg_column_spec spec = sg_table_builder_spec(&r->builder, k);
    if (spec == SG_SPEC_FIXED_LEVELS) set_level(r, k, 0);
    else if (r->header.attribute[j].spec == SG_SPEC_NUMERIC || spec == SG_SPEC_NUMERIC) r->row[k] = 0;
    else set_missing(r, k);
}

/* --- rows --- */

static sg_status fail_expected(const arff_reader *r, const char *what)
{
    return sg_arff_fail_expected(&r->line, r->start, what);
}

/* Parses the optional weight after a row. */
static sg_status read_weight(arff_reader *r)
{
    sg_arff_token w = {.text = "1", .length = 1};
    bool present = sg_arff_accept(&r->line, ',');
    sg_status st = SG_OK;
    if (present && !sg_arff_accept(&r->line, '{'))
        return fail_expected(r, "the end of the row or its weight in braces");
    if (present && !r->weighted) return fail_expected(r, "no weight, because the first row has none");
    if (present) st = sg_arff_next_token(&r->line, "}", &r->unescaped, &w);
    if (st == SG_OK && present && !sg_arff_accept(&r->line, '}')) st = fail_expected(r, "} after the weight");
    if (st == SG_OK && !sg_arff_at_end(&r->line)) st = fail_expected(r, "the end of the row");
    return st == SG_OK && r->weighted ? set_cell(r, r->header.count, &w) : st;
}

static sg_status fail_width(const arff_reader *r, size_t found)
{
    return sg_fail(SG_EDATA, "%s:%zu:%zu: the row has %zu field%s; expected %zu, one for each attribute", r->file,
                   r->line.number, found + 1, found, found == 1 ? "" : "s", r->header.count);
}

/* Values are separated by commas, or by blanks if the row has no comma. */
static sg_status read_dense_row(arff_reader *r)
{
    bool commas = r->header.count == 1 || memchr(r->line.at, ',', (size_t)(r->line.end - r->line.at));
    for (size_t j = 0; j < r->header.count; j++) {
        sg_arff_token w;
        if (j && commas ? !sg_arff_accept(&r->line, ',') : !sg_line_skip_blanks(&r->line)) return fail_width(r, j);
        sg_status st = sg_arff_next_token(&r->line, commas ? "," : " \t", &r->unescaped, &w);
        if (st == SG_OK) st = set_cell(r, j, &w);
        if (st != SG_OK) return st;
    }
    return read_weight(r);
}

static sg_status read_sparse_entry(arff_reader *r)
{
    sg_arff_token index, value;
    double at;
    sg_status st = sg_arff_next_token(&r->line, " \t,}", &r->unescaped, &index);
    if (st != SG_OK) return st;
    if (sg_number_parse(index.text, index.length, &at) != SG_NUMBER_OK || !(at >= 0 && at < (double)r->header.count) ||
        floor(at) != at)
        return fail_expected(r, "the index of an attribute (from 0) and its value");
    size_t j = (size_t)at;
    if (r->set[j] == r->builder.row_count + 1) return fail_expected(r, "each attribute at most once");
    r->set[j] = r->builder.row_count + 1;
    st = sg_arff_next_token(&r->line, ",}", &r->unescaped, &value);
    return st == SG_OK ? set_cell(r, j, &value) : st;
}

static sg_status read_sparse_row(arff_reader *r)
{
    while (!sg_arff_accept(&r->line, '}')) {
        sg_status st = read_sparse_entry(r);
        if (st != SG_OK) return st;
        if (sg_arff_accept(&r->line, ',')) continue;
        if (!sg_arff_accept(&r->line, '}')) return fail_expected(r, "a comma or } after a value");
        break;
    }
    for (size_t j = 0; j < r->header.count; j++)
        if (r->set[j] != r->builder.row_count + 1) set_omitted_cell(r, j);
    return read_weight(r);
}

static sg_status read_row(arff_reader *r)
{
    sg_status st = sg_table_builder_next_row(&r->builder, 0, &r->row);
    if (st == SG_OK) st = sg_arff_accept(&r->line, '{') ? read_sparse_row(r) : read_dense_row(r);
    if (st == SG_OK) sg_table_builder_commit_row(&r->builder, r->row);
    return st;
}

/* Reports whether a row ends with a weight: a number in braces. Braces at the beginning enclose a sparse row. */
static bool has_weight(const sg_line *line)
{
    const char *end = line->end, *open;
    double weight;
    while (end > line->at && (end[-1] == ' ' || end[-1] == '\t')) end--;
    if (end == line->at || end[-1] != '}') return false;
    open = memrchr(line->at, '{', (size_t)(end - line->at));
    if (!open || open == line->at) return false;
    while (open + 1 < end && open[1] == ' ') open++;
    end--;
    while (end > open + 1 && end[-1] == ' ') end--;
    return end > open && sg_number_parse(open + 1, (size_t)(end - open - 1), &weight) == SG_NUMBER_OK;
}

/* Gets the next row. *got is false after the last one. */
static sg_status next_row(arff_reader *r, bool *got)
{
    for (;;) {
        sg_status st = sg_line_reader_next(r->lines, &r->line, got);
        if (st != SG_OK || !*got) return st;
        r->start = r->line.at;
        if (!sg_arff_at_end(&r->line)) return SG_OK;
    }
}

static sg_status read_all(arff_reader *r, sg_byte_reader *in)
{
    bool got;
    sg_status st = sg_line_reader_new(in, r->options.block_bytes, &r->lines);
    if (st == SG_OK) st = sg_arff_header_read(r->lines, r->file, &r->header);
    if (st == SG_OK) st = next_row(r, &got);
    if (st != SG_OK) return st;
    if (!got) return sg_fail(SG_EDATA, "%s: there are no rows after @data", r->file);
    r->weighted = has_weight(&r->line);
    st = init_builder(r);
    while (st == SG_OK && got) {
        st = read_row(r);
        if (st == SG_OK) st = next_row(r, &got);
    }
    return st;
}

/* Sets the weight column of the table. It is not used if the option `weights` names another column. */
static void set_weights(const arff_reader *r, sg_table *t)
{
    size_t k = r->slot[r->header.count];
    if (k == NONE || !sg_table_builder_keeps_column(&r->builder, k)) return;
    sg_table_set_weights(t, 0);
    if (r->options.weights && !*r->options.weights)
        sg_notice(r->options.notify, "%s: column \"weight\" holds the row weights", r->file);
}

sg_status sg_arff_read(sg_byte_reader *in, const sg_read_options *options, sg_table **out)
{
    arff_reader r = {.file = sg_byte_reader_name(in), .options = *options};
    sg_status st = read_all(&r, in);
    if (st == SG_OK) st = sg_table_builder_finish(&r.builder, r.file, out);
    if (st == SG_OK && r.weighted) set_weights(&r, *out);
    release(&r);
    return st;
}

sg_status sg_arff_read_files(const char *const *paths, size_t count, const sg_read_options *options, sg_table **out)
{
    sg_byte_reader *in;
    (void)count;
    sg_status st = sg_byte_reader_open(*paths, &in);
    if (st != SG_OK) return st;
    st = sg_arff_read(in, options, out);
    sg_byte_reader_close(in);
    return st;
}
