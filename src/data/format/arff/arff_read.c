/* arff_read.c: an ARFF or KEEL file to a table. Its header says what the columns are; rows go to the store like
 * those of a CSV file. See arff.h. */
#include "data/format/arff/arff.h"

#include "base/memory.h"
#include "base/options.h"
#include "data/format/arff/arff_header.h"
#include "data/format/csv/csv_record_reader.h"
#include "data/ingest/table_builder.h"
#include "data/table.h"

#include <math.h>
#include <stdlib.h>
#include <string.h>

#define NONE ((size_t)-1)

typedef struct reader {
    const char *file;
    sg_read_options options;
    sg_line_reader *lines;
    sg_arff_header header;
    bool weighted;  /* rows have weights: the first column of the store                  */
    size_t columns; /* of the store: the attributes, inputs first, behind the weight     */
    size_t *place;  /* (columns) where a column stands in a row of the file              */
    size_t *slot;   /* (attributes + 1) which of those that are read it is, or NONE; last the weight */
    size_t *set;    /* (attributes) the last sparse row that had it, from 1              */
    sg_table_builder store;
    sg_line line;      /* a row ...                                                         */
    const char *start; /* ... and where it begins                                          */
    double *row;
    sg_text plain;
} reader;

static void release(reader *r)
{
    sg_line_reader_free(r->lines);
    sg_arff_header_release(&r->header);
    free(r->place);
    free(r->slot);
    free(r->set);
    sg_table_builder_release(&r->store);
    sg_text_release(&r->plain);
}

static sg_status no_memory(const reader *r) { return sg_fail(SG_ENOMEM, "can't read %s: out of memory", r->file); }

/* --- columns --- */

/* Attributes in the order in which their columns stand: outputs last, so that the default target is one. */
static void order_columns(reader *r)
{
    const sg_arff_header *h = &r->header;
    size_t n = 0;
    if (r->weighted) r->place[n++] = h->count;
    for (int outputs = 0; outputs < 2; outputs++)
        for (size_t i = 0; i < h->count; i++) {
            sg_arff_role role = h->attribute[i].role;
            bool last = role == SG_ARFF_ROLE_OUTPUT || (role == SG_ARFF_ROLE_NONE && h->has_inputs && !h->has_outputs);
            if (last == (outputs == 1)) r->place[n++] = i;
        }
}

static sg_column_spec resolve_spec(const sg_arff_header *h, const sg_arff_attribute *a, sg_column_spec asked)
{
    if (asked == SG_SPEC_NUMERIC || (asked == SG_SPEC_CATEGORICAL && a->spec != SG_SPEC_FIXED_LEVELS)) return asked;
    if (asked == SG_SPEC_INFER && h->has_inputs && h->has_outputs && a->role == SG_ARFF_ROLE_NONE)
        return SG_SPEC_UNUSED;
    bool judged = a->spec == SG_SPEC_INFER || a->spec == SG_SPEC_DATE;
    return asked == SG_SPEC_INFER_KEEP && judged ? asked : a->spec;
}

/* What the header declares, unless who asks knows better; declared levels are there before the first row. */
static void apply_specs(reader *r)
{
    sg_column_selection *c = &r->store.selection;
    for (size_t i = 0; i < c->count; i++)
        if (r->place[i] == r->header.count) c->spec[i] = SG_SPEC_NUMERIC;
        else c->spec[i] = resolve_spec(&r->header, &r->header.attribute[r->place[i]], c->spec[i]);
    for (size_t j = 0; j <= r->header.count; j++) r->slot[j] = NONE;
    for (size_t k = 0; k < c->read_count; k++) {
        size_t j = r->place[c->read_index[k]];
        r->slot[j] = k;
        if (c->spec[c->read_index[k]] != SG_SPEC_FIXED_LEVELS) continue;
        r->store.column[k].levels = r->header.attribute[j].levels;
        r->store.column[k].levels.shared_bytes = NULL; /* the header has counted them, and goes */
        r->header.attribute[j].levels = (sg_string_table){0};
    }
    c->file_position = r->place;
}

static sg_status start(reader *r)
{
    const sg_arff_header *h = &r->header;
    r->columns = h->count + r->weighted;
    r->options.read_first_column = r->options.read_weights && r->weighted;
    r->place = sg_calloc(r->columns, sizeof *r->place);
    r->slot = sg_calloc(h->count + 1, sizeof *r->slot);
    r->set = sg_calloc(h->count, sizeof *r->set);
    sg_field *names = sg_calloc(r->columns, sizeof *names);
    sg_status st = r->place && r->slot && r->set && names ? SG_OK : no_memory(r);
    if (st == SG_OK) order_columns(r);
    for (size_t i = 0; st == SG_OK && i < r->columns; i++) {
        size_t j = r->place[i];
        if (j == h->count) names[i] = (sg_field){.text = "weight", .length = 6, .line = r->line.number};
        else
            names[i] = (sg_field){.text = h->names.bytes + h->attribute[j].name,
                                  .length = h->attribute[j].name_length,
                                  .line = h->attribute[j].line};
    }
    if (st == SG_OK) st = sg_table_builder_init(&r->store, r->file, &r->options, names, r->columns);
    free(names);
    if (st == SG_OK) apply_specs(r);
    return st;
}

/* --- cells --- */

static void set_missing(reader *r, size_t k)
{
    r->row[k] = NAN;
    r->store.column[k].missing_count++;
}

static void set_level(reader *r, size_t k, uint32_t code)
{
    r->row[k] = sg_nanbox_pack(code);
    r->store.column[k].non_number_count++;
}

static bool is_missing_token(const sg_arff_token *w)
{
    if (w->quoted) return w->length == 0;
    return w->length == 0 || (w->length == 1 && *w->text == '?') || (w->length == 6 && !memcmp(w->text, "<null>", 6));
}

static sg_status fail_undeclared(const reader *r, size_t j, size_t k, const sg_arff_token *w)
{
    char shown[48], name[64];
    sg_text known = {0};
    const sg_string_table *l = &r->store.column[k].levels;
    const sg_arff_attribute *a = &r->header.attribute[j];
    for (size_t i = 0; i < l->count && i < 10; i++)
        sg_text_append_format(&known, "%s%s", i ? ", " : "", sg_string_table_get(l, i));
    sg_status st =
        sg_fail(SG_EDATA, "%s:%zu:%zu: \"%s\" is not a value of attribute \"%s\"; expected %s%s", r->file,
                r->line.number, j + 1, sg_quote_excerpt(w->text, w->length, shown, sizeof shown),
                sg_quote_excerpt(r->header.names.bytes + a->name, a->name_length, name, sizeof name),
                known.bytes && !known.failed ? known.bytes : "one that is declared", l->count > 10 ? ", ..." : "");
    sg_text_release(&known);
    return st;
}

/* Of the j-th attribute. */
static sg_status put_cell(reader *r, size_t j, const sg_arff_token *w)
{
    size_t k = r->slot[j];
    sg_field cell = {.text = w->text, .length = w->length, .line = r->line.number, .quoted = w->quoted};
    uint32_t code;
    if (k == NONE) return SG_OK;
    if (is_missing_token(w)) {
        set_missing(r, k);
        return SG_OK;
    }
    if (r->store.selection.spec[r->store.selection.read_index[k]] != SG_SPEC_FIXED_LEVELS)
        return sg_number_parse(w->text, w->length, &r->row[k]) == SG_NUMBER_OK
                   ? SG_OK
                   : sg_table_builder_put_text(&r->store, k, &cell, r->row);
    if (sg_arff_level_find(&r->store.column[k].levels, w->text, w->length, &code)) set_level(r, k, code);
    else if (sg_cell_classify(&cell, r->options.missing) == SG_CELL_MISSING) set_missing(r, k);
    else return fail_undeclared(r, j, k, w);
    return SG_OK;
}

/* What a sparse row does not name. */
static void put_absent(reader *r, size_t j)
{
    size_t k = r->slot[j];
    if (k == NONE) return;
    sg_column_spec kind = r->store.selection.spec[r->store.selection.read_index[k]];
    sg_column_spec is = r->header.attribute[j].spec;
    if (kind == SG_SPEC_FIXED_LEVELS) set_level(r, k, 0);
    else if (is == SG_SPEC_NUMERIC || kind == SG_SPEC_NUMERIC) r->row[k] = 0;
    else set_missing(r, k);
}

/* --- rows --- */

static sg_status fail_expected(const reader *r, const char *what)
{
    return sg_arff_fail_expected(&r->line, r->start, what);
}

/* Between a row and the end of its line. */
static sg_status read_weight(reader *r)
{
    sg_arff_token w = {.text = "1", .length = 1};
    bool there = sg_arff_accept(&r->line, ',');
    sg_status st = SG_OK;
    if (there && !sg_arff_accept(&r->line, '{')) return fail_expected(r, "the end of the row, or its weight in braces");
    if (there && !r->weighted) return fail_expected(r, "no weight, as in the first row");
    if (there) st = sg_arff_next_token(&r->line, "}", &r->plain, &w);
    if (st == SG_OK && there && !sg_arff_accept(&r->line, '}')) st = fail_expected(r, "} after the weight");
    if (st == SG_OK && !sg_arff_at_end(&r->line)) st = fail_expected(r, "the end of the row");
    return st == SG_OK && r->weighted ? put_cell(r, r->header.count, &w) : st;
}

static sg_status fail_width(const reader *r, size_t there)
{
    return sg_fail(SG_EDATA, "%s:%zu:%zu: %zu field%s, expected %zu, one for each attribute", r->file, r->line.number,
                   there + 1, there, there == 1 ? "" : "s", r->header.count);
}

/* Values by commas; where there is no comma, by blanks. */
static sg_status read_dense_row(reader *r)
{
    bool commas = r->header.count == 1 || memchr(r->line.at, ',', (size_t)(r->line.end - r->line.at));
    for (size_t j = 0; j < r->header.count; j++) {
        sg_arff_token w;
        if (j && commas ? !sg_arff_accept(&r->line, ',') : !sg_line_skip_blanks(&r->line)) return fail_width(r, j);
        sg_status st = sg_arff_next_token(&r->line, commas ? "," : " \t", &r->plain, &w);
        if (st == SG_OK) st = put_cell(r, j, &w);
        if (st != SG_OK) return st;
    }
    return read_weight(r);
}

static sg_status read_sparse_entry(reader *r)
{
    sg_arff_token index, value;
    double at;
    sg_status st = sg_arff_next_token(&r->line, " \t,}", &r->plain, &index);
    if (st != SG_OK) return st;
    if (sg_number_parse(index.text, index.length, &at) != SG_NUMBER_OK || !(at >= 0 && at < (double)r->header.count) ||
        floor(at) != at)
        return fail_expected(r, "the number of an attribute, from 0, and its value");
    size_t j = (size_t)at;
    if (r->set[j] == r->store.row_count + 1) return fail_expected(r, "each attribute once");
    r->set[j] = r->store.row_count + 1;
    st = sg_arff_next_token(&r->line, ",}", &r->plain, &value);
    return st == SG_OK ? put_cell(r, j, &value) : st;
}

static sg_status read_sparse_row(reader *r)
{
    while (!sg_arff_accept(&r->line, '}')) {
        sg_status st = read_sparse_entry(r);
        if (st != SG_OK) return st;
        if (sg_arff_accept(&r->line, ',')) continue;
        if (!sg_arff_accept(&r->line, '}')) return fail_expected(r, "a comma or } after a value");
        break;
    }
    for (size_t j = 0; j < r->header.count; j++)
        if (r->set[j] != r->store.row_count + 1) put_absent(r, j);
    return read_weight(r);
}

static sg_status read_row(reader *r)
{
    sg_status st = sg_table_builder_next_row(&r->store, 0, &r->row);
    if (st == SG_OK) st = sg_arff_accept(&r->line, '{') ? read_sparse_row(r) : read_dense_row(r);
    if (st == SG_OK) sg_table_builder_commit_row(&r->store, r->row);
    return st;
}

/* A row ends with its weight in braces: a number, so that no sparse row is meant. */
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

/* The next row; *got is false after the last. */
static sg_status next_row(reader *r, bool *got)
{
    for (;;) {
        sg_status st = sg_line_reader_next(r->lines, &r->line, got);
        if (st != SG_OK || !*got) return st;
        r->start = r->line.at;
        if (!sg_arff_at_end(&r->line)) return SG_OK;
    }
}

static sg_status read_all(reader *r, sg_byte_reader *in)
{
    bool got;
    sg_status st =
        sg_line_reader_new(in, r->options.block_bytes ? r->options.block_bytes : SG_READ_BLOCK_BYTES, &r->lines);
    if (st == SG_OK) st = sg_arff_header_read(r->lines, r->file, &r->header);
    if (st == SG_OK) st = next_row(r, &got);
    if (st != SG_OK) return st;
    if (!got) return sg_fail(SG_EDATA, "%s: no rows after @data", r->file);
    r->weighted = has_weight(&r->line);
    st = start(r);
    while (st == SG_OK && got) {
        st = read_row(r);
        if (st == SG_OK) st = next_row(r, &got);
    }
    return st;
}

/* Weights that are read are the first column; who names another one has no use for them. */
static void set_weights(const reader *r, sg_table *t)
{
    const sg_options *o = r->options.notify;
    size_t k = r->slot[r->header.count];
    if (k == NONE || !sg_table_builder_keeps_column(&r->store, k)) return;
    sg_table_set_weights(t, 0);
    if (o && !*sg_options_text(o, "weights"))
        sg_notice(o, "%s: column \"weight\" holds the weights of its rows", r->file);
}

sg_status sg_arff_read(sg_byte_reader *in, const sg_read_options *options, sg_table **out)
{
    reader r = {.file = sg_byte_reader_name(in), .options = *options};
    if (!options->missing) r.options.missing = SG_DEFAULT_MISSING;
    sg_status st = read_all(&r, in);
    if (st == SG_OK) st = sg_table_builder_finish(&r.store, r.file, out);
    if (st == SG_OK && r.weighted) set_weights(&r, *out);
    release(&r);
    return st;
}

sg_status sg_arff_read_file(const char *path, const sg_read_options *options, sg_table **out)
{
    sg_byte_reader *in;
    sg_status st = sg_byte_reader_open(path, &in);
    if (st != SG_OK) return st;
    st = sg_arff_read(in, options, out);
    sg_byte_reader_close(in);
    return st;
}
